/**
 * Newer versions, for all windows of this app: one state, told to each. Nothing is loaded and nothing is asked of the network
 * before somebody asks; nothing is fetched or installed but at a person's word. A failure changes nothing of what is installed.
 */
import type { Handlers } from '#contract/define'
import type { HostContract } from '#contract/supervision'
import type { UpdateFailure, UpdateState } from '#contract/update'
import type { UpdateCheck } from '#contract/window-settings'
import { createEmitter, type Emitter } from '../../sidecar/base/emitter.ts'
import type { Fetch } from './bounded-fetch.ts'
import { failureOf } from './failure.ts'
import type { Feed, FeedSource } from './feed.ts'
import type { Installer } from './installer.ts'

export interface Updates {
  readonly handlers: Handlers<HostContract>['update']
  readonly changed: Pick<Emitter<UpdateState>, 'on'>
}

export interface UpdatesOptions {
  readonly source: FeedSource | null
  /** Null where this Belay cannot replace itself. Called once, when something is fetched. */
  readonly installer: (() => Promise<Installer>) | null
  readonly fetch: Fetch
  /** As the setting says now. */
  allowed(): UpdateCheck
  readonly version: string
  readonly stateDir: string
  readonly platform: NodeJS.Platform
  readonly arch: string
  /** Asks the person, ends everything that runs, then calls `install`, then ends the app whatever came of it. */
  quitAnd(install: () => Promise<void>): void
  /** The app ends after this: said outside of any window. */
  tellNotInstalled(failure: UpdateFailure): void
  readonly timeoutMs?: number
}

export function createUpdates(options: UpdatesOptions): Updates {
  const changed = createEmitter<UpdateState>()
  let state: UpdateState = first(options)
  let found: Feed | null = null
  let installer: Installer | null = null
  let fetching: AbortController | null = null
  let looked = false
  const become = (next: UpdateState): UpdateState => {
    state = next
    changed.emit(next)
    return next
  }
  const notes = () => found?.releaseNotes ?? null
  const offer = (feed: Feed) =>
    become({
      kind: 'found',
      version: feed.version,
      notes: notes(),
      bytes: Math.max(...feed.files.map(each => each.size)),
    })

  const check = async (source: FeedSource): Promise<UpdateState> => {
    become({ kind: 'checking' })
    looked = true
    try {
      const { checkForUpdate } = await import('./check.ts')
      found = await checkForUpdate({ ...options, source })
      return found ? offer(found) : become({ kind: 'newest', version: options.version })
    } catch (thrown) {
      found = null
      return become({ kind: 'failed', ...failureOf(thrown, 'malformed') })
    }
  }
  const fetch = async (feed: Feed, load: () => Promise<Installer>): Promise<UpdateState> => {
    const { version } = feed
    const stop = new AbortController()
    fetching = stop
    become({ kind: 'fetching', version, doneBytes: 0, bytes: 0 })
    let said = 0
    try {
      installer ??= await load()
      await installer.fetch(feed, stop.signal, (doneBytes, bytes) => {
        // A hundred steps are enough for a bar.
        if (doneBytes < bytes && doneBytes - said < bytes / 100) return
        said = doneBytes
        become({ kind: 'fetching', version, doneBytes, bytes })
      })
      return become({ kind: 'ready', version, notes: notes() })
    } catch (thrown) {
      if (stop.signal.aborted) return offer(feed)
      return become({ kind: 'failed', ...failureOf(thrown, 'disk') })
    } finally {
      fetching = null
    }
  }
  const busy = () => state.kind === 'checking' || state.kind === 'fetching' || state.kind === 'ready'
  return {
    changed,
    handlers: {
      state: () => state,
      check: async ({ unasked }) => {
        const { source, installer: load } = options
        const allowed = options.allowed()
        if (!source || !load) return state
        if (allowed === 'off') return off
        if (busy() || (unasked && (looked || allowed !== 'onStart'))) return state
        return check(source)
      },
      fetch: async () => {
        const { installer: load } = options
        if (options.allowed() === 'off') return off
        if (!found || !load || state.kind !== 'found') return state
        return fetch(found, load)
      },
      cancel: () => {
        fetching?.abort()
        return state
      },
      install: () => {
        const ready = installer
        if (!ready || state.kind !== 'ready') return {}
        options.quitAnd(() =>
          ready.install().catch(thrown => options.tellNotInstalled(failureOf(thrown, 'notInstalled').failure)),
        )
        return {}
      },
    },
  }
}

/** An answer, not a state: what was found before is still found. */
const off: UpdateState = { kind: 'unavailable', why: 'off' }

function first({ source, installer }: UpdatesOptions): UpdateState {
  if (!source) return { kind: 'unavailable', why: 'noFeed' }
  return installer ? { kind: 'idle' } : { kind: 'unavailable', why: 'unpackaged' }
}
