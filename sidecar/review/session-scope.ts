/**
 * What a session, or one turn of it, left in the files: each carried from before the agent's first write, through what it and
 * others wrote and what was found good, to what is saved now. Kept between looks as long as the log only grew.
 */
import type { SessionId, TurnId, WorkspaceId } from '#contract/id'
import { pathKey, type WirePath } from '#contract/path'
import { bridged, carried } from './carry.ts'
import { type Held, type HeldNow, heldFrom, nothing } from './held.ts'
import { createLatest } from './latest.ts'
import { othersSince, pathsOf, trackOf } from './others.ts'
import { type Elsewhere, latestTurn, type ReviewedSession, type ReviewPorts } from './ports.ts'
import { type Kept, type Step, since, stepsOf } from './steps.ts'
import { type Track, tracked } from './track.ts'
import { type View, viewOf } from './view.ts'
import { withWorkers } from './workers.ts'

/** Tracks that are remembered. */
const MOST_KEPT = 200

export interface SessionScope {
  readonly workspaceId: WorkspaceId
  readonly sessionId: SessionId
  /** Null: all its turns. */
  readonly turn: TurnId | 'latest' | null
}

/** One look at a scope: the session is open as long as it lasts. */
export interface Look {
  readonly session: ReviewedSession
  /** What the agent wrote, in the order of first writes; then what others wrote since and it did not. */
  readonly paths: readonly WirePath[]
  /** Null where nothing differs, or nobody wrote there. Throws what reading the file throws. */
  view(path: WirePath): Promise<View | null>
}

export type LookAt = <T>(scope: SessionScope, work: (look: Look) => Promise<T>) => Promise<T>

export function createSessionScopes(ports: ReviewPorts, heldNow: HeldNow): LookAt {
  const remembered = createMemory()
  return (scope, work) =>
    ports.session(scope.sessionId, session =>
      withWorkers(ports, session.state, async workers => {
        const steps = stepsIn(scope, session, workers)
        const workspace = ports.workspace(scope.workspaceId)
        const elsewhere = ports.elsewhere(scope.workspaceId)
        const sources = { hold: holding([session, ...workers]), elsewhere }
        const carry = async (key: string, own: readonly Step[]): Promise<Track> => {
          const name = `${scope.sessionId} ${own[0]?.seq} ${key}`
          let { track, done } = remembered.get(name, own)
          for (const step of own.slice(done)) track = await carried(track, step, sources)
          return remembered.set(name, own, track ?? tracked(nothing))
        }
        const others = elsewhere ? await othersSince(elsewhere, session.state, turnOf(scope, session)) : new Map()
        for (const key of steps.keys()) others.delete(key)
        return work({
          session,
          paths: [...[...steps.values()].flatMap(each => (each[0] ? [each[0].path] : [])), ...pathsOf(others)],
          async view(path) {
            const key = pathKey(path)
            const own = steps.get(key)
            const theirs = own ? undefined : others.get(key)
            if (!own && !(theirs && elsewhere)) return null
            const track = own ? await carry(key, own) : await trackOf(elsewhere as Elsewhere, theirs ?? [])
            return viewOf(path, await bridged(track, await heldNow(workspace, path), path, elsewhere))
          },
        })
      }),
    )
}

const turnOf = ({ turn }: SessionScope, { state }: ReviewedSession): TurnId | null =>
  turn === 'latest' ? latestTurn(state) : turn

function stepsIn(
  scope: SessionScope,
  session: ReviewedSession,
  workers: readonly ReviewedSession[],
): Map<string, readonly Step[]> {
  const { state } = session
  const turnId = turnOf(scope, session)
  const steps = new Map<string, readonly Step[]>()
  if (scope.turn !== null && turnId === null) return steps
  const all = stepsOf(
    state,
    workers.map(worker => worker.state),
  )
  for (const [key, path] of all) {
    const own = since(path, turnId)
    if (own.length > 0) steps.set(key, own)
  }
  return steps
}

/** What a step says of a file, with its content out of the log that has it. */
function holding(sessions: readonly ReviewedSession[]): (kept: Kept) => Promise<Held> {
  const readers = new Map(sessions.map(each => [each.state.facts.sessionId, each]))
  return async ({ hash, blob, kind = 'text', mode = null, sessionId }) => {
    if (hash === null) return nothing
    const bytes = blob && (await readers.get(sessionId)?.readBlob(blob))
    if (bytes) return heldFrom(hash, bytes, { kind: kind === 'large' ? 'binary' : kind, mode })
    return { hash, kind: kind === 'text' ? 'large' : kind, text: null, mode, bytes: null }
  }
}

interface Memory {
  /** How far it was carried the last time; from the start where the log is another one since. */
  get(name: string, steps: readonly Step[]): { track: Track | null; done: number }
  set(name: string, steps: readonly Step[], track: Track): Track
}

function createMemory(): Memory {
  const tracks = createLatest<{ readonly keys: readonly string[]; readonly track: Track }>(MOST_KEPT)
  return {
    get(name, steps) {
      const known = tracks.get(name)
      if (!known?.keys.every((key, i) => key === steps[i]?.key)) return { track: null, done: 0 }
      return { track: known.track, done: known.keys.length }
    },
    set: (name, steps, track) => tracks.set(name, { keys: steps.map(step => step.key), track }).track,
  }
}
