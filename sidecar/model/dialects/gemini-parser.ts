/** Gemini: its chunks as our drafts. Parts come without ids and ends: a part of another kind ends the one before. */
import type { ChatEventDraft, FinishReason } from '#contract/chat-event'
import { type FrameParser, readFrame } from '../dialect.ts'
import { failure, failureOfFrame } from '../failure.ts'
import { createGrounding, type WireGrounding } from './gemini-grounding.ts'

interface WirePart {
  text?: string | null
  thought?: boolean | null
  thoughtSignature?: string | null
  functionCall?: { id?: string | null; name?: string | null; args?: unknown }
  inlineData?: { mimeType?: string; data?: string }
  fileData?: { mimeType?: string; fileUri?: string }
  executableCode?: { language?: string; code?: string }
  codeExecutionResult?: { outcome?: string; output?: string }
}
interface WireUsage {
  promptTokenCount?: number
  candidatesTokenCount?: number
  thoughtsTokenCount?: number
  cachedContentTokenCount?: number
  toolUsePromptTokenCount?: number
}
interface WireFrame {
  responseId?: string
  modelVersion?: string
  candidates?: {
    content?: { parts?: WirePart[] | null } | null
    finishReason?: string | null
    finishMessage?: string | null
    groundingMetadata?: WireGrounding | null
  }[]
  promptFeedback?: { blockReason?: string | null; blockReasonMessage?: string | null } | null
  usageMetadata?: WireUsage | null
  error?: { code?: number; message?: string; status?: string }
}

const finishes: Record<string, FinishReason> = { STOP: 'stop', MAX_TOKENS: 'length' }
const filtered = /SAFETY|RECITATION|BLOCKLIST|PROHIBITED|SPII|MODEL_ARMOR/
/** The model wrote a call that Google could not read: there is nothing to run, but another try may go well. */
const malformed = /MALFORMED|UNEXPECTED_TOOL_CALL|TOO_MANY_TOOL_CALLS|MISSING_THOUGHT_SIGNATURE/

