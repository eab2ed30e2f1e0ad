/** The stores of all roots: started when somebody needs one, and at rest when nobody has for a while. */
import { existsSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { toFault } from '#contract/error'
import type { WirePath } from '#contract/path'
import type { Root } from '#contract/workspace'
import { createEmitter, type Emitter } from '../base/emitter.ts'
import type { Log } from '../base/log.ts'
import { DAY_MS, type Limits } from './prune.ts'
import { nameRoot } from './retention.ts'
import type { RunningStore } from './thread.ts'

export interface RootStoresOptions {
  /** Below Belay's data. */
  readonly folder: string
  /** Absolute folders that are not looked at: all of Belay's data, wherever it lies, and other roots. */
  leaveOut(root: RootAt): readonly string[]
  /** Names that the person adds to those that are left out everywhere, or takes off them. */
  leftOut(): { allow: readonly string[]; extra: readonly string[] }
  /** As they are when a store starts. */
  limits(): Limits
  readonly instanceId: string
  readonly log: Log
}

/** What tells a root from others. */
export type RootAt = Pick<Root, 'rootId' | 'absolute'>

export interface RootStores {
  use<T>(root: RootAt, work: (store: RunningStore) => Promise<T>): Promise<T>
  /** Keeps its store running until what it returns is called. */
  hold(root: RootAt): () => void
  /** Whether anything has been kept of it. */
  isKnown(root: RootAt): boolean
  /** Since when (ms since 1970) the disk takes nothing of it any more; null: it does. */
  fullSince(root: RootAt): number | null
  readonly lines: Emitter<WirePath[]>
  dispose(): Promise<void>
}

/** A store that nobody used for so long writes what is due and gives its memory back. */
const IDLE_MS = 60_000
/** How long the end of the process waits for what is due. */
const MOST_END_MS = 3000

interface Started {
  readonly store: Promise<RunningStore>
  timer: NodeJS.Timeout | undefined
  uses: number
}

/**
 * Of a root that nobody worked in for so long that all of it is too old. Counted from when anybody last worked anywhere: a clock
 * that is wrong for once costs nobody their past.
 */
async function forgetUnused(folder: string, { days }: Limits): Promise<void> {
  const names = (await readdir(folder).catch((): string[] => [])).filter(name => name.startsWith('root_'))
  const used = await Promise.all(
    names.map(async name => (await stat(join(folder, name, 'journal')).catch(() => null))?.mtimeMs ?? null),
  )
  const last = Math.min(Date.now(), Math.max(...used.map(each => each ?? 0)))
  for (const [at, name] of names.entries()) {
    const usedAt = used[at] ?? last
    if (usedAt < last - days * DAY_MS) await rm(join(folder, name), { recursive: true, force: true })
  }
}

export function createRootStores({ folder, instanceId, log, ...options }: RootStoresOptions): RootStores {
  const all = new Map<string, Started>()
  const ending = new Map<string, Promise<void>>()
  const lines = createEmitter<WirePath[]>(fault =>
    log('error', 'a listener of writes failed', { fault: String(fault) }),
  )
  const full = new Map<string, number>()
  const folderOf = (root: RootAt) => join(folder, root.rootId)
  let forgot = false
  const forgetOnce = () => {
    if (forgot) return
    forgot = true
    void forgetUnused(folder, options.limits()).catch(fault =>
      log('warn', 'old checkpoints were not removed', { fault: String(fault) }),
    )
  }

  const start = (root: RootAt): Started => {
    forgetOnce()
    const before = ending.get(root.rootId)
    const store = (async () => {
      await before
      const { startStore } = await import('./thread.ts')
      await nameRoot(folderOf(root), root.absolute).catch(fault =>
        log('warn', 'a folder of checkpoints was not named', { fault: String(fault) }),
      )
      return startStore({
        root: root.absolute,
        folder: folderOf(root),
        instanceId,
        leaveOut: options.leaveOut(root),
        leftOut: options.leftOut(),
        limits: options.limits(),
        onFull(since) {
          if (since === null) full.delete(root.rootId)
          else full.set(root.rootId, since)
          log('warn', since === null ? 'checkpoints are kept again' : 'checkpoints are not kept: the disk is full', {
            root: root.absolute,
          })
        },
        onLines: paths => lines.emit(paths.map(path => ({ rootId: root.rootId, path }))),
      })
    })()
    const started = { store, timer: undefined, uses: 0 }
    all.set(root.rootId, started)
    return started
  }
  const shut = (rootId: string, started: Started): Promise<void> => {
    if (all.get(rootId) === started) all.delete(rootId)
    const end = started.store.then(store => store.shut()).catch(() => {})
    ending.set(rootId, end)
    void end.then(() => ending.get(rootId) === end && ending.delete(rootId))
    return end
  }
  const take = (root: RootAt): { started: Started; release(): void } => {
    const started = all.get(root.rootId) ?? start(root)
    started.uses += 1
    clearTimeout(started.timer)
    const release = () => {
      started.uses -= 1
      if (started.uses > 0) return
      started.timer = setTimeout(() => void shut(root.rootId, started), IDLE_MS)
      started.timer.unref()
    }
    return { started, release }
  }

  return {
    lines,
    fullSince: root => full.get(root.rootId) ?? null,
    isKnown: root => all.has(root.rootId) || existsSync(join(folderOf(root), 'journal')),
    async use(root, work) {
      const { started, release } = take(root)
      try {
        return await work(await started.store)
      } catch (fault) {
        // Its thread has died: the next one who needs it starts another.
        if (toFault(fault).code === 'unavailable') void shut(root.rootId, started)
        throw fault
      } finally {
        release()
      }
    },
    hold(root) {
      const { release } = take(root)
      let held = true
      return () => {
        if (held) release()
        held = false
      }
    },
    async dispose() {
      const running = [...all].map(([rootId, started]) => {
        clearTimeout(started.timer)
        return shut(rootId, started)
      })
      // The first look at a large folder is not waited for: it is cheap to begin again.
      await Promise.race([Promise.all([...running, ...ending.values()]), after(MOST_END_MS, undefined, { ref: false })])
    },
  }
}
