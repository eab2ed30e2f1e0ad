/** Keeps the sessions this window shows: opens each once however many show it, folds what happens, pages what is older. */
import type { SessionId } from '#contract/id'
import { emptySession, foldLive, foldSession, type SessionState } from '#contract/session-fold'
import { prependPage, stateFrom } from '#contract/session-window'
import { type SessionMirror, sessionStore } from '../state/mirror/session-store.ts'
import { belay, type Following, follow } from './index.ts'

interface Shown {
  users: number
  following: Following
}
const shown = new Map<SessionId, Shown>()

const mirrorOf = (id: SessionId): SessionMirror | undefined => sessionStore.getState().sessions[id]

function put(id: SessionId, change: Partial<SessionMirror>): void {
  sessionStore.setState(({ sessions }) => {
    const known = sessions[id]
    return known ? { sessions: { ...sessions, [id]: { ...known, ...change } } } : {}
  })
}

/** Folds in place, then says in one go what kind of change it was. */
function change<T>(id: SessionId, fold: (state: SessionState) => T): T | undefined {
  const known = mirrorOf(id)
  if (!known) return undefined
  const { state } = known
  const { path } = state
  const { length } = path
  const { moves } = state.facts
  const { turns, asks } = sizes(state)
  const result = fold(state)
  const moved =
    state.path !== path ||
    state.path.length !== length ||
    state.facts.moves !== moves ||
    sizes(state).turns !== turns ||
    sizes(state).asks !== asks
  put(id, { revision: known.revision + 1, ...(moved ? { pathRevision: known.pathRevision + 1 } : {}) })
  return result
}
const sizes = ({ turns, asks, facts }: SessionState) => ({ turns: `${turns.size} ${facts.running}`, asks: asks.size })

/** Shows a session until the returned function is called. Safe to call for several places at once. */
export function showSession(id: SessionId): () => void {
  const known = shown.get(id)
  if (known) known.users++
  else shown.set(id, { users: 1, following: start(id) })
  let done = false
  return () => {
    const entry = shown.get(id)
    if (done || !entry) return
    done = true
    if (--entry.users > 0) return
    entry.following.dispose()
    shown.delete(id)
    sessionStore.setState(({ sessions }) => {
      const { [id]: _, ...others } = sessions
      return { sessions: others }
    })
    void belay.session.close({ sessionId: id }).catch(() => {})
  }
}

function start(id: SessionId): Following {
  sessionStore.setState(({ sessions }) => ({
    sessions: {
      ...sessions,
      [id]: {
        state: emptySession(id),
        revision: 0,
        pathRevision: 0,
        status: 'opening',
        fault: null,
        loadingOlder: false,
        repaired: null,
      },
    },
  }))
  return follow({
    open: signal => belay.session.open({ sessionId: id }, { signal }),
    onSnapshot(snapshot) {
      const known = mirrorOf(id)
      put(id, {
        state: stateFrom(snapshot),
        revision: (known?.revision ?? 0) + 1,
        pathRevision: (known?.pathRevision ?? 0) + 1,
        status: 'ready',
        fault: null,
        loadingOlder: false,
        // The first opening says it; what was mended is whole the next time.
        repaired: snapshot.repaired ?? known?.repaired ?? null,
      })
    },
    onFailed: (fault, retrying) => put(id, { fault, ...(retrying ? {} : { status: 'failed' as const }) }),
    events: {
      'session/happened': ({ sessionId, events }) => {
        if (sessionId !== id) return
        const lost = change(id, state => events.map(event => foldSession(state, event)).includes('reopen'))
        return lost ? 'reopen' : undefined
      },
      'session/live': ({ sessionId, deltas }) => {
        if (sessionId !== id) return
        const lost = change(id, state => deltas.map(delta => foldLive(state, delta)).includes('gap'))
        return lost ? 'reopen' : undefined
      },
    },
  })
}

/** Fetches the page before the first known item; does nothing while one is under way or when there is none. Rejects with words. */
export async function loadOlder(id: SessionId): Promise<void> {
  const mirror = mirrorOf(id)
  const before = mirror?.state.path[0]
  if (!mirror || before === undefined || mirror.loadingOlder || mirror.state.complete) return
  put(id, { loadingOlder: true })
  try {
    const page = await belay.session.older({ sessionId: id, before })
    // A snapshot that came meanwhile starts elsewhere: its page is another one.
    if (mirrorOf(id)?.state.path[0] === before) change(id, state => prependPage(state, page))
  } finally {
    put(id, { loadingOlder: false })
  }
}
