/**
 * From the text of a command to the simple commands in it, wherever they stand: in lists, pipes, subshells, substitutions,
 * loops, here-documents. What is not certain makes the whole `unknown`: nothing is left out silently.
 */
import { resolve } from 'node:path'
import { isCovered, plainExpansion } from './covered.ts'
import { type ShellNode, withTree } from './grammar.ts'
import { literalWord, type Word, wordOf } from './words.ts'

export interface Redirect {
  readonly kind: 'read' | 'write'
  readonly target: Word
  /** As written, without the target. */
  readonly operator: string
}

export interface Simple {
  readonly argv: readonly Word[]
  readonly env: readonly { readonly name: string; readonly value: Word }[]
  readonly redirects: readonly Redirect[]
  readonly source: string
  /** Where it may run; null where that is not known. */
  readonly cwds: readonly string[] | null
  /** Something in it runs more than is written there, as arithmetic over a variable can. */
  readonly hides: string | null
  /** It gets its input from text in the command itself. */
  readonly fed: boolean
}

export interface Script {
  readonly commands: readonly Simple[]
  /** Why it is not understood; then `commands` is what was seen of it. */
  readonly unknown: string | null
}

export interface ScriptPlace {
  readonly cwd: string | null
  readonly home: string
}

/** Rejects when the grammar cannot be loaded. */
export async function readScript(command: string, place: ScriptPlace): Promise<Script> {
  const odd = oddText(command)
  if (odd) return { commands: [], unknown: odd }
  const script = await withTree(command, root => walkScript(root, place))
  return script ?? { commands: [], unknown: 'it is too long to be read' }
}

/** What a shell and a grammar may take differently is not even read. */
function oddText(command: string): string | null {
  if (/[\0-\x08\x0b-\x1f\x7f]/.test(command)) return 'it has control characters in it'
  if (/[\u0085\u00a0\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u2064\u2066-\u206f\u3000\ufeff]/.test(command))
    return 'it has characters in it that nobody sees'
  if (/[^\s\\]\\\n|\\\\\n/.test(command)) return 'a word goes on over the end of a line'
  if (/\p{Surrogate}/u.test(command)) return 'it is no text'
  return null
}

type Cwds = ReadonlySet<string> | null
/** Where the shell may be afterwards: at all, and if it went well. */
interface Flow {
  after: Cwds
  ok: Cwds
}

const MAX_DEPTH = 150
const MAX_COMMANDS = 200
const MAX_CWDS = 8

