/** The lines between `---` and `---` at the top of a Markdown file, as data that still knows its lines, and the text below them. */
import type { Document, LineCounter } from 'yaml'

export interface FrontMatter {
  /** In the order they stand. */
  readonly keys: readonly { readonly name: string; readonly line: number }[]
  readonly value: Record<string, unknown>
  readonly body: string
  /** Of the value at that path, else of what is nearest above it. Lines count from 1, in the whole file. */
  lineOf(path: readonly PropertyKey[]): number
}
export interface FrontMatterFault {
  readonly line: number
  readonly message: string
}

const FENCE = /^---[ \t]*$/

/** What cannot be read is a fault with its line. Never rejects. */
export async function readFrontMatter(text: string): Promise<FrontMatter | FrontMatterFault> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  if (!FENCE.test(lines[0] ?? ''))
    return {
      line: 1,
      message:
        'An agent begins with a line of three dashes (---), then `description:` and the like, then three dashes.',
    }
  const end = lines.findIndex((line, i) => i > 0 && FENCE.test(line))
  if (end < 0)
    return { line: 1, message: 'The lines at the top have no end: close them with a line of three dashes (---).' }
  const { LineCounter, parseDocument } = await import('yaml')
  const counter = new LineCounter()
  const source = lines.slice(1, end).join('\n')
  const document = parseDocument(source, { lineCounter: counter, prettyErrors: false, merge: false, schema: 'core' })
  const [broken] = [...document.errors, ...document.warnings]
  if (broken) return { line: lineAt(counter, broken.pos[0]), message: `${broken.message.replace(/\.?$/, '')}.` }
  return readDocument(
    document,
    counter,
    lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  )
}

/** The first line of the file is the opening fence. */
const lineAt = (counter: LineCounter, offset: number): number => counter.linePos(offset).line + 1

function readDocument(document: Document, counter: LineCounter, body: string): FrontMatter | FrontMatterFault {
  let value: unknown
  try {
    // An alias can stand for any amount of text.
    value = document.toJS({ maxAliasCount: 0 }) ?? {}
  } catch {
    return { line: 2, message: 'Anchors and aliases (& and *) are not taken here: write the value out.' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { line: 2, message: 'The lines at the top are written as `name: value`, one a line.' }
  const lineOf = (path: readonly PropertyKey[]): number => {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true) as { range?: [number, number, number] } | undefined
      if (node?.range) return lineAt(counter, node.range[0])
    }
    return 1
  }
  const { contents } = document as { contents: { items?: { key?: unknown }[] } | null }
  const keys = (contents?.items ?? []).map(({ key }) => {
    const { value: name, range } = (key ?? {}) as { value?: unknown; range?: [number, number, number] }
    return { name: String(name), line: range ? lineAt(counter, range[0]) : 2 }
  })
  return { keys, value: value as Record<string, unknown>, body, lineOf }
}
