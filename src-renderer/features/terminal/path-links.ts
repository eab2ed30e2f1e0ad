/** Finds what looks like a place in a file in a line of terminal output. Pure; whether the file exists is asked later. */

export interface PathMatch {
  /** As written, without the place. */
  readonly path: string
  readonly line: number | undefined
  readonly column: number | undefined
  /** [start, end) in UTF-16 units of the text. */
  readonly start: number
  readonly end: number
}

const MAX_LINE = 4000
const MAX_MATCHES = 20
/** Python's and others': `File "a.py", line 3`. */
const quoted = /["']([^"'\n]{1,500})["'],? (?:on )?line (\d{1,7})(?:,? col(?:umn)? (\d{1,7}))?/g
/** A path, then `:3:4`, `(3,4)`, `[3, 4]` or nothing. */
const plain =
  /((?:file:\/\/|[A-Za-z]:(?=[\\/]))?[\w.@+~%=#\\/-]*[\w@+~%=#-])(?::(\d{1,7})(?::(\d{1,7}))?|[([](\d{1,7})(?:, ?(\d{1,7}))?[)\]])?/g
const urls = /\b(?!file:)[a-z][a-z0-9+.-]*:\/\/\S+/gi

export function findPaths(text: string): PathMatch[] {
  const line = text.slice(0, MAX_LINE).replace(urls, url => ' '.repeat(url.length))
  const found: PathMatch[] = []
  for (const match of line.matchAll(quoted)) {
    const [whole, path = '', at, column] = match
    found.push({ path, line: number(at), column: number(column), start: match.index, end: match.index + whole.length })
  }
  for (const match of line.matchAll(plain)) {
    if (found.length >= MAX_MATCHES) break
    const [whole, path = '', at, column, bracketAt, bracketColumn] = match
    const start = match.index
    const end = start + whole.length
    if (!isPathLike(path) || found.some(each => start < each.end && end > each.start)) continue
    found.push({ path, line: number(at ?? bracketAt), column: number(column ?? bracketColumn), start, end })
  }
  return found
}

const number = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text))

/** A version number, a domain's dots or a plain word is none. */
function isPathLike(path: string): boolean {
  if (/[\\/]/.test(path)) return !/^[\\/]+$/.test(path)
  return /^[\w@+~-][\w.@+~-]*\.[A-Za-z]\w{0,9}$/.test(path)
}

/** Where such a path points: absolute, from home, or from the folder the command ran in. Null for what is none of ours. */
export function absolutePath(path: string, cwd: string, home: string | null): string | null {
  const plainPath = path.startsWith('file://') ? decoded(path.slice(7)) : path
  if (/^[A-Za-z]:[\\/]/.test(plainPath)) return normal(plainPath.replaceAll('\\', '/'))
  if (plainPath.startsWith('/')) return normal(plainPath)
  if (plainPath.startsWith('~/')) return home ? normal(`${home}${plainPath.slice(1)}`) : null
  return normal(`${cwd.replaceAll('\\', '/')}/${plainPath.replaceAll('\\', '/')}`)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function normal(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return /^[A-Za-z]:$/.test(parts[0] ?? '') ? parts.join('/') : `/${parts.join('/')}`
}
