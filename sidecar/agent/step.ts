/**
 * One model call, told as session events while it streams. Every item it opens it also closes, however the call ends; it
 * never rejects for what a model did, only when the session cannot be written.
 */
import { type ChatEvent, type ChatFailure, chatEvent } from '#contract/chat-event'
import type { TurnId } from '#contract/id'
import { createBlocks, type StepPlace, type StepResult } from './blocks.ts'
import type { Model, ModelRequest } from './ports.ts'

export async function streamStep(
  place: StepPlace,
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<StepResult> {
  const result: StepResult = { calls: [], usage: null, finish: null, failure: null, begun: false }
  const blocks = createBlocks(place, request.model.split('/')[0] ?? '', result)
  for await (const event of untilAborted(model.stream(request, signal), signal)) {
    if (event.usage) result.usage = event.usage
    if (event.finish) result.finish = event.finish
    if (event.type === 'ERROR') result.failure = event.failure ?? unexplained
    else if (event.type === 'ABORT') result.failure = cutOff
    else if (event.type === 'STATUS') await tellStatus(place, event)
    else await blocks.take(event)
  }
  await blocks.close()
  return result
}

/** Only what has words is for a person. What a model cannot be sent is the same at every step: it is said once. */
async function tellStatus({ session, turnId }: StepPlace, { text, subType }: ChatEvent): Promise<void> {
  if (!text || (subType === 'dropped' && wasSaid(session, turnId, text))) return
  await session.append({ type: 'status.changed', turnId, code: `model.${subType ?? 'status'}`, text })
}

/** In this session, of this model. */
function wasSaid({ state: { turns } }: StepPlace['session'], turnId: TurnId, text: string): boolean {
  const model = turns.get(turnId)?.producer.model
  return [...turns.values()].some(
    ({ producer, notices }) => producer.model === model && notices.some(notice => notice.text === text),
  )
}

const cutOff: ChatFailure = {
  code: 'truncated',
  message: 'The model service ended the answer early. What had arrived is kept; send again to go on.',
  status: null,
  retryAfterMs: null,
}
const unexplained: ChatFailure = { ...cutOff, code: 'internal', message: 'The model call failed and did not say why.' }

/** Ends with the signal even where a model does not, and turns what it throws into the failure it should have sent. */
export async function* untilAborted(events: AsyncIterable<ChatEvent>, signal: AbortSignal): AsyncGenerator<ChatEvent> {
  const iterator = events[Symbol.asyncIterator]()
  let letGo = () => {}
  const onAbort = () => letGo()
  signal.addEventListener('abort', onAbort)
  try {
    while (!signal.aborted) {
      const next = await new Promise<IteratorResult<ChatEvent> | null>((resolve, reject) => {
        letGo = () => resolve(null)
        iterator.next().then(resolve, reject)
      })
      if (!next || next.done) return
      yield next.value
    }
  } catch (fault) {
    yield chatEvent('ERROR', -1, {
      failure: { ...unexplained, message: `The model call failed: ${(fault as Error).message}` },
    })
  } finally {
    signal.removeEventListener('abort', onAbort)
    // Not awaited: a model that hangs must not make Stop hang.
    void iterator.return?.().catch(() => {})
  }
}