function walkScript(root: ShellNode, { cwd, home }: ScriptPlace): Script {
  const commands: Simple[] = []
  let unknown: string | null = null
  const give = (why: string): void => {
    unknown ??= why
  }
  let depth = 0

  const both = (a: Cwds, b: Cwds): Cwds => {
    const all = a && b ? new Set([...a, ...b]) : null
    return all && all.size > MAX_CWDS ? null : all
  }
  const still = (cwds: Cwds): Flow => ({ after: cwds, ok: cwds })

  const statement = (node: ShellNode, cwds: Cwds): Flow => {
    if (depth > MAX_DEPTH) {
      give('it is nested too deeply')
      return still(cwds)
    }
    depth++
    const flow = kinds[node.type]?.(node, cwds) ?? notKnown(node, cwds)
    depth--
    return flow
  }
  const notKnown = (node: ShellNode, cwds: Cwds): Flow => {
    give(
      node.isError || node.isMissing
        ? 'it is not written as a shell reads it'
        : (unknownKinds[node.type] ?? `of what it has in it (${node.type.replaceAll('_', ' ')})`),
    )
    return still(cwds)
  }
  const sequence = (nodes: readonly (ShellNode | null)[], cwds: Cwds): Flow =>
    nodes.reduce<Flow>((flow, node) => (node ? statement(node, flow.after) : flow), still(cwds))
  const inside = (nodes: readonly (ShellNode | null)[], cwds: Cwds): Flow => {
    sequence(nodes, cwds)
    return still(cwds)
  }

  const word = (node: ShellNode, cwds: Cwds): Word => {
    substitutions(node, cwds)
    const read = wordOf(node, home)
    if (!read) give(`of a word in it (${node.type.replaceAll('_', ' ')})`)
    return read ?? literalWord(node.text)
  }
  /** Whatever runs while words are made. */
  let hides: string | null = null
  const substitutions = (node: ShellNode, cwds: Cwds): void => {
    if (depth > MAX_DEPTH) {
      give('it is nested too deeply')
      return
    }
    depth++
    switch (node.type) {
      case 'command_substitution':
      case 'process_substitution': {
        const outer = hides
        inside(statementsOf(node), cwds)
        hides = outer
        break
      }
      case 'expansion':
        if (!plainExpansion(node)) hides ??= 'an expansion in it can run what a variable holds'
        descend(node, cwds)
        break
      case 'arithmetic_expansion':
        if (/[A-Za-z_$`[]/.test(node.text.slice(1))) hides ??= 'arithmetic can run what a variable holds'
        descend(node, cwds)
        break
      case 'ERROR':
        give('it is not written as a shell reads it')
        break
      default:
        descend(node, cwds)
    }
    depth--
  }
  const descend = (node: ShellNode, cwds: Cwds): void => {
    if (node.isMissing) give('it is not written as a shell reads it')
    for (const child of node.namedChildren) if (child) substitutions(child, cwds)
  }
  const statementsOf = (node: ShellNode): (ShellNode | null)[] => {
    const [first] = node.namedChildren
    // `$(< file)`: only a redirection.
    if (node.type === 'command_substitution' && first?.type === 'file_redirect') {
      add({ redirects: [redirect(first, null)].flatMap(each => each ?? []), source: node.text })
      return node.namedChildren.slice(1)
    }
    return node.namedChildren
  }

  const add = (part: Partial<Simple> & { source: string }, cwds: Cwds = null): void => {
    if (commands.length >= MAX_COMMANDS) give('it has too many commands in it')
    const places = cwds ? [...cwds] : null
    if (commands.length < MAX_COMMANDS)
      commands.push({ argv: [], env: [], redirects: [], fed: false, hides, cwds: places, ...part })
    hides = null
  }

  const redirect = (node: ShellNode, cwds: Cwds): Redirect | null => {
    const operator = node.children.find(child => child && !child.isNamed)?.type ?? ''
    const targets = node.childrenForFieldName('destination')
    const [target] = targets
    if (!target || targets.length > 1) {
      if (/^[<>]&-?$/.test(operator) && targets.length === 0) return null
      give('of a redirection in it')
      return null
    }
    const to = word(target, cwds)
    if (/^[<>]&$/.test(operator) && to.text !== null && /^(?:\d+-?|-)$/.test(to.text)) return null
    const reads = operator === '<' || operator === '<&'
    if (!reads && !/^(?:>|>>|>\||&>|&>>|>&|<>)$/.test(operator)) give('of a redirection in it')
    return { kind: reads ? 'read' : 'write', target: to, operator }
  }

  const command = (node: ShellNode, cwds: Cwds, more: readonly Redirect[] = [], fed = false): Flow => {
    const argv: Word[] = []
    const env: { name: string; value: Word }[] = []
    const redirects = [...more]
    let isFed = fed
    let before: ShellNode | null = null
    for (const child of node.children) {
      if (!child) continue
      // What stands together is one word for the shell, whatever the grammar makes of it.
      if (before?.endIndex === child.startIndex && isWord(before) && isWord(child)) give('of a word in it')
      before = child
      if (child.type === 'variable_assignment') env.push(assignment(child, cwds))
      else if (child.type === 'file_redirect') redirects.push(...[redirect(child, cwds)].flatMap(each => each ?? []))
      else if (child.type === 'herestring_redirect') {
        descend(child, cwds)
        isFed = true
      } else if (child.isNamed) argv.push(word(child, cwds))
      else give(`of what it has in it (${child.type})`)
    }
    const program = argv[0]
    if (program && (program.text === null || program.glob)) give('which program runs is known only when it runs')
    if (program && reserved.has(program.source)) give('it is not written as a shell reads it')
    add({ argv, env, redirects, fed: isFed, source: node.text }, cwds)
    return afterCommand(argv, env, cwds)
  }

  const assignment = (node: ShellNode, cwds: Cwds): { name: string; value: Word } => {
    const [name, value] = [node.childForFieldName('name'), node.childForFieldName('value')]
    if (name?.type !== 'variable_name' || node.namedChildCount > 2 || value?.type === 'array') {
      descend(node, cwds)
      hides ??= 'it sets more than a plain variable'
    }
    if (!/^[A-Za-z_]\w*$/.test(name?.text ?? '')) give('of an assignment in it')
    if (name?.text === 'HOME' || name?.text === 'CDPATH') give('it moves the home folder or where `cd` leads')
    return {
      name: name?.text ?? node.text,
      value: value && value.type !== 'array' ? word(value, cwds) : literalWord(''),
    }
  }

  /** Words that the grammar has kinds of its own for (`export`, `unset`), as if they were a program. */
  const builtin = (node: ShellNode, cwds: Cwds): Flow => {
    if (/\b(?:HOME|CDPATH)=/.test(node.text)) give('it moves the home folder or where `cd` leads')
    descend(node, cwds)
    const name = node.child(0)?.text ?? ''
    const rest = node.namedChildren.map(child => literalWord(child?.text ?? ''))
    add({ argv: [literalWord(name), ...rest], source: node.text }, cwds)
    return still(cwds)
  }

  const redirected = (node: ShellNode, cwds: Cwds): Flow => {
    const body = node.childForFieldName('body')
    const found: Redirect[] = []
    let fed = false
    const later: (ShellNode | null)[] = []
    for (const each of node.childrenForFieldName('redirect')) {
      if (each?.type === 'file_redirect') found.push(...[redirect(each, cwds)].flatMap(one => one ?? []))
      else if (each?.type === 'heredoc_redirect') {
        fed = true
        for (const child of each.namedChildren) {
          if (
            !child ||
            child.type === 'heredoc_start' ||
            child.type === 'heredoc_end' ||
            child.type === 'file_descriptor'
          )
            continue
          if (child.type === 'heredoc_body') descend(child, cwds)
          else if (child.type === 'file_redirect') found.push(...[redirect(child, cwds)].flatMap(one => one ?? []))
          else if (each.childrenForFieldName('argument').some(argument => argument?.id === child.id))
            give('a word of it stands behind a here-document')
          else later.push(child)
        }
      } else if (each?.type === 'herestring_redirect') {
        fed = true
        descend(each, cwds)
      } else if (each) give('of a redirection in it')
    }
    let flow = still(cwds)
    if (body?.type === 'command') flow = command(body, cwds, found, fed)
    else {
      if (body) flow = statement(body, cwds)
      // The grammar gives a list what belongs to its last command: that may have come to be elsewhere.
      if (found.length > 0 || !body)
        add({ redirects: found, fed, source: node.text }, both(cwds, both(flow.after, flow.ok)))
    }
    const rest = sequence(later, flow.after)
    return later.length > 0 ? rest : flow
  }

  const list = (node: ShellNode, cwds: Cwds): Flow => {
    const [left, right] = node.namedChildren
    const operator = node.children.find(child => child && !child.isNamed)?.type
    if (!left || !right || node.namedChildCount !== 2) return notKnown(node, cwds)
    const first = statement(left, cwds)
    const second = statement(right, operator === '&&' ? first.ok : first.after)
    return {
      after: both(first.after, second.after),
      ok: operator === '&&' ? second.ok : both(first.after, second.after),
    }
  }

  /** What may run again, or not at all. */
  const maybe = (node: ShellNode, cwds: Cwds): Flow => {
    const start = /\b(?:cd|pushd|popd)\b/.test(node.text) ? null : cwds
    for (const child of node.namedChildren) {
      if (!child) continue
      if (kinds[child.type] && child.type !== 'variable_name') statement(child, start)
      else substitutions(child, start)
    }
    return still(start)
  }

  const test = (node: ShellNode, cwds: Cwds): Flow => {
    descend(node, cwds)
    const open = node.child(0)?.type ?? ''
    if (!/^(?:\[\s.*\s\]|\[\[\s.*\s\]\]|\(\(.*\)\))$/s.test(node.text)) give('of a test in it')
    if (open !== '[' && open !== '[[') hides ??= 'arithmetic can run what a variable holds'
    if (/(?:^|\s)-(?:v|R|eq|ne|lt|le|gt|ge)(?:\s|$)/.test(node.text) && open === '[[')
      hides ??= 'arithmetic can run what a variable holds'
    if (/(?:^|\s)-[vR]\s/.test(node.text)) hides ??= 'it looks into what a variable holds'
    add({ argv: [literalWord(open)], source: node.text }, cwds)
    return still(cwds)
  }

  const kinds: Record<string, (node: ShellNode, cwds: Cwds) => Flow> = {
    program: (node, cwds) => sequence(node.namedChildren, cwds),
    compound_statement: (node, cwds) => {
      if (!/^\{\s/.test(node.text) || !/[;&\n)}]\s*\}$/.test(node.text)) give('of a group in it')
      return sequence(node.namedChildren, cwds)
    },
    do_group: (node, cwds) => sequence(node.namedChildren, cwds),
    subshell: (node, cwds) => inside(node.namedChildren, cwds),
    pipeline: (node, cwds) => {
      for (const child of node.namedChildren) if (child) statement(child, cwds)
      return still(cwds)
    },
    list,
    negated_command: (node, cwds) => {
      const flow = sequence(node.namedChildren, cwds)
      return { after: flow.after, ok: flow.after }
    },
    command: (node, cwds) => command(node, cwds),
    redirected_statement: redirected,
    test_command: test,
    if_statement: maybe,
    elif_clause: maybe,
    else_clause: maybe,
    while_statement: maybe,
    for_statement: maybe,
    case_statement: maybe,
    case_item: maybe,
    comment: (_, cwds) => still(cwds),
    declaration_command: builtin,
    unset_command: builtin,
    variable_assignment: (node, cwds) => {
      const env = [assignment(node, cwds)]
      add({ env, source: node.text }, cwds)
      return still(cwds)
    },
    variable_assignments: (node, cwds) => {
      const env = node.namedChildren.flatMap(child => (child ? [assignment(child, cwds)] : []))
      add({ env, source: node.text }, cwds)
      return still(cwds)
    },
  }

  if (!isCovered(root)) give('it is not written as a shell reads it')
  sequence([root], cwd === null ? null : new Set([cwd]))
  if (root.hasError) give('it is not written as a shell reads it')
  if (hides) give(hides)
  return { commands, unknown }

  function afterCommand(argv: readonly Word[], env: readonly { name: string }[], cwds: Cwds): Flow {
    const name = argv[0]?.text
    if (name === 'pushd' || name === 'popd') return still(null)
    if (name !== 'cd' && !(name === 'builtin' || name === 'command')) return still(cwds)
    if (name !== 'cd') return argv.some(({ text }) => text === 'cd' || text === null) ? still(null) : still(cwds)
    const [to, ...more] = argv.slice(1).filter(({ text }) => text !== '--' && text !== '-P' && text !== '-L')
    if (!to || more.length > 0 || to.text === null || to.glob || to.text.startsWith('-') || env.length > 0 || !cwds)
      return still(null)
    const { text } = to
    const there = new Set([...cwds].map(at => resolve(at, text)))
    return { after: both(cwds, there), ok: there }
  }
}

const unknownKinds: Record<string, string> = {
  function_definition: 'it defines a function',
  c_style_for_statement: 'of its arithmetic loop',
}

const isWord = ({ type }: ShellNode): boolean => !/redirect$/.test(type)
const reserved = new Set(
  'if then else elif fi for while until do done case esac in select function coproc { } ! [[ ]] (('.split(' '),
)
