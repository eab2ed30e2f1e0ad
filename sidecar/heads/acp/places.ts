/** Files as ACP names them (absolute paths, file: addresses) and as the wire does. */
import { isAbsolute, join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { AnyPath, WirePath } from '#contract/path'
import type { Root } from '#contract/workspace'

export interface Places {
  absolute(path: WirePath): string
  /** A path as a model writes it: relative to the first root, or absolute. */
  written(path: string): string
  /** Null for what is no file of this machine. */
  wire(uri: string): AnyPath | null
}

export function placesIn(roots: readonly Root[]): Places {
  const first = roots[0]?.absolute ?? sep
  return {
    absolute({ rootId, path }) {
      const root = roots.find(each => each.rootId === rootId)?.absolute ?? first
      return path === '' ? root : join(root, ...path.split('/'))
    },
    written: path => (isAbsolute(path) ? path : join(first, path)),
    wire(uri) {
      const file = fileOf(uri)
      if (file === null) return null
      const inside = roots
        .map(root => ({ root, path: relative(root.absolute, file) }))
        .filter(({ path }) => path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path))
        .sort((a, b) => a.path.length - b.path.length)[0]
      if (inside) return { rootId: inside.root.rootId, path: inside.path.split(sep).join('/') }
      return { uri: pathToFileURL(file).href }
    },
  }
}

function fileOf(uri: string): string | null {
  if (isAbsolute(uri)) return uri
  try {
    return new URL(uri).protocol === 'file:' ? fileURLToPath(uri) : null
  } catch {
    return null
  }
}
