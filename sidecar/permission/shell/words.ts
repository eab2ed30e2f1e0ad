/** Words of a command as the shell would hand them on, as far as that can be known before it runs. */
import type { ShellNode } from './grammar.ts'

export interface Word {
  /** Exactly what the program would get; null where some of it is known only when it runs, or it becomes several words. */
  readonly text: string | null
  /** What it certainly begins with. */
  readonly prefix: string
  /** As written. */
  readonly source: string
  /** The shell may put names of files in its place: `text` is then the pattern. */
  readonly glob: boolean
  /** It names a pipe that the shell makes, no file. */
  readonly pipe: boolean
}

export const literalWord = (text: string): Word => ({ text, prefix: text, source: text, glob: false, pipe: false })
/** A word of which nothing is known: what `xargs` adds, say. */
export const anyWord = (source: string): Word => ({ text: null, prefix: '', source, glob: false, pipe: false })

interface Piece {
  text: string | null
  glob?: boolean
  pipe?: boolean
  /** Written without quotes: what braces and a tilde may mean something in; what is kept from meaning anything is an `x`. */
  bare?: string
}

const UNKNOWN: Piece = { text: null }

/** Null for a node that is no word that we know. */
export function wordOf(node: ShellNode, home: string): Word | null {
  const pieces = piecesOf(node)
  if (!pieces) return null
  const source = node.text
  const bare = pieces.map(piece => piece.bare ?? 'x').join('')
  if (severalWords.test(bare)) return anyWord(source)
  const [first, ...rest] = pieces
  const tilde = first?.bare?.startsWith('~') ? atHome(bare, first.text ?? '', home) : null
  const known = tilde === null ? pieces : [{ ...first, text: tilde.text }, ...rest]
  const unknownAt = known.findIndex(({ text }) => text === null)
  const prefix = known
    .slice(0, unknownAt < 0 ? undefined : unknownAt)
    .map(({ text }) => text)
    .join('')
  return {
    text: unknownAt < 0 ? prefix : null,
    prefix,
    source,
    glob: pieces.some(({ glob }) => glob),
    pipe: pieces.length === 1 && pieces[0]?.pipe === true,
  }
}

function piecesOf(node: ShellNode): Piece[] | null {
  switch (node.type) {
    case 'word':
    case 'number':
      return [bareOf(node.text)]
    case 'raw_string':
      return [{ text: node.text.slice(1, -1) }]
    case 'string':
      return [stringOf(node)]
    case 'concatenation':
      return concatenated(node)
    case 'process_substitution':
      return [{ text: '/dev/fd/63', pipe: true }]
    case 'command_name': {
      const only = node.namedChildCount === 1 ? node.namedChild(0) : null
      return only && only.text === node.text ? piecesOf(only) : null
    }
    case 'ansi_c_string':
    case 'translated_string':
    case 'simple_expansion':
    case 'expansion':
    case 'command_substitution':
    case 'arithmetic_expansion':
    case 'brace_expression':
      return [UNKNOWN]
    default:
      return null
  }
}

/** Its parts must be all there is of it: the grammar leaves out what it takes for blanks. */
function concatenated(node: ShellNode): Piece[] | null {
  const pieces: Piece[] = []
  let at = node.startIndex
  for (const child of node.children) {
    if (!child || child.startIndex !== at) return null
    at = child.endIndex
    const inner = child.isNamed ? piecesOf(child) : child.type === '$' ? [UNKNOWN] : [bareOf(child.text)]
    if (!inner) return null
    // Which pipe it will be is not known; that matters where its name is part of another one.
    pieces.push(...inner.map(piece => (piece.pipe ? UNKNOWN : piece)))
  }
  return at === node.endIndex ? pieces : null
}

/** A text without quotes: a backslash keeps the next character as it is. */
function bareOf(source: string): Piece {
  let text = ''
  let bare = ''
  let glob = false
  for (let i = 0; i < source.length; i++) {
    const char = source.charAt(i)
    if (char === '\\') {
      i++
      // A line that goes on: nothing of it is left.
      if (source.charAt(i) === '\n') continue
      text += source.charAt(i)
      bare += 'x'
      continue
    }
    if (/[$`"'\s;&|<>()]/.test(char) && source !== '$') return { text: null }
    if (/[*?[]/.test(char)) glob = true
    text += char
    bare += char
  }
  return { text, glob, bare }
}

function stringOf(node: ShellNode): Piece {
  if (!node.text.startsWith('"') || !node.text.endsWith('"')) return UNKNOWN
  for (const child of node.children) if (child?.isNamed && child.type !== 'string_content') return UNKNOWN
  const inner = node.text.slice(1, -1)
  if (/(?:^|[^\\])(?:\\\\)*`/.test(inner) || /(?:^|[^\\])(?:\\\\)*\$[\w({@*#?$!-]/.test(inner)) return UNKNOWN
  return { text: inner.replace(/\\([$`"\\\n])/g, (_, char: string) => (char === '\n' ? '' : char)) }
}

/** Braces that make several words of one, and a tilde behind `=` or `:`, which means a home in what looks like an assignment. */
const severalWords = /\{.*(?:,|\.\.)|[=:]~/s

/** Other people's homes are not known, and neither are `~+` and `~-`. */
function atHome(bare: string, text: string, home: string): { text: string | null } {
  return { text: bare === '~' || bare.startsWith('~/') ? home + text.slice(1) : null }
}
