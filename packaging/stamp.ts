/** Which sources a package was made of: the commit and its date. Never the clock, so that the same sources make the same package. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { BuildStamp } from '../sidecar/supervise/build-stamp.ts'

/** The date is SOURCE_DATE_EPOCH where that is set, else the commit's; null: nobody says. */
export function stamp(root = join(import.meta.dirname, '..'), env: NodeJS.ProcessEnv = process.env): BuildStamp {
  const git = (...args: string[]): string | null => {
    try {
      return execFileSync('git', args, {
        cwd: root,
        encoding: 'utf8',
        timeout: 10_000,
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim()
    } catch {
      return null
    }
  }
  const commit = git('rev-parse', '--short=12', 'HEAD')
  const differs = commit !== null && git('status', '--porcelain', '--untracked-files=no') !== ''
  const seconds = Number(env.SOURCE_DATE_EPOCH || git('log', '-1', '--format=%ct') || Number.NaN)
  return {
    commit: commit && `${commit}${differs ? '+' : ''}`,
    date: Number.isFinite(seconds) ? new Date(seconds * 1000).toISOString() : null,
  }
}
