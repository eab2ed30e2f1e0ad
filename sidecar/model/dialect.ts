/** What the layer needs of one provider's protocol: our request as its body, its frames as our drafts. Nothing above sees its shape. */
import type { ChatEventDraft, FinishReason } from '#contract/chat-event'
import type { InputFile, ModelMessage, ModelRequest } from '../agent/ports.ts'
import type { ModelFacts } from './catalog.ts'
import type { Frame, Framing } from './frames.ts'

export interface RequestBody {
  readonly json: string
  /** In words for a person, what of the conversation cannot be sent to this model, and so was left out. */
  readonly dropped: readonly string[]
}

export interface Dialect {
  readonly framing: Framing
  /** `baseUrl` without a trailing slash. Never holds the key. */
  url(baseUrl: string, request: ModelRequest): string
  headers(key: string | null): Record<string, string>
  /**
   * Byte for byte the same prefix from step to step. `facts` null: nothing is known of the model, so nothing optional is asked of it.
   * `paused` is what `parser.paused` gave: the provider wants its own unfinished answer back to go on with it.
   * `without` are names of `optional` that this server refused before.
   */
  body(request: ModelRequest, facts: ModelFacts | null, paused?: unknown, without?: ReadonlySet<string>): RequestBody
  /** Fields that not every server or model takes, with how a refusal speaks of them. An answer is possible without each. */
  readonly optional?: Readonly<Record<string, RegExp>>
  /** A new one for every answer. */
  parser(): FrameParser
}

export interface FrameParser {
  /**
   * The drafts of one frame, in order; never throws. Each payload is said once. What it does not know is RAW. A provider's failure is an
   * ERROR, its own stop an ABORT: the stream holds them back until everything is closed. STEP_* and RESPONSE_* are not its business.
   */
  next(frame: Frame): ChatEventDraft[]
  /** The provider said that the answer is complete. Without it the stream was cut off. */
  readonly complete: boolean
  /** Nothing more comes: the connection need not be waited for. */
  readonly over: boolean
  readonly finish: FinishReason | null
  /** Set when the provider broke off only to be asked again with what it said so far. */
  readonly paused?: unknown
}

/** The files of a message that this model takes; for the rest a word goes to the person. */
export function acceptedFiles(
  message: Extract<ModelMessage, { role: 'user' }>,
  facts: ModelFacts | null,
  dropped: Set<string>,
  kinds: ModelFacts['input'] = ['image', 'pdf'],
): { kind: 'image' | 'pdf'; file: InputFile }[] {
  return [...message.images, ...(message.files ?? [])].flatMap(file => {
    const { mediaType } = file
    const kind = mediaType.startsWith('image/') ? 'image' : mediaType === 'application/pdf' ? 'pdf' : null
    if (kind && kinds.includes(kind) && (facts === null || facts.input.includes(kind))) return [{ kind, file }]
    dropped.add(`This model takes no ${mediaType}, so it was not sent.`)
    return []
  })
}

export const FOREIGN_REASONING = 'Reasoning of another model cannot be sent to this one and was left out.'

/** The frame as JSON of the expected shape, unchecked; or the RAW draft that says it is none. */
export function readFrame<T>({ data }: Frame): { frame: T } | { raw: ChatEventDraft } {
  try {
    const frame: unknown = JSON.parse(data)
    if (typeof frame === 'object' && frame !== null) return { frame: frame as T }
  } catch {
    // Told below.
  }
  return { raw: { type: 'RAW', rawType: 'unreadable', text: data.slice(0, 200) } }
}

/** A call's arguments text as an object, for providers that take no text; what is no JSON object is shown as it was. */
export function parseArguments(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text || '{}')
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>
  } catch {
    // Told to the model as the text it wrote.
  }
  return { unreadable_arguments: text }
}
