/** Whether a tree holds all there is of a text: what the grammar left out or took for something else makes it not understood. */
import type { ShellNode } from './grammar.ts'

/** On a line of its own: else the shell reads on. */
function standsAlone(end: ShellNode, whole: string): boolean {
  const line = whole.slice(whole.lastIndexOf('\n', end.startIndex - 1) + 1).split('\n')[0] ?? ''
  return line === end.text.trim() || line.replace(/^\t+/, '') === end.text.trim()
}

/** Nothing but blanks stands between the parts of the tree, and nothing in a text that is text could run. */
export function isCovered(root: ShellNode): boolean {
  const whole = root.text
  let documents = 0
  const covered = (node: ShellNode, literal: boolean): boolean => {
    if (node.type === 'heredoc_redirect' && ++documents > 1) return false
    if (node.type === 'word' && /(?:^|[^\\])(?:\\\\)*\s/.test(node.text)) return false
    if (node.type === 'herestring_redirect' && node.namedChildCount !== 1) return false
    if (node.type === 'heredoc_end' && !standsAlone(node, whole)) return false
    if (node.type === 'simple_expansion' && !/^\$(?:\w+|[@*#?!$-])$/.test(node.text)) return false
    if (node.type === 'raw_string' || node.type === 'comment' || node.type === 'ansi_c_string') return true
    const isLiteral = literal || (node.type === 'heredoc_redirect' && /^<<-?\s*(?:['"\\]|\w+['"\\])/.test(node.text))
    if (textKinds.has(node.type) && !isLiteral && runsInside.test(textOutside(node))) return false
    let at = node.startIndex
    for (const child of node.children) {
      if (!child) continue
      const gap = whole.slice(at, child.startIndex)
      if (!textKinds.has(node.type) && /[^\s\\]|\\(?!\n)/.test(gap)) return false
      if (!covered(child, isLiteral && !/^(?:file_redirect|pipeline|list|command)$/.test(child.type))) return false
      at = child.endIndex
    }
    return node.childCount === 0 || textKinds.has(node.type) || /^(?:[\s\\]*)$/.test(whole.slice(at, node.endIndex))
  }
  return covered(root, false)
}
const textKinds = new Set(['string', 'string_content', 'heredoc_body', 'heredoc_content', 'word'])
const runsInside = /(?:^|[^\\])(?:\\\\)*(?:`|\$[({])/s

/** What of it is in none of its parts. */
function textOutside(node: ShellNode): string {
  let text = ''
  let at = node.startIndex
  const { text: whole, startIndex } = node
  for (const child of node.children) {
    if (!child || (!child.isNamed && node.type === 'string')) continue
    text += whole.slice(at - startIndex, child.startIndex - startIndex)
    at = child.endIndex
  }
  return text + whole.slice(at - startIndex)
}

/** Nothing of a variable's content is taken for more than text. */
export function plainExpansion(node: ShellNode): boolean {
  const { text } = node
  if (!/^\$\{#?(?:\w+|[@*#?!$-])(?:\[[@*\d]+\])?(?:(?::?[-+]|%%?|##?|\/\/?|\^\^?|,,?).*|:\d+(?::\d+)?)?\}$/s.test(text))
    return false
  if (text.includes('`') || /\$\{!|@[A-Za-z]\}/.test(text)) return false
  const substituted = text.split('$(').length - 1
  return node.descendantsOfType(['command_substitution', 'arithmetic_expansion']).length >= substituted
}
