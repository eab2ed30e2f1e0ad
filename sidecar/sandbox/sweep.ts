/**
 * After a command: protected places that came to be while it ran are taken out of the tree, before anything else of Belay's
 * looks at it. They are set aside, not deleted: whoever made them, a person can look.
 */
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { isHarmlessGitConfig } from './git-config.ts'

export interface SweepOptions {
  readonly root: string
  /** Protected places before the command and after it. */
  readonly before: ReadonlySet<string>
  readonly after: readonly string[]
  /** Where things are set aside: made when the first one is. */
  readonly aside: string
  /** What Belay itself was allowed to write there meanwhile. */
  expected(absolute: string): boolean
}

/** What was set aside, by the path at which it stood. Never throws: what cannot be moved is told all the same. */
export function sweep({ root, before, after, aside, expected }: SweepOptions): string[] {
  return after
    .filter(path => !before.has(path) && !expected(path))
    .flatMap(path => offending(path))
    .filter(path => {
      try {
        setAside(path, join(aside, relative(root, path)))
      } catch {
        // Told below: a place that cannot be cleared is worth knowing of even more.
      }
      return true
    })
}

/** A new repository brings a configuration and sample hooks that start nothing: those stay. */
function offending(path: string): string[] {
  const facts = lstatSync(path, { throwIfNoEntry: false })
  if (!facts) return []
  const inGit = path.split(sep).slice(0, -1).includes('.git')
  if (!inGit) return [path]
  const name = basename(path)
  if (name === 'hooks' && facts.isDirectory())
    return readdirSync(path)
      .filter(hook => !hook.endsWith('.sample'))
      .map(hook => join(path, hook))
  if (name === 'config' && facts.isFile() && facts.size < 100_000)
    return isHarmlessGitConfig(readFileSync(path, 'utf8')) ? [] : [path]
  // `worktrees/x/gitdir` and its like are what `git worktree add` writes; in the repository's own folder they lead elsewhere.
  const linked = /\/\.git\/worktrees\/[^/]+\/(?:commondir|gitdir)$/.test(path.split(sep).join('/'))
  return linked ? [] : [path]
}

function setAside(path: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
  try {
    renameSync(path, to)
  } catch {
    // Another file system. Links are moved as links.
    cpSync(path, to, { recursive: true, verbatimSymlinks: true, force: true })
    rmSync(path, { recursive: true, force: true })
  }
}
