/** Whether something else stands where a file is to come back: a folder in its place, or a file where its folder was. */
import { lstat, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

/** `path`: below the root, with `/`. `goes`: such paths that make room before. */
export async function isInTheWay(root: string, path: string, goes: ReadonlySet<string>): Promise<boolean> {
  const names = path.split('/')
  for (let count = 1; count < names.length; count++) {
    const above = names.slice(0, count).join('/')
    const facts = await lstat(join(root, above)).catch(() => null)
    if (!facts) return false
    if (!facts.isDirectory()) return !goes.has(above)
  }
  const facts = await lstat(join(root, path)).catch(() => null)
  if (!facts?.isDirectory()) return facts !== null
  const entries = await readdir(join(root, path), { recursive: true, withFileTypes: true })
  const inside = entries.flatMap(entry =>
    entry.isDirectory() ? [] : relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'),
  )
  return inside.length === 0 || inside.some(each => !goes.has(each))
}
