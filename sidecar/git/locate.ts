/** Where the repository of a folder lies, found by names and small files alone: nothing runs. */
import { readFile, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'

export interface Place {
  /** The top of the work tree. */
  readonly top: string
  /** Of this worktree: HEAD, the index, what is in progress. */
  readonly gitDir: string
  /** Of all worktrees: refs, objects, configuration. */
  readonly commonDir: string
}

export type Located =
  | ({ readonly standing: 'ready' } & Place)
  | { readonly standing: 'none' }
  | { readonly standing: 'bare' | 'broken'; readonly note: string }

const isFolder = (at: string) =>
  stat(at).then(
    facts => facts.isDirectory(),
    () => false,
  )

/** As git does: the first folder upwards that has a `.git`; what only looks like one is passed over, as git passes it over. */
export async function locate(from: string): Promise<Located> {
  for (let at = from; ; at = dirname(at)) {
    const here = join(at, '.git')
    const facts = await stat(here).catch(() => null)
    if (facts?.isDirectory() && (await isGitDir(here)))
      return { standing: 'ready', top: at, gitDir: here, commonDir: await commonOf(here) }
    if (facts?.isFile()) return pointed(at, here)
    if (await isGitDir(at))
      return {
        standing: 'bare',
        note: 'This is a bare repository: it has no files to work on. Clone it, or add a worktree, and open that.',
      }
    if (dirname(at) === at) return { standing: 'none' }
  }
}

const isGitDir = async (at: string): Promise<boolean> => {
  if (!(await stat(join(at, 'HEAD')).catch(() => null))) return false
  const common = await commonOf(at)
  return (await isFolder(join(common, 'objects'))) && (await isFolder(join(common, 'refs')))
}

async function commonOf(gitDir: string): Promise<string> {
  const text = await readFile(join(gitDir, 'commondir'), 'utf8').catch(() => '')
  return text.trim() === '' ? gitDir : resolve(gitDir, text.trim())
}

/** A worktree or a submodule: a small file names the folder. */
async function pointed(top: string, file: string): Promise<Located> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const named = /^gitdir: (.+?)\r?\n?$/s.exec(text)?.[1]
  if (!named || text.length > 10_000)
    return { standing: 'broken', note: `${file} does not say where its repository lies, so git cannot be used here.` }
  const gitDir = resolve(top, named)
  if (!(await isGitDir(gitDir)))
    return {
      standing: 'broken',
      note: `This folder’s repository is said to be in ${gitDir}, where there is none. If it was moved, run “git worktree repair” there, or clone again.`,
    }
  return { standing: 'ready', top, gitDir, commonDir: await commonOf(gitDir) }
}

/**
 * Between names in the repository (from its top) and paths on the wire (from the root); either may lie above the other. Null
 * where a name lies outside the root.
 */
export function translation(root: string, top: string): { strip: string; add: string } {
  const slashed = (path: string) => (path === '' ? '' : `${path.split(sep).join('/')}/`)
  const down = relative(top, root)
  if (down === '') return { strip: '', add: '' }
  return down.startsWith('..') ? { strip: '', add: slashed(relative(root, top)) } : { strip: slashed(down), add: '' }
}
