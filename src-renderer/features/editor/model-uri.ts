/** What a file's text is called among Monaco's models, and which file such a name means. */
import type { Uri } from 'monaco-editor/editor'
import type { AnyPath, OutsidePath, WirePath } from '#contract/path'

const SCHEME = 'belay'

/** Its path is the file's own, for what shows it. Which root, or the whole address of a file outside them, goes along as it is. */
export function modelUri({ from }: Pick<typeof Uri, 'from'>, path: AnyPath): Uri {
  if ('uri' in path) return from({ scheme: SCHEME, path: shownPath(path), query: path.uri })
  return from({ scheme: SCHEME, path: `/${path.path}`, query: path.rootId })
}

/** Null for what is no file's: the two sides of a diff, a part of a file. */
export function pathOfUri({ scheme, path, query }: Pick<Uri, 'scheme' | 'path' | 'query'>): AnyPath | null {
  if (scheme !== SCHEME) return null
  if (/^[a-z]+:/.test(query)) return { uri: query }
  return { rootId: query as WirePath['rootId'], path: path.slice(1) }
}

function shownPath({ uri }: OutsidePath): string {
  const path = uri.replace(/^[a-z]+:(\/\/[^/]*)?/, '')
  try {
    return `/${decodeURIComponent(path).replace(/^\/+/, '')}`
  } catch {
    return '/'
  }
}
