/** Makes few changes of many, without knowing the disk: what happened to one path becomes one word. Pure. */

export type ChangeWord = 'created' | 'changed' | 'deleted' | 'overflow'

export interface RawChange {
  readonly absolute: string
  readonly change: ChangeWord
  readonly folder: boolean
}

/** What two words about one path amount to; null: it came and went within the window. */
export function merged(old: ChangeWord | undefined, next: ChangeWord): ChangeWord | null {
  if (old === undefined || old === next) return next
  if (old === 'overflow' || next === 'overflow') return 'overflow'
  if (old === 'created') return next === 'deleted' ? null : 'created'
  if (old === 'deleted' && next === 'changed') return 'deleted'
  return next
}

export interface Coalescer {
  put(absolute: string, change: ChangeWord): void
  /**
   * Takes everything at once: a change put meanwhile belongs to the next drain. `vanished` came and went; `replaced`, among the
   * created, went before it came again, perhaps as something else.
   */
  drain(): { changes: Map<string, ChangeWord>; vanished: Set<string>; replaced: Set<string> }
  readonly size: number
}

export function createCoalescer(): Coalescer {
  let changes = new Map<string, ChangeWord>()
  let vanished = new Set<string>()
  let replaced = new Set<string>()
  return {
    put(absolute, change) {
      const old = changes.get(absolute)
      const sum = merged(old, change)
      if ((sum === 'created' && old === 'deleted') || (change !== 'deleted' && vanished.has(absolute)))
        replaced.add(absolute)
      if (sum === null) {
        changes.delete(absolute)
        vanished.add(absolute)
        return
      }
      changes.set(absolute, sum)
      vanished.delete(absolute)
    },
    drain() {
      const taken = { changes, vanished, replaced }
      changes = new Map()
      vanished = new Set()
      replaced = new Set()
      return taken
    },
    get size() {
      return changes.size + vanished.size
    },
  }
}

/** More changes than this are not worth telling one by one. */
export const MOST_CHANGES = 1000
/** More than this in one folder and the folder is listed again instead. */
export const MOST_IN_A_FOLDER = 100

const above = (absolute: string, sep: string): string => absolute.slice(0, Math.max(0, absolute.lastIndexOf(sep)))

/**
 * In the order they are to be applied: deletes deepest first, then changes, then creates shallowest first, then overflows.
 * What lies below a deleted or overflown folder is not told again; large batches become `overflow` of folders, at last of `root`.
 */
export function condensed(changes: readonly RawChange[], root: string, sep: string): RawChange[] {
  let rest = withoutBelow(changes, sep)
  if (rest.length > MOST_CHANGES) rest = withoutBelow([...rest, ...crowdedFolders(rest, root, sep)], sep)
  if (rest.length > MOST_CHANGES) return [{ absolute: root, change: 'overflow', folder: true }]
  return rest.sort(inOrder(sep))
}

function crowdedFolders(changes: readonly RawChange[], root: string, sep: string): RawChange[] {
  const counts = new Map<string, number>()
  for (const { absolute } of changes) {
    const folder = above(absolute, sep)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([folder, count]) => count > MOST_IN_A_FOLDER && folder.length >= root.length)
    .map(([absolute]) => ({ absolute, change: 'overflow', folder: true }))
}

/** Where something went and came again, what is told to have come below it has come after: only its deletes are covered. */
function withoutBelow(changes: readonly RawChange[], sep: string): RawChange[] {
  const named = (change: ChangeWord) =>
    new Set(changes.filter(each => each.change === change).map(each => each.absolute))
  const [deleted, created, overflown] = [named('deleted'), named('created'), named('overflow')]
  const covered = ({ absolute, change }: RawChange): boolean => {
    for (let at = above(absolute, sep); at !== ''; at = above(at, sep))
      if (overflown.has(at) || (deleted.has(at) && (change === 'deleted' || !created.has(at)))) return true
    return false
  }
  return changes.filter(each => !covered(each) && (each.change === 'overflow' || !overflown.has(each.absolute)))
}

const rank: Record<ChangeWord, number> = { deleted: 0, changed: 1, created: 2, overflow: 3 }

function inOrder(sep: string) {
  const depth = (each: RawChange) => each.absolute.split(sep).length
  return (a: RawChange, b: RawChange): number =>
    rank[a.change] - rank[b.change] ||
    (a.change === 'deleted' ? depth(b) - depth(a) : depth(a) - depth(b)) ||
    (a.absolute < b.absolute ? -1 : 1)
}
