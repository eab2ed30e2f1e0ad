/** The symbols of one text: for Monaco, and for the outline and the path above the text. */
import type { CancellationToken, editor, languages } from 'monaco-editor/editor'
import type { DocumentSymbol } from '#contract/language-editor'
import { belay } from '../../../client/index.ts'
import { ask } from './ask.ts'
import { toRange } from './position.ts'

interface Known {
  readonly version: number
  readonly symbols: readonly DocumentSymbol[]
}
const known = new WeakMap<editor.ITextModel, Known>()

/** Null: not now. What was answered for a text as it is is not asked for again, unless `anew`. */
export async function symbolsOf(
  model: editor.ITextModel,
  token?: CancellationToken,
  anew = false,
): Promise<readonly DocumentSymbol[] | null> {
  const version = model.getVersionId()
  const before = known.get(model)
  if (before?.version === version && !anew) return before.symbols
  const found = await ask({ model, feature: 'symbols', token }, (about, options) =>
    belay.language.symbols(about, options),
  )
  if (!found) return null
  known.set(model, { version, symbols: found.symbols })
  return found.symbols
}

export const symbolProvider: languages.DocumentSymbolProvider = {
  async provideDocumentSymbols(model, token) {
    const symbols = await symbolsOf(model, token)
    return symbols?.map(toSymbol) ?? null
  },
}

const DEPRECATED = 1

/** The protocol's kinds count from 1, Monaco's from 0, in the same order. */
const toSymbol = ({
  name,
  detail,
  kind,
  deprecated,
  range,
  selection,
  children,
}: DocumentSymbol): languages.DocumentSymbol => ({
  name,
  detail,
  kind: kind - 1,
  tags: deprecated ? [DEPRECATED] : [],
  range: toRange(range),
  selectionRange: toRange(selection),
  children: children.map(toSymbol),
})
