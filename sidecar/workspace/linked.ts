/**
 * What is seen through links: where a folder was listed through one, and what the links of listed folders lead to. A change where
 * they lead changes the link's place too, and no watcher tells so.
 */
import { parentPath, pathKey, type WirePath } from '#contract/path'
import type { PathChange } from '#contract/workspace'

/** The latest ones. */
const MOST_FOLDERS = 200
const MOST_LINKS = 500

export interface Linked {
  /** `path` was listed, and is `real` in truth. */
  listed(path: WirePath, real: WirePath): void
  /** The links of a folder lead there, whether something is there or not. */
  links(folder: WirePath, targets: readonly WirePath[]): void
  /** Places to list again, besides what is told. */
  through(changes: readonly PathChange[]): PathChange[]
}

export function createLinked(): Linked {
  /** Folders seen through a link, by the key of the place seen. */
  const places = new Map<string, { path: WirePath; real: WirePath }>()
  /** Folders with links in them, by their key. */
  const holders = new Map<string, { folder: WirePath; targets: readonly WirePath[] }>()
  return {
    listed(path, real) {
      const key = pathKey(path)
      places.delete(key)
      if (key !== pathKey(real)) places.set(key, { path, real })
      forgetOldest(places)
    },
    links(folder, targets) {
      const key = pathKey(folder)
      holders.delete(key)
      if (targets.length > 0) holders.set(key, { folder, targets: targets.slice(0, MOST_LINKS) })
      forgetOldest(holders)
    },
    through(changes) {
      if (places.size === 0 && holders.size === 0) return []
      const inside = new Set(changes.map(({ path }) => pathKey({ ...path, path: parentPath(path.path) })))
      const whole = changes
        .filter(({ change }) => change === 'overflow' || change === 'deleted')
        .map(({ path }) => path)
      const cameOrWent = changes.filter(({ change, folder }) => change !== 'changed' || folder).map(({ path }) => path)
      const seen = [...places.values()]
        .filter(({ real }) => inside.has(pathKey(real)) || whole.some(above => isWithin(real, above)))
        .map(({ path }) => path)
      const holding = [...holders.values()]
        .filter(({ targets }) => cameOrWent.some(path => targets.some(target => isWithin(target, path))))
        .map(({ folder }) => folder)
      const all = new Map([...seen, ...holding].map(path => [pathKey(path), path]))
      return [...all.values()].map((path): PathChange => ({ path, change: 'overflow', folder: true }))
    },
  }
}

function forgetOldest(all: Map<string, unknown>): void {
  for (const oldest of all.keys()) {
    if (all.size <= MOST_FOLDERS) return
    all.delete(oldest)
  }
}

const isWithin = (path: WirePath, above: WirePath): boolean =>
  path.rootId === above.rootId &&
  (above.path === '' || path.path === above.path || path.path.startsWith(`${above.path}/`))
