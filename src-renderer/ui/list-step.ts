/** Where a key leads in a list of rows of one height: the same keys in every list. */
import type { VirtualListHandle } from './virtual-list.tsx'

interface ListPlace {
  /** Index of the row in front; -1 for none. */
  readonly at: number
  readonly count: number
  readonly list: VirtualListHandle | null
  readonly rowPixels: number
}

/** Undefined for any other key. Only an arrow leads outside of the list, over one of its ends. */
export function listStep(key: string, { at, count, list, rowPixels }: ListPlace): number | undefined {
  const page = Math.max(1, Math.floor((list?.element?.clientHeight ?? 0) / rowPixels) - 1)
  switch (key) {
    case 'ArrowDown':
      return at + 1
    case 'ArrowUp':
      return at - 1
    case 'Home':
      return 0
    case 'End':
      return count - 1
    case 'PageDown':
      return Math.min(count - 1, at + page)
    case 'PageUp':
      return Math.max(0, at - page)
    default:
      return undefined
  }
}
