/** Folders that somebody looks at through a link: what changes where it leads changes at the link's place too, and no watcher tells so. */
import { parentPath, pathKey, type WirePath } from '#contract/path'
import type { PathChange } from '#contract/workspace'

/** The latest ones. */
const MOST_LINKED = 200

export interface Linked {
  /** `path` was listed, and is `real` in truth. */
  listed(path: WirePath, real: WirePath): void
  /** Places to list again, besides what is told. */
  through(changes: readonly PathChange[]): PathChange[]
}

export function createLinked(): Linked {
  /** By the key of the place seen. */
  const places = new Map<string, { path: WirePath; real: WirePath }>()
  return {
    listed(path, real) {
      const key = pathKey(path)
      places.delete(key)
      if (key === pathKey(real)) return
      places.set(key, { path, real })
      for (const oldest of places.keys()) {
        if (places.size <= MOST_LINKED) break
        places.delete(oldest)
      }
    },
    through(changes) {
      if (places.size === 0) return []
      const inside = new Set(changes.map(({ path }) => pathKey({ ...path, path: parentPath(path.path) })))
      const whole = changes
        .filter(({ change }) => change === 'overflow' || change === 'deleted')
        .map(({ path }) => path)
      return [...places.values()]
        .filter(({ real }) => inside.has(pathKey(real)) || whole.some(above => isWithin(real, above)))
        .map(({ path }): PathChange => ({ path, change: 'overflow', folder: true }))
    },
  }
}

const isWithin = (path: WirePath, above: WirePath): boolean =>
  path.rootId === above.rootId &&
  (above.path === '' || path.path === above.path || path.path.startsWith(`${above.path}/`))
