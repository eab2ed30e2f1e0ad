/** One root with all that looks after it: watch, list of files, ignore rules. Made anew when what it rests on changed. */
import { lstat } from 'node:fs/promises'
import { dirname, sep } from 'node:path'
import type { PathChange, Root } from '#contract/workspace'
import type { Log } from '../base/log.ts'
import type { ChildLedger } from '../base/process-group.ts'
import { createSerial } from '../base/serial.ts'
import { condensed, type RawChange } from './coalesce.ts'
import { createFileIndex, type FileIndex } from './find.ts'
import { createIgnoreRules, type IgnoreRules } from './ignore.ts'
import type { LeftOut } from './left-out.ts'
import { kindAt } from './listing.ts'
import { relativeBelow } from './paths.ts'
import { createWatch, type Watch } from './watch.ts'

export interface Rooted {
  readonly root: Root
  readonly rules: IgnoreRules
  readonly index: FileIndex
  readonly watch: Watch
  /** Belay itself changed these (absolute, those of other roots are passed over): told at once. Never rejects. */
  touched(absolutes: readonly string[]): Promise<void>
  dispose(): Promise<void>
}

export interface RootedSetup {
  root: Root
  /** Roots inside this one, as paths relative to it with `/`: their files are found there. */
  inner: readonly string[]
  leftOut: LeftOut
  trusted(): boolean
  /** No window shows it (yet). */
  unseen?: boolean | undefined
  env: NodeJS.ProcessEnv
  ledger?: ChildLedger | undefined
  log: Log
  isPlaceholder(absolute: string): boolean
  /** Hints of one batch, in the order they are to be applied. */
  onChanged(changes: PathChange[], absolutes: string[]): void
  /** How changes are learnt of is different now. */
  onState(): void
}

export function createRooted(setup: RootedSetup): Rooted {
  const { root, log, leftOut, trusted, env, ledger } = setup
  const telling = createSerial()
  let ended = false

  const onChanges = (found: readonly RawChange[]): Promise<void> =>
    telling(async () => {
      const changes = withRulesChanged(found)
      if (changes.length > found.length) rules.forget()
      const facts = await Promise.all(changes.map(factsOf))
      const told = facts.filter(each => each !== null)
      if (told.length === 0 || ended) return
      setup.onChanged(
        told,
        changes.map(each => each.absolute),
      )
      void index.changed(changes.map((each, at) => (isFound(facts[at]) ? each : { ...each, change: 'deleted' })))
    })
  /** Null outside the root. What went away meanwhile is told as gone. */
  const factsOf = async ({ absolute, change, folder }: RawChange): Promise<PathChange | null> => {
    const below = relativeBelow(root.absolute, absolute)
    if (below === null) return null
    const path = { rootId: root.rootId, path: below.split(sep).join('/') }
    if (change === 'deleted' || change === 'overflow' || below === '') return { path, change, folder }
    const kind = await kindAt(absolute).catch(() => null)
    if (kind === null) return { path, change: 'deleted', folder }
    return { path, change, folder, kind, ignored: await rules.ignored(absolute, kind === 'folder') }
  }

  const rules = createIgnoreRules(root.absolute, leftOut)
  const watch = createWatch({
    root: root.absolute,
    log,
    leftOut,
    unseen: setup.unseen,
    skip: setup.isPlaceholder,
    onChanges: changes => void onChanges(changes),
    onState: setup.onState,
  })
  const watched = () => watch.watching === 'native'
  const index = createFileIndex({
    root: root.absolute,
    ...{ env, ledger, rules, leftOut, inner: setup.inner, trusted, watched },
  })

  return {
    root,
    rules,
    index,
    watch,
    async touched(absolutes) {
      const ours = absolutes.filter(absolute => relativeBelow(root.absolute, absolute) !== null)
      if (ours.length > 0) await onChanges(condensed(await Promise.all(ours.map(changeOf)), root.absolute, sep))
    },
    async dispose() {
      ended = true
      await watch.dispose()
      index.dispose()
    },
  }
}

/** Links and devices are not among the files that are found; what became one goes. */
const isFound = (facts: PathChange | null | undefined): boolean =>
  facts?.kind === undefined || facts.kind === 'file' || facts.kind === 'folder'

const changeOf = (absolute: string): Promise<RawChange> =>
  lstat(absolute).then(
    (facts): RawChange => ({ absolute, change: 'created', folder: facts.isDirectory() }),
    (): RawChange => ({ absolute, change: 'deleted', folder: false }),
  )

/** Other rules for what is ignored change how a whole folder looks. */
function withRulesChanged(changes: readonly RawChange[]): RawChange[] {
  const ruled = changes.filter(each => each.absolute.endsWith(`${sep}.gitignore`))
  return [
    ...changes,
    ...ruled.map((each): RawChange => ({ absolute: dirname(each.absolute), change: 'overflow', folder: true })),
  ]
}
