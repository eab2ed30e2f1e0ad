/**
 * The work tree around a turn: looked at beside the first model call, on record before the first effect, and looked at again at
 * the end. A turn without effects leaves no trace of it. Never rejects: nobody is kept from working by it.
 */
import { setTimeout as after } from 'node:timers/promises'
import type { TurnId } from '#contract/id'
import type { SessionEventDraft } from '#contract/session-event'
import type { Log } from '../base/log.ts'
import type { Checkpoint, SessionPort } from './ports.ts'

/** From when on a person is told what is waited for. */
const SLOW_MS = 1500
const SLOW = 'Before its first change, Belay keeps what is in this folder, so that everything can be taken back.'
/** How long a turn's end waits for the look at what it left behind. */
const MOST_END_MS = 800

export interface TurnCheckpoints {
  /** Settles when what was there is kept, or the signal comes. */
  beforeEffects(signal: AbortSignal): Promise<void>
  end(): Promise<void>
}

export function createTurnCheckpoints(options: {
  checkpoint?: Checkpoint | undefined
  session: SessionPort
  turnId: TurnId
  log: Log
}): TurnCheckpoints {
  const { checkpoint, session, turnId, log } = options
  const take = async (when: 'start' | 'end'): Promise<string | null> => {
    try {
      return (await checkpoint?.take(session, turnId, when)) ?? null
    } catch (fault) {
      log('warn', `no checkpoint at the ${when} of a turn`, { turnId, fault: String(fault) })
      return null
    }
  }
  const append = async (...drafts: SessionEventDraft[]) => {
    try {
      if (drafts.length > 0) await session.append(...drafts)
    } catch (fault) {
      log('warn', 'a checkpoint could not be told', { turnId, fault: String(fault) })
    }
  }
  const taken = take('start')
  const refs = checkpoint?.refs?.(session).catch(() => [])
  let begun: Promise<void> | null = null
  let told: string | null = null

  const begin = async (): Promise<void> => {
    const checkpointId = await taken
    if (checkpointId === null) return
    const notices = await noticesOf(options).catch(() => [])
    told = checkpointId
    const stood = (await refs) ?? []
    const at = stood.length > 0 ? { refs: stood } : {}
    await append(...notices, { type: 'checkpoint.taken', checkpointId, turnId, when: 'start', ...at })
  }
  return {
    async beforeEffects(signal) {
      begun ??= begin()
      const slow = setTimeout(
        () => void append({ type: 'status.changed', turnId, code: 'checkpoint', text: SLOW }),
        SLOW_MS,
      )
      await Promise.race([begun, aborted(signal)])
      clearTimeout(slow)
    },
    async end() {
      // Nothing had an effect before that was kept.
      if (told === null) return
      const checkpointId = await Promise.race([take('end'), after(MOST_END_MS, null, { ref: false })])
      const notices = await noticesOf(options).catch(() => [])
      if (checkpointId === null || checkpointId === told) return append(...notices)
      await append(...notices, { type: 'checkpoint.taken', checkpointId, turnId, when: 'end' })
    },
  }
}

/** Told once for each of them. */
async function noticesOf({
  checkpoint,
  session,
  turnId,
}: Parameters<typeof createTurnCheckpoints>[0]): Promise<SessionEventDraft[]> {
  const { facts, turns } = session.state
  // A sub-agent's session is one with that of the agent it works for.
  if (facts.parent) return []
  const notices = (await checkpoint?.notices(session)) ?? []
  const said = new Set([...turns.values()].flatMap(turn => turn.notices.map(({ text }) => text)))
  return notices.flatMap(({ code, text }) => (said.has(text) ? [] : { type: 'status.changed', turnId, code, text }))
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
