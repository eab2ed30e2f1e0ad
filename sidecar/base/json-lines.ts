/** JSON with comments, read so that one broken line costs that line, and changed so that comments and unknown keys stay. */
import {
  applyEdits,
  type EditResult,
  getNodeValue,
  type JSONPath,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import { BelayError } from '#contract/error'

export interface ReadResult {
  readonly root: Node | undefined
  /** In words, with the line; empty for sound text. */
  readonly faults: readonly string[]
}

const format = { formattingOptions: { insertSpaces: true, tabSize: 2, eol: '\n' } }
const tolerant = { allowTrailingComma: true, disallowComments: false, allowEmptyContent: true }

export function readTree(text: string): ReadResult {
  const errors: ParseError[] = []
  const root = parseTree(text.replace(/^\uFEFF/, ' '), errors, tolerant)
  return { root, faults: errors.slice(0, 20).map(error => inWords(text, error)) }
}

function inWords(text: string, error: ParseError): string {
  const words = printParseErrorCode(error.error)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return `Line ${lineAt(text, error.offset)}: ${words}.`
}

export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

/** The lines of an object: name, value and line number, the last of equal names winning. Not an object: none. */
export function readObject(root: Node | undefined, text: string): Map<string, { value: unknown; line: number }> {
  const found = new Map<string, { value: unknown; line: number }>()
  if (root?.type !== 'object') return found
  for (const property of root.children ?? []) {
    const [name, value] = property.children ?? []
    if (!name || !value) continue
    found.set(String(name.value), { value: getNodeValue(value), line: lineAt(text, name.offset) })
  }
  return found
}

/** Throws `invalid` where the text has a fault: an edit of broken text could destroy what stands there. */
export function editLine(text: string, path: JSONPath, value: unknown, insert = false): string {
  refuseBroken(text)
  const edits: EditResult = modify(text, path, value, { ...format, isArrayInsertion: insert })
  return applyEdits(text, edits)
}

/** Without the line of `key`, when it stands alone on its line all else stays byte for byte. */
export function removeLine(text: string, key: string): string {
  refuseBroken(text)
  const properties = readTree(text).root?.children?.filter(child => child.children?.[0]?.value === key) ?? []
  let edited = text
  for (const property of properties.reverse()) {
    const start = edited.lastIndexOf('\n', property.offset - 1) + 1
    const after = /^[ \t]*,?[ \t]*(?:\/\/[^\n]*)?(?:\r?\n|$)/.exec(edited.slice(property.offset + property.length))
    if (after && edited.slice(start, property.offset).trim() === '')
      edited = edited.slice(0, start) + edited.slice(property.offset + property.length + after[0].length)
    else edited = applyEdits(edited, modify(edited, [key], undefined, format))
  }
  return edited
}

export function refuseBroken(text: string): void {
  const { faults } = readTree(text)
  if (faults.length === 0) return
  throw new BelayError(
    'invalid',
    `The file has a mistake, so nothing was written. ${faults[0]} Mend it first: “Open as JSON”.`,
  )
}

/** `text` with the array at its top made `next`: equal items at both ends keep their place and comments. */
export function editArray(text: string, next: readonly unknown[]): string {
  const { root } = readTree(text)
  const now: unknown[] = root?.type === 'array' ? (getNodeValue(root) as unknown[]) : []
  if (root?.type !== 'array') return `${JSON.stringify(next, null, 2)}\n`
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  let start = 0
  while (start < Math.min(now.length, next.length) && same(now[start], next[start])) start++
  let tail = 0
  while (tail < Math.min(now.length, next.length) - start && same(now.at(-1 - tail), next.at(-1 - tail))) tail++
  let edited = text
  for (let index = now.length - tail - 1; index >= start; index--) edited = editLine(edited, [index], undefined)
  for (let index = start; index < next.length - tail; index++) edited = editLine(edited, [index], next[index], true)
  return edited
}
