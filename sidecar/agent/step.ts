/**
 * One model call, told as session events while it streams. Every item it opens it also closes, however the call ends; it
 * never rejects for what a model did, only when the session cannot be written.
 */
import { type ChatEvent, type ChatFailure, chatEvent, type FinishReason } from '#contract/chat-event'
import { CallId, ItemId, type TurnId } from '#contract/id'
import { type LiveDelta, Opaque, type Usage } from '#contract/session-event'
import { newId } from '../base/id.ts'
import { LIVE_OUTPUT_CHARS } from './live-output.ts'
import type { Model, ModelRequest, SessionPort } from './ports.ts'

export interface RequestedCall {
  itemId: ItemId
  callId: CallId
  tool: string
  arguments: string
}

export interface StepResult {
  calls: RequestedCall[]
  usage: Usage | null
  finish: FinishReason | null
  failure: ChatFailure | null
  /** Whether anything of the answer had come: then another try would say it twice. */
  begun: boolean
}

export interface StepPlace {
  session: SessionPort
  turnId: TurnId
  step: number
}

/** Arguments above this are not kept: neither the log nor the next request should carry them again. UTF-16 units. */
export const MAX_ARGUMENT_CHARS = 1_000_000
const KEPT_ARGUMENT_CHARS = 2000
const PARTIAL_EVERY_MS = 1000

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
    else await blocks.take(event)
  }
  await blocks.close()
  return result
}

const cutOff: ChatFailure = {
  code: 'truncated',
  message: 'The model service ended the answer early. What had arrived is kept; send again to go on.',
  status: null,
  retryAfterMs: null,
}
const unexplained: ChatFailure = { ...cutOff, code: 'internal', message: 'The model call failed and did not say why.' }

/** Ends with the signal even where a model does not, and turns what it throws into the failure it should have sent. */
async function* untilAborted(events: AsyncIterable<ChatEvent>, signal: AbortSignal): AsyncGenerator<ChatEvent> {
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

interface Block {
  kind: 'text' | 'reasoning' | 'call'
  id: ItemId
  text: string
  /** Whether the session knows of it: an empty block never becomes an item. */
  added: boolean
  tool: string
  redacted: boolean
  opaque: Opaque | null
  startedAt: number
  keptLength: number
  keptAt: number
}

const groups: Partial<Record<ChatEvent['type'], Block['kind']>> = {
  TEXT_START: 'text',
  TEXT_DELTA: 'text',
  TEXT_END: 'text',
  REFUSAL_DELTA: 'text',
  THINKING_START: 'reasoning',
  THINKING_DELTA: 'reasoning',
  THINKING_SIGNATURE: 'reasoning',
  THINKING_REDACTED: 'reasoning',
  THINKING_END: 'reasoning',
  TOOL_CALL_START: 'call',
  TOOL_CALL_ARGS_DELTA: 'call',
  TOOL_CALL_END: 'call',
}

function createBlocks({ session, turnId, step }: StepPlace, provider: string, result: StepResult) {
  const open = new Map<string, Block>()

  const find = (kind: Block['kind'], event: ChatEvent): [string, Block] => {
    const key = `${kind} ${event.blockId ?? ''} ${event.index}`
    const alike = [...open].filter(([, block]) => block.kind === kind)
    const only = event.blockId === null && event.index < 0 && alike.length === 1 ? alike[0] : undefined
    const known = open.get(key)
    if (known) return [key, known]
    if (only) return only
    const now = Date.now()
    const block: Block = {
      kind,
      id: ItemId.parse(newId('itm')),
      text: '',
      added: false,
      tool: '',
      redacted: false,
      opaque: null,
      startedAt: now,
      keptLength: 0,
      keptAt: now,
    }
    open.set(key, block)
    return [key, block]
  }

  const add = async (block: Block): Promise<void> => {
    if (block.added || block.kind === 'call') return
    block.added = true
    const item = { id: block.id, parentId: session.state.facts.head, turnId, step }
    if (block.kind === 'reasoning') await session.append({ type: 'reasoning.added', ...item })
    else {
      await session.append({
        type: 'message.added',
        ...item,
        role: 'assistant',
        origin: 'model',
        text: '',
        attachments: [],
        requestId: null,
      })
    }
  }

  const grow = async (block: Block, text: string): Promise<void> => {
    if (text === '') return
    const offset = block.text.length
    block.text += text
    await add(block)
    if (block.kind === 'call' && block.text.length > LIVE_OUTPUT_CHARS) return
    session.live({ itemId: block.id, kind: liveKinds[block.kind], offset, text })
    if (block.kind !== 'text' || Date.now() - block.keptAt < PARTIAL_EVERY_MS) return
    const from = block.keptLength
    block.keptAt = Date.now()
    block.keptLength = block.text.length
    await session.append({ type: 'message.partial', id: block.id, offset: from, text: block.text.slice(from) })
  }

  const end = async (key: string, block: Block): Promise<void> => {
    open.delete(key)
    const { id, text, opaque, redacted, startedAt } = block
    if (block.kind === 'call') return endCall(block)
    // A signature without words must still go back to its provider.
    if (opaque) await add(block)
    if (!block.added) return
    if (block.kind === 'text') await session.append({ type: 'message.ended', id, text, opaque })
    else
      await session.append({ type: 'reasoning.ended', id, text, durationMs: Date.now() - startedAt, redacted, opaque })
  }

  const endCall = async ({ id, tool, text }: Block): Promise<void> => {
    const callId = CallId.parse(newId('call'))
    const kept = text.length > MAX_ARGUMENT_CHARS ? text.slice(0, KEPT_ARGUMENT_CHARS) : text
    const item = { id, parentId: session.state.facts.head, turnId, step }
    result.calls.push({ itemId: id, callId, tool, arguments: text })
    await session.append({ type: 'tool.requested', ...item, callId, parentCallId: null, tool, arguments: kept })
  }

  return {
    async take(event: ChatEvent): Promise<void> {
      const kind = groups[event.type]
      if (!kind) return
      const [key, block] = find(kind, event)
      result.begun = true
      block.tool = event.toolCall?.name || block.tool
      if (event.opaque !== null && event.opaque !== undefined) block.opaque = opaqueOf(event.opaque, provider)
      if (event.type === 'THINKING_REDACTED') block.redacted = true
      if (event.type === 'TOOL_CALL_END') block.text = event.toolCall?.arguments ?? event.text ?? block.text
      if (event.type.endsWith('_DELTA')) await grow(block, event.text ?? '')
      else if (event.type.endsWith('_END')) await end(key, block)
    },
    /** Closes what the stream left open, in the order it was opened. */
    async close(): Promise<void> {
      for (const [key, block] of open) await end(key, block)
    },
  }
}

const liveKinds = { text: 'text', reasoning: 'reasoning', call: 'arguments' } as const satisfies Record<
  Block['kind'],
  LiveDelta['kind']
>

const opaqueOf = (data: unknown, provider: string): Opaque => {
  const known = Opaque.safeParse(data)
  return known.success ? known.data : { provider, data }
}
