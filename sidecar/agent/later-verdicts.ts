/**
 * What checks found after their call had ended: on its card at once, and before the model with the next result, or beside the
 * person's next words where the turn was over.
 */
import { toFault } from '#contract/error'
import type { CallId } from '#contract/id'
import type { Log } from '../base/log.ts'
import type { LaterVerdict, SessionPort } from './ports.ts'

/** Found and not told yet, by session. Forgotten with the process: the cards keep it. */
const untold = new WeakMap<SessionPort, Untold[]>()
type Untold = { readonly callId: CallId; readonly text: string }

/** Of a call whose end is in the log. Waits for nothing. */
export function expectVerdict(
  session: SessionPort,
  callId: CallId,
  later: Promise<LaterVerdict | null>,
  log: Log,
): void {
  const told = later.then(async found => {
    if (!found) return
    await session.append({ type: 'diagnostics.updated', callId, lsp: found.lsp })
    const { text } = found
    if (text !== null) untold.set(session, [...(untold.get(session) ?? []), { callId, text }])
  })
  told.catch(fault => log('warn', 'a late verdict could not be kept', { callId, fault: toFault(fault).message }))
}

/** What waits, oldest first; it is then the caller's to tell. What belongs to another branch waits until the head is there. */
export function takeVerdicts(session: SessionPort): string[] {
  const { calls, path } = session.state
  const here = new Set<unknown>(path)
  const [mine, others]: [Untold[], Untold[]] = [[], []]
  for (const each of untold.get(session) ?? []) (here.has(calls.get(each.callId)) ? mine : others).push(each)
  untold.set(session, others)
  return mine.map(({ text }) => text)
}

/** As part of a note, which nothing in it may end. */
export const asNote = (text: string): string => text.replaceAll('[', '(').replaceAll(']', ')')
