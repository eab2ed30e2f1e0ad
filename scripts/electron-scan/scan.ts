/**
 * Looks through the desktop shell and the window for what makes an Electron app weak: electronegativity's checks and our own,
 * on the compiler's syntax tree. (That tool itself asks the network for Electron's releases, and its last one knows Electron 22.)
 */
import ts from 'typescript'
import { callRules } from './call-rules.ts'
import { preferenceRules } from './preference-rules.ts'
import { wholeRules } from './whole-rules.ts'

export const rules = [...preferenceRules, ...callRules, ...wholeRules]

export interface Source {
  /** From the root of the project, with `/`. */
  readonly path: string
  readonly text: string
}

export interface Finding {
  readonly rule: string
  /** Empty where something is missing from the whole. */
  readonly path: string
  readonly line: number
  /** The first line of what was found. */
  readonly text: string
}

export function scan(sources: readonly Source[]): Finding[] {
  const shell = sources.filter(({ path }) => isShell(path))
  const whole = shell.map(({ text }) => text).join('\n')
  const lacking = wholeRules
    .filter(rule => rule.missing?.(whole))
    .map(({ id }) => ({ rule: id, path: '', line: 0, text: '' }))
  return [...sources.flatMap(scanOne), ...lacking]
}

const isShell = (path: string) => /^src-(main|preload)\//.test(path)

function scanOne({ path, text }: Source): Finding[] {
  if (path.endsWith('.html')) return scanPage(path, text)
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind)
  const found: Finding[] = []
  const asked = rules.flatMap(rule => {
    const ask = rule.anywhere ?? (isShell(path) ? rule.shell : undefined)
    return ask ? [{ id: rule.id, ask }] : []
  })
  const visit = (node: ts.Node): void => {
    for (const { id, ask } of asked) {
      if (!ask(node)) continue
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
      found.push({ rule: id, path, line, text: node.getText(source).split('\n')[0]?.slice(0, 100) ?? '' })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** The page itself: scripts in it, handlers in attributes, anything from elsewhere. */
const inPage: readonly [rule: string, pattern: RegExp][] = [
  ['PAGE_SCRIPT', /<script(?![^>]*\ssrc="\.\/)[^>]*>/i],
  ['PAGE_HANDLER', /\son[a-z]+\s*=\s*["']/i],
  ['PAGE_ELSEWHERE', /\b(?:src|href|action)\s*=\s*["']?(?:https?:|\/\/|data:|javascript:)/i],
  ['PAGE_EMBEDS', /<(?:iframe|frame|object|embed|webview|base|portal)\b/i],
]
export const pageRules = inPage.map(([rule]) => rule)

const scanPage = (path: string, text: string): Finding[] =>
  text
    .split('\n')
    .flatMap((line, index) =>
      inPage.flatMap(([rule, pattern]) =>
        pattern.test(line) ? [{ rule, path, line: index + 1, text: line.trim().slice(0, 100) }] : [],
      ),
    )
