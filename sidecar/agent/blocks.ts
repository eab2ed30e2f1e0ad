/**
 * What one model call says, as items of the session: a message, a thought, a call, a tool that ran at the provider. Every item that is
 * opened is ended, in the order of the stream; an empty block never becomes an item.
 */
import type {
  ChatCitation,
  ChatEvent,
  ChatFailure,
  ChatMedia,
  ChatSearchResult,
  FinishReason,
} from '#contract/chat-event'
import { CallId, ItemId, type TurnId } from '#contract/id'
import { type Attachment, type LiveDelta, Opaque, type Source, type Usage } from '#contract/session-event'
import { newId } from '../base/id.ts'
import { MAX_ARGUMENT_CHARS } from './arguments.ts'
import { LIVE_OUTPUT_CHARS } from './live-output.ts'
import type { SessionPort } from './ports.ts'
import { previewOf } from './preview.ts'
import { unwrapped } from './rare-tools.ts'

/** A call that the model made and Belay is to run. */
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

const KEPT_ARGUMENT_CHARS = 2000
const PARTIAL_EVERY_MS = 1000

type Kind = 'text' | 'reasoning' | 'call' | 'server'

interface Block {
  kind: Kind
  id: ItemId
  text: string
  /** Whether the session knows of it. */
  added: boolean
  tool: string
  redacted: boolean
  refusal: boolean
  opaque: Opaque | null
  sources: Source[]
  media: Attachment[]
  results: ChatSearchResult[]
  callId: CallId
  startedAt: number
  keptLength: number
  keptAt: number
}

const kinds: Partial<Record<ChatEvent['type'], Kind>> = {
  TEXT_START: 'text',
  TEXT_DELTA: 'text',
  TEXT_END: 'text',
  REFUSAL_DELTA: 'text',
  CITATION: 'text',
  MEDIA_DONE: 'text',
  THINKING_START: 'reasoning',
  THINKING_DELTA: 'reasoning',
  THINKING_SIGNATURE: 'reasoning',
  THINKING_REDACTED: 'reasoning',
  THINKING_END: 'reasoning',
  TOOL_CALL_START: 'call',
  TOOL_CALL_ARGS_DELTA: 'call',
  TOOL_CALL_END: 'call',
  SERVER_TOOL_START: 'server',
  SERVER_TOOL_ARGS_DELTA: 'server',
  SERVER_TOOL_RESULT: 'server',
}
const liveKinds = { text: 'text', reasoning: 'reasoning', call: 'arguments' } as const satisfies Partial<
  Record<Kind, LiveDelta['kind']>
>

export interface Blocks {
  /** Rejects only when the session cannot be written. */
  take(event: ChatEvent): Promise<void>
  /** Closes what the stream left open, in the order it was opened. */
  close(): Promise<void>
}

