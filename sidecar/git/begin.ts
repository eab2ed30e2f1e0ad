/** Where there is no repository yet: making one of the root; and which folders below it are repositories of their own. */
import type { Dirent } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { locate } from './locate.ts'
import { refusalOf, refuse } from './refusal.ts'
import type { RepositorySetup } from './repository.ts'
import { runGit } from './run.ts'
import type { Outcome } from './verbs.ts'

export async function initRepository(setup: RepositorySetup, branch: string): Promise<Outcome> {
  const what = 'No repository was made'
  const cwd = setup.root.absolute
  const here = await locate(cwd)
  if (here.standing === 'ready' && here.top === cwd)
    return refuse('exists', `${what}: this folder is one already.`, ['refresh'])
  if (here.standing === 'broken') return refuse('exists', `${what}: ${here.note}`, ['terminal'])
  const at = { cwd, ceiling: dirname(cwd), env: setup.env, ledger: setup.ledger, signal: setup.signal }
  const isName =
    !branch.startsWith('-') && (await runGit('read', ['check-ref-format', `refs/heads/${branch}`], at)).code === 0
  if (!isName) return refuse('name', `${what}: git does not take that name for a branch.`, ['chooseName'])
  const result = await runGit('index', ['init', '--quiet', `--initial-branch=${branch}`], at)
  return result.code === 0 ? { ok: true } : refusalOf(null, what, result)
}

const DEEPEST = 6
const MOST_FOLDERS = 20_000
const skipped = new Set(['node_modules', '.git', 'target', 'venv', '.venv', '__pycache__', 'dist', 'build'])

/** Level by level, never through a link. */
export async function findRepositories(
  root: string,
): Promise<{ folders: { inside: string; submodule: boolean }[]; truncated: boolean }> {
  const folders: { inside: string; submodule: boolean }[] = []
  let level = ['']
  let looked = 0
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth++) {
    const next: string[] = []
    for (const inside of level) {
      if (++looked > MOST_FOLDERS) return { folders, truncated: true }
      const entries = await readdir(join(root, inside), { withFileTypes: true }).catch((): Dirent[] => [])
      const own = entries.find(entry => entry.name === '.git')
      if (own && inside !== '') folders.push({ inside, submodule: await isSubmodule(join(root, inside), own) })
      for (const entry of entries)
        if (entry.isDirectory() && !skipped.has(entry.name))
          next.push(inside === '' ? entry.name : `${inside}/${entry.name}`)
    }
    level = next
  }
  return { folders, truncated: level.length > 0 }
}

async function isSubmodule(folder: string, own: Dirent): Promise<boolean> {
  if (!own.isFile()) return false
  return /^gitdir: .*[/\\]modules[/\\]/.test(await readFile(join(folder, '.git'), 'utf8').catch(() => ''))
}
