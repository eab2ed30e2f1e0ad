/** Files by a few letters of their path: one list a root, made by ripgrep, kept true by what the watcher tells. */
import { join, sep } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import type { ChildLedger } from '../base/process-group.ts'
import type { RawChange } from './coalesce.ts'
import type { IgnoreRules } from './ignore.ts'
import { lazySorted } from './lazy-sort.ts'
import type { LeftOut } from './left-out.ts'
import { relativeBelow } from './paths.ts'
import { createRankedFiles, type Ranked, type RankedFiles } from './rank-files.ts'
import { ruleArguments, runRipgrep } from './ripgrep.ts'
import { walkFiles } from './walk.ts'

/** Files above this number are not listed: the finder says how many there are, and finds among these. */
const MOST_FILES = 500_000
/** Without live changes the list is made anew when it is older. */
const UNWATCHED_MS = 5000

export interface FileIndex {
  find(query: string, limit: number): Promise<{ files: Ranked[]; total: number }>
  /** All paths, relative with `/`, in no order. */
  all(): Promise<string[]>
  changed(changes: readonly RawChange[]): Promise<void>
  dispose(): void
}

export interface FileIndexOptions {
  root: string
  env: NodeJS.ProcessEnv
  ledger?: ChildLedger
  rules: IgnoreRules
  leftOut: LeftOut
  /** What belongs to a root inside this one, as paths relative to it with `/`: that root finds it. */
  inner: readonly string[]
  /** Without trust nothing is started there, not even ripgrep. */
  trusted(): boolean
  /** Changes are told: the list stays true by itself. */
  watched(): boolean
}

export function createFileIndex(options: FileIndexOptions): FileIndex {
  const { root } = options
  const end = new AbortController()
  let files: RankedFiles | null = null
  let madeAt = 0
  let making: Promise<RankedFiles> | null = null
  /** Counts what changed while a list was being made. */
  let age = 0

  const listWithRipgrep = async (): Promise<string[]> => {
    const paths: string[] = []
    await runRipgrep({
      args: [...ruleArguments, '--files', '--null', ...options.leftOut.globs],
      cwd: root,
      env: options.env,
      ledger: options.ledger,
      signal: end.signal,
      timeoutMs: 60_000,
      separator: '\0',
      onRecord: record => paths.push(sep === '\\' ? record.split(sep).join('/') : record) < MOST_FILES,
    })
    return paths
  }
  const listAll = () => (options.trusted() ? listWithRipgrep() : walkFiles(root, options.rules, MOST_FILES, end.signal))

  const isOurs = (path: string) => !options.inner.some(inner => path === inner || path.startsWith(`${inner}/`))

  const make = async (): Promise<RankedFiles> => {
    const ageBefore = age
    const paths = (await listAll()).filter(isOurs)
    const made = createRankedFiles()
    for (let at = 0; at < paths.length; at++) {
      made.add(paths[at] ?? '')
      if (at % 20_000 === 19_999) await breathe()
    }
    // What changed meanwhile may be missing: this list serves the one who asked, the next asks again.
    files = age === ageBefore ? made : null
    madeAt = Date.now()
    return made
  }
  const current = (): Promise<RankedFiles> => {
    if (files && (options.watched() || Date.now() - madeAt < UNWATCHED_MS)) return Promise.resolve(files)
    making ??= make().finally(() => {
      making = null
    })
    return making
  }
  const stale = () => {
    files = null
    age += 1
  }

  return {
    async find(query, limit) {
      const now = await current()
      const wanted = query.trim().replaceAll('\\', '/')
      if (wanted === '') {
        const some = lazySorted([...now.paths()], (a, b) => (a < b ? -1 : a > b ? 1 : 0)).slice(0, limit)
        return { files: some.map(path => ({ path, positions: [], score: 0 })), total: now.size }
      }
      return now.rank(wanted, limit)
    },
    async all() {
      return [...(await current()).paths()]
    },
    async changed(changes) {
      age += 1
      if (!files) return
      if (changes.some(each => each.change === 'overflow' || each.absolute.endsWith(`${sep}.gitignore`))) return stale()
      for (const { absolute, change, folder } of changes) {
        const below = relativeBelow(root, absolute)?.split(sep).join('/')
        if (!below || !isOurs(below)) continue
        if (change === 'deleted') files.drop(below)
        // What became something else at once may be told as changed only.
        else if (change === 'changed' && folder && files.has(below)) return stale()
        else if (!folder && !files.has(below)) {
          if (await options.rules.ignored(join(root, ...below.split('/')), false)) continue
          if (change === 'changed') files?.drop(below)
          files?.add(below)
        }
        if (!files) return
      }
    },
    dispose: () => end.abort(),
  }
}