export function createBlocks(place: StepPlace, provider: string, result: StepResult): Blocks {
  const { session, turnId, step } = place
  const open = new Map<string, Block>()
  /** Sources and images may come after the text that they belong to. */
  let lastText: Block | null = null
  const at = (id: ItemId) => ({ id, parentId: session.state.facts.head, turnId, step })

  const openBlock = (key: string, kind: Kind): Block => {
    const block = newBlock(kind)
    open.set(key, block)
    if (kind === 'text') lastText = block
    return block
  }
  const find = (kind: Kind, event: ChatEvent): [string, Block] => {
    // A tool of the provider has its result in another place, under the same name.
    const index = kind === 'server' && event.blockId !== null ? '' : event.index
    const key = `${kind} ${event.blockId ?? ''} ${index}`
    const alike = [...open].filter(([, block]) => block.kind === kind)
    const only = event.blockId === null && event.index < 0 && alike.length === 1 ? alike[0] : undefined
    const known = open.get(key)
    if (known) return [key, known]
    return only ?? [key, openBlock(key, kind)]
  }

  const add = async (block: Block): Promise<void> => {
    if (block.added || (block.kind !== 'text' && block.kind !== 'reasoning')) return
    block.added = true
    if (block.kind === 'reasoning') await session.append({ type: 'reasoning.added', ...at(block.id) })
    else {
      const origin = { role: 'assistant', origin: 'model', requestId: null } as const
      await session.append({ type: 'message.added', ...at(block.id), ...origin, text: '', attachments: [] })
    }
  }

  const grow = async (block: Block, text: string): Promise<void> => {
    if (text === '') return
    const offset = block.text.length
    block.text += text
    if (block.kind === 'server') return requestServer(block, false)
    await add(block)
    if (block.kind === 'call' && block.text.length > LIVE_OUTPUT_CHARS) return
    session.live({ itemId: block.id, kind: liveKinds[block.kind], offset, text })
    if (block.kind !== 'text' || performance.now() - block.keptAt < PARTIAL_EVERY_MS) return
    const from = block.keptLength
    block.keptAt = performance.now()
    block.keptLength = block.text.length
    await session.append({ type: 'message.partial', id: block.id, offset: from, text: block.text.slice(from) })
  }

  const end = async (key: string, block: Block): Promise<void> => {
    open.delete(key)
    if (block.kind === 'call') return endCall(block)
    if (block.kind === 'server') return endServer(block, null)
    // A signature without words must still go back to its provider.
    if (block.opaque) await add(block)
    if (!block.added) return
    const { id, text, opaque, redacted, startedAt } = block
    if (block.kind === 'text') return endText(block)
    const durationMs = Math.round(performance.now() - startedAt)
    await session.append({ type: 'reasoning.ended', id, text, durationMs, redacted, opaque })
  }

  const endText = async ({ id, text, opaque, sources, media, refusal }: Block): Promise<void> => {
    await session.append({
      type: 'message.ended',
      id,
      text,
      opaque,
      ...(sources.length > 0 ? { sources } : {}),
      ...(media.length > 0 ? { media } : {}),
      ...(refusal ? { refusal } : {}),
    })
  }

  const endCall = async ({ id, callId, tool, text }: Block): Promise<void> => {
    const { via, ...call } =
      text.length > MAX_ARGUMENT_CHARS ? { tool, arguments: text } : unwrapped({ tool, arguments: text })
    const kept = {
      ...call,
      arguments: text.length > MAX_ARGUMENT_CHARS ? text.slice(0, KEPT_ARGUMENT_CHARS) : call.arguments,
    }
    result.calls.push({ itemId: id, callId, ...call })
    await session.append({
      type: 'tool.requested',
      ...at(id),
      callId,
      parentCallId: null,
      ...kept,
      ...(via ? { via } : {}),
    })
  }

  /** Shown as soon as what it is asked is whole: it may run for a while. */
  const requestServer = async (block: Block, whole: boolean): Promise<void> => {
    if (block.added || !(whole || isWhole(block.text))) return
    block.added = true
    const { id, callId, tool, text } = block
    const call = { callId, parentCallId: null, tool, arguments: text.slice(0, MAX_ARGUMENT_CHARS), server: true }
    await session.append({ type: 'tool.requested', ...at(id), ...call })
  }
  /** `event` null: the stream ended before the result came. */
  const endServer = async (block: Block, event: ChatEvent | null): Promise<void> => {
    await requestServer(block, true)
    await session.append({
      type: 'tool.ended',
      callId: block.callId,
      outcome: event === null ? 'stopped' : event.failed ? 'failed' : 'done',
      preview: await previewOf(event?.text ?? '', bytes => session.blob(bytes)),
      files: [],
      lsp: [],
      durationMs: Math.round(performance.now() - block.startedAt),
      detail: block.results.length > 0 ? { results: block.results } : {},
      opaque: block.opaque,
    })
  }

  /** To the text that it stands in; to the last one when that has ended, which is then told again. */
  const attach = async (event: ChatEvent, change: (block: Block) => void): Promise<void> => {
    const known = [...open.values()].find(block => block.kind === 'text')
    const block = known ?? lastText ?? find('text', event)[1]
    const ended = block.added && ![...open.values()].includes(block)
    change(block)
    await add(block)
    if (ended) await endText(block)
  }
  const takeMedia = async (media: ChatMedia): Promise<Attachment | null> => {
    if (media.base64 === null) return null
    const bytes = Buffer.from(media.base64, 'base64')
    const kind = media.mediaType.startsWith('image/') ? 'image' : 'file'
    const name = `${kind}.${media.mediaType.split('/')[1] ?? 'bin'}`
    const blobId = await session.blob(bytes)
    return { kind, name, mediaType: media.mediaType, bytes: bytes.length, blobId, path: null }
  }

  /** What belongs to another block; true when it was that. */
  const takeAside = async (event: ChatEvent): Promise<boolean> => {
    const { searchResult, citation, media } = event
    if (event.type === 'SEARCH_RESULT' && searchResult) {
      const server = [...open.values()].find(block => block.kind === 'server')
      if (server) server.results.push(searchResult)
      else await attach(event, ({ sources }) => sources.push(sourceOf(searchResult)))
      return true
    }
    if (event.type === 'CITATION' && citation) {
      await attach(event, ({ sources }) => sources.push(citation satisfies ChatCitation))
      return true
    }
    if (event.type !== 'MEDIA_DONE' || !media) return false
    const kept = await takeMedia(media)
    if (kept) await attach(event, block => block.media.push(kept))
    else if (media.url) await attach(event, ({ sources }) => sources.push({ url: media.url, title: null, quote: null }))
    return true
  }

  return {
    async take(event) {
      const kind = kinds[event.type]
      if (kind || event.type === 'SEARCH_RESULT') result.begun = true
      if ((await takeAside(event)) || !kind) return
      const [key, block] = find(kind, event)
      block.tool = event.toolCall?.name || (kind === 'server' ? event.subType : null) || block.tool
      if (event.opaque !== null && event.opaque !== undefined) block.opaque = opaqueOf(event.opaque, provider)
      if (event.type === 'THINKING_REDACTED') block.redacted = true
      if (event.type === 'REFUSAL_DELTA') block.refusal = true
      if (event.type === 'TOOL_CALL_END') block.text = event.toolCall?.arguments ?? event.text ?? block.text
      if (event.type === 'SERVER_TOOL_START') await grow(block, event.toolCall?.arguments ?? '')
      if (event.type.endsWith('_DELTA')) await grow(block, event.text ?? '')
      else if (event.type === 'SERVER_TOOL_RESULT') {
        open.delete(key)
        await endServer(block, event)
      } else if (event.type.endsWith('_END') || event.type === 'THINKING_REDACTED') await end(key, block)
    },
    async close() {
      for (const [key, block] of open) await end(key, block)
    },
  }
}

const newBlock = (kind: Kind): Block => ({
  kind,
  id: ItemId.parse(newId('itm')),
  text: '',
  added: false,
  tool: '',
  redacted: false,
  refusal: false,
  opaque: null,
  sources: [],
  media: [],
  results: [],
  callId: CallId.parse(newId('call')),
  startedAt: performance.now(),
  keptLength: 0,
  keptAt: performance.now(),
})

const sourceOf = ({ url, title, snippet }: ChatSearchResult): Source => ({ url, title, quote: snippet })

function isWhole(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const opaqueOf = (data: unknown, provider: string): Opaque => {
  const known = Opaque.safeParse(data)
  return known.success ? known.data : { provider, data }
}
