/** The files of a folder that is not trusted: read by Belay itself, since nothing is started there. Slower than ripgrep, the same answer. */
import { readdir } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { IgnoreRules } from './ignore.ts'
import { defaultLeftOut } from './left-out.ts'

/** Paths relative to the root, with `/`, at most `most`. Links are not followed; what cannot be read is left out. */
export async function walkFiles(
  root: string,
  rules: IgnoreRules,
  most: number,
  signal: AbortSignal,
): Promise<string[]> {
  const files: string[] = []
  const folders = ['']
  for (let below = folders.pop(); below !== undefined; below = folders.pop()) {
    if (signal.aborted || files.length >= most) break
    const entries = await readdir(join(root, below), { withFileTypes: true }).catch(() => [])
    const all = entries.map(entry => ({ name: entry.name, isFolder: entry.isDirectory(), isFile: entry.isFile() }))
    const seen = all.filter(({ name }) => !defaultLeftOut.hidden.has(name))
    const ignored = await rules.mark(join(root, below), seen)
    for (const [at, { name, isFolder, isFile }] of seen.entries()) {
      if (ignored[at]) continue
      if (isFolder) folders.push(join(below, name))
      else if (isFile && files.length < most) files.push(join(below, name).split(sep).join('/'))
    }
  }
  return files
}
