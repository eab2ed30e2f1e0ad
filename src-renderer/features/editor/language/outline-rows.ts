/** The outline as rows: a tree of symbols without what is folded, or all that match a few letters with what they are in. Pure. */
import type { DocumentSymbol } from '#contract/language-editor'

export interface OutlineRow {
  readonly id: string
  readonly symbol: DocumentSymbol
  /** From 0. */
  readonly depth: number
  /** Null: nothing is in it. */
  readonly expanded: boolean | null
}

export function outlineRows(
  symbols: readonly DocumentSymbol[],
  folded: ReadonlySet<string>,
  query: string,
): OutlineRow[] {
  const typed = query.trim().toLowerCase()
  const below = (list: readonly DocumentSymbol[], depth: number, within: string): OutlineRow[] =>
    list.flatMap((symbol, index) => {
      // Names repeat (overloads); their order stays while a text is edited.
      const id = `${within}/${symbol.name}#${list.slice(0, index).filter(({ name }) => name === symbol.name).length}`
      const expanded = symbol.children.length === 0 ? null : typed !== '' || !folded.has(id)
      const inside = expanded ? below(symbol.children, depth + 1, id) : []
      const matches = symbol.name.toLowerCase().includes(typed)
      return matches || inside.length > 0 ? [{ id, symbol, depth, expanded }, ...inside] : []
    })
  return below(symbols, 0, '')
}
