/** What a tab keeps through a reload: in its history entry, not in `sessionStorage`, which the page would wait for. */

type Kept = Readonly<Record<string, unknown>>

/** Undefined for what was never kept. */
export const keptInTab = (key: string): unknown => (history.state as Kept | null)?.[key]

export const keepInTab = (key: string, value: unknown): void =>
  history.replaceState({ ...(history.state as Kept | null), [key]: value }, '')
