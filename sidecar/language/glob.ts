/** The globs of the protocol on absolute paths. Made once for each pattern; a pattern that cannot be read matches nothing. */
import picomatch from 'picomatch'

const made = new Map<string, (path: string) => boolean>()
const MOST = 500

export function matchesGlob(pattern: string, path: string): boolean {
  let matches = made.get(pattern)
  if (!matches) {
    matches = matcherOf(pattern)
    if (made.size >= MOST) made.clear()
    made.set(pattern, matches)
  }
  return matches(process.platform === 'win32' ? path.replaceAll('\\', '/') : path)
}

function matcherOf(pattern: string): (path: string) => boolean {
  try {
    return picomatch(pattern, { dot: true, nocase: process.platform === 'win32' })
  } catch {
    return () => false
  }
}
