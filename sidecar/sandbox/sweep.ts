/**
 * After a command: protected places that came to be while it ran are taken out of the tree, before anything else of Belay's
 * looks at it. They are set aside, not deleted: a person says whether they come back.
 */
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import { isHarmlessGitConfig } from './git-config.ts'

export interface SweepOptions {
  /** Protected places before the command and after it. */
  readonly before: ReadonlySet<string>
  readonly after: readonly string[]
  /** What Belay itself was allowed to write there meanwhile. */
  expected(absolute: string): boolean
  /** Sets one aside; null where it cannot be. Never throws. */
  take(path: string): string | null
}

/** What came to be, by the path at which it stood: `aside` is null where it could not be taken away, which is told all the same. */
export function sweep({ before, after, expected, take }: SweepOptions): { path: string; aside: string | null }[] {
  return after
    .filter(path => !before.has(path) && !expected(path))
    .flatMap(path => offending(path))
    .map(path => ({ path, aside: take(path) }))
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