export function geminiParser(): FrameParser {
  const grounding = createGrounding()
  let open: 'text' | 'thought' | null = null
  /** Of all blocks and calls, in order. */
  let index = -1
  let called = false
  let complete = false
  let finish: FinishReason | null = null
  let responseId: string | null = null
  let served: string | null = null
  /** Code that runs there, until its result is told. */
  let running: { readonly part: WirePart; readonly index: number } | null = null

  const place = () => ({ index, blockId: null })
  const close = (opaque?: object): ChatEventDraft[] => {
    if (open === null) return []
    const type = open === 'text' ? 'TEXT_END' : 'THINKING_END'
    open = null
    return [{ type, ...place(), ...(opaque ? { opaque } : {}) }]
  }
  const begin = (kind: 'text' | 'thought'): ChatEventDraft[] => {
    if (open === kind) return []
    const closed = close()
    open = kind
    index++
    return [...closed, { type: kind === 'text' ? 'TEXT_START' : 'THINKING_START', ...place() }]
  }
  /** A signature without words is a block of thinking of its own, so that it stands where it stood. */
  const sign = (signature: string | null | undefined, on: 'call' | 'text'): ChatEventDraft[] => {
    if (!signature) return []
    const closed = close()
    index++
    return [
      ...closed,
      { type: 'THINKING_START', ...place() },
      { type: 'THINKING_SIGNATURE', ...place(), opaque: { signature, on } },
      { type: 'THINKING_END', ...place() },
    ]
  }

  const say = ({ text, thought, thoughtSignature: signature }: WirePart): ChatEventDraft[] => {
    const kind = thought ? 'thought' : 'text'
    if (!text) {
      if (!signature) return []
      return open === 'text' && !thought ? close({ signature }) : sign(signature, 'text')
    }
    const said: ChatEventDraft[] = [
      ...begin(kind),
      { type: thought ? 'THINKING_DELTA' : 'TEXT_DELTA', ...place(), text },
    ]
    if (!signature) return said
    if (!thought) return [...said, ...close({ signature })]
    return [...said, { type: 'THINKING_SIGNATURE', ...place(), opaque: { signature, on: 'thought' } }, ...close()]
  }
  const call = ({ functionCall, thoughtSignature }: WirePart): ChatEventDraft[] => {
    const { id = null, name, args } = functionCall ?? {}
    const before = [...sign(thoughtSignature, 'call'), ...close()]
    const text = typeof args === 'string' ? args : JSON.stringify(args ?? {})
    called = true
    index++
    const at = { index, blockId: id }
    const toolCall = { id, name: name ?? '', arguments: text }
    return [
      ...before,
      { type: 'TOOL_CALL_START', ...at, toolCall: { ...toolCall, arguments: '' } },
      { type: 'TOOL_CALL_ARGS_DELTA', ...at, text },
      { type: 'TOOL_CALL_END', ...at, toolCall },
    ]
  }
  const run = (part: WirePart): ChatEventDraft[] => {
    const closed = close()
    index++
    running = { part, index }
    const name = 'code_execution'
    return [
      ...closed,
      { type: 'SERVER_TOOL_START', ...place(), subType: name, toolCall: { id: null, name, arguments: '' } },
      { type: 'SERVER_TOOL_ARGS_DELTA', ...place(), text: part.executableCode?.code ?? '' },
    ]
  }
  const ran = (part: WirePart): ChatEventDraft[] => {
    const { outcome = '', output = '' } = part.codeExecutionResult ?? {}
    const parts = running ? [running.part, part] : [part]
    const at = { index: running?.index ?? index, blockId: null }
    running = null
    const failed = !/OK$/.test(outcome)
    const text = failed ? `It failed (${outcome}). ${output}`.trim() : output
    return [
      ...close(),
      { type: 'SERVER_TOOL_RESULT', ...at, subType: 'code_execution', text, failed, opaque: { parts } },
    ]
  }
  const take = (part: WirePart): ChatEventDraft[] => {
    if (part.functionCall) return call(part)
    if (part.executableCode) return run(part)
    if (part.codeExecutionResult) return ran(part)
    const {
      mimeType: mediaType = 'application/octet-stream',
      data = null,
      fileUri = null,
    } = {
      ...part.inlineData,
      ...part.fileData,
    } as { mimeType?: string; data?: string; fileUri?: string }
    if (part.inlineData || part.fileData) {
      const media = { mediaType, base64: data, url: fileUri }
      const closed = close()
      index++
      return [...closed, { type: part.thought ? 'MEDIA_PARTIAL' : 'MEDIA_DONE', ...place(), media }]
    }
    return typeof part.text === 'string' || part.thoughtSignature
      ? say(part)
      : [{ type: 'RAW', rawType: Object.keys(part)[0] ?? null, opaque: part }]
  }

  const stop = (reason: string, message: string | null | undefined): ChatEventDraft[] => {
    complete = true
    finish = filtered.test(reason) ? 'filter' : (finishes[reason] ?? 'other')
    if (finish === 'stop' && called) finish = 'tool'
    if (finish === 'filter') return [...close(), { type: 'CONTENT_FILTER', subType: reason, text: message ?? null }]
    if (!malformed.test(reason)) return close()
    const words = `The model wrote a call of a tool that Google could not read (${reason}). ${message ?? ''} What came is kept; say "continue" to go on.`
    return [...close(), { type: 'ERROR', failure: failure('truncated', words), rawType: reason }]
  }

  const next = (frame: WireFrame): ChatEventDraft[] => {
    if (frame.error) {
      const { code = '', status = '', message = '' } = frame.error
      return [
        { type: 'ERROR', failure: failureOfFrame('Google', `${status} ${code}`, message), rawType: status || null },
      ]
    }
    const { candidates, usageMetadata, promptFeedback, responseId: id, modelVersion: model } = frame
    if (!candidates && !usageMetadata && !promptFeedback)
      return [{ type: 'RAW', rawType: Object.keys(frame)[0] ?? null, opaque: frame }]
    const out: ChatEventDraft[] = []
    if ((id && id !== responseId) || (model && model !== served)) {
      responseId = id ?? responseId
      served = model ?? served
      out.push({ type: 'STATUS', subType: 'started', providerResponseId: responseId, providerModel: served })
    }
    const candidate = candidates?.[0]
    for (const part of candidate?.content?.parts ?? []) out.push(...take(part))
    if (candidate?.groundingMetadata) out.push(...grounding(candidate.groundingMetadata))
    if (usageMetadata) out.push(usageOf(usageMetadata))
    if (promptFeedback?.blockReason)
      out.push(...stop(`SAFETY ${promptFeedback.blockReason}`, promptFeedback.blockReasonMessage))
    if (candidate?.finishReason) out.push(...stop(candidate.finishReason, candidate.finishMessage))
    return out
  }

  return {
    next(raw) {
      const read = readFrame<WireFrame | WireFrame[]>(raw)
      if ('raw' in read) return [read.raw]
      // Without server-sent events it answers a list of the same chunks.
      return Array.isArray(read.frame) ? read.frame.flatMap(next) : next(read.frame)
    },
    get complete() {
      return complete
    },
    over: false,
    get finish() {
      return finish
    },
  }
}

/** Each frame has the sum so far. What was thought is counted beside what was answered; with us it is part of it. */
function usageOf(wire: WireUsage): ChatEventDraft {
  const cacheRead = wire.cachedContentTokenCount ?? 0
  const reasoning = wire.thoughtsTokenCount ?? 0
  const usage = {
    input: Math.max(0, (wire.promptTokenCount ?? 0) + (wire.toolUsePromptTokenCount ?? 0) - cacheRead),
    output: (wire.candidatesTokenCount ?? 0) + reasoning,
    cacheRead,
    reasoning,
  }
  return { type: 'USAGE', usage }
}
