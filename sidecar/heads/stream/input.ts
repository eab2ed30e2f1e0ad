/** One line of a program's stdin, read. Pure. What is not understood is told, never guessed. */
import { z } from 'zod'
import type { PromptPart } from '#contract/session'

export type Input =
  | { kind: 'prompt'; parts: PromptPart[]; line: unknown }
  | { kind: 'control'; requestId: string; subtype: string; request: Record<string, unknown> }
  | { kind: 'answer'; requestId: string; response: unknown; error: string | null }
  | { kind: 'nothing' }
  | { kind: 'bad'; message: string }

const TextBlock = z.object({ type: z.literal('text'), text: z.string() })
const ImageBlock = z.object({
  type: z.literal('image'),
  source: z.object({ type: z.literal('base64'), media_type: z.string().max(100), data: z.string().max(14_000_000) }),
})
const User = z.object({
  message: z.object({ role: z.literal('user'), content: z.union([z.string(), z.array(z.unknown())]) }),
})
const Control = z.object({
  request_id: z.string().min(1).max(200),
  request: z.looseObject({ subtype: z.string().max(200) }).optional(),
  subtype: z.string().max(200).optional(),
})
const Response = z.object({
  response: z.object({
    subtype: z.enum(['success', 'error']),
    request_id: z.string().min(1).max(200),
    response: z.unknown().optional(),
    error: z.string().max(20_000).optional(),
  }),
})

/** Lines of a stream that came back: they say nothing to us. */
const ECHOES = new Set(['assistant', 'result', 'system', 'error', 'stream_event', 'control_cancel_request'])

export function readInput(text: string): Input {
  if (text.trim() === '') return { kind: 'nothing' }
  let line: unknown
  try {
    line = JSON.parse(text)
  } catch {
    return bad('it is not JSON')
  }
  const type = typeof line === 'object' && line !== null ? (line as { type?: unknown }).type : undefined
  if (typeof type !== 'string') return bad('it is no object with a type')
  if (ECHOES.has(type)) return { kind: 'nothing' }
  if (type === 'user') return readUser(line)
  if (type === 'control' || type === 'control_request') return readControl(line)
  if (type === 'control_response') return readResponse(line)
  return bad(`its type is “${type.slice(0, 40)}”; known are user, control_request and control_response`)
}

function readUser(line: unknown): Input {
  const user = User.safeParse(line)
  if (!user.success) return bad('a user line has a message with role "user" and content: a text, or a list of blocks')
  const { content } = user.data.message
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const text = blocks.flatMap(each => {
    const block = TextBlock.safeParse(each)
    return block.success ? [block.data.text] : []
  })
  const images = blocks.flatMap((each, at): PromptPart[] => {
    const block = ImageBlock.safeParse(each)
    if (!block.success) return []
    const { media_type: mediaType, data: base64 } = block.data.source
    return [{ kind: 'bytes', name: `image-${at + 1}`, mediaType, base64 }]
  })
  if (text.join('').trim() === '' && images.length === 0) return bad('no text and no image is in its content')
  return { kind: 'prompt', parts: [{ kind: 'text', text: text.join('\n') }, ...images], line }
}

function readControl(line: unknown): Input {
  const control = Control.safeParse(line)
  const subtype = control.data?.request?.subtype ?? control.data?.subtype
  if (!control.success || !subtype) return bad('a control_request has a request_id and a request with a subtype')
  return { kind: 'control', requestId: control.data.request_id, subtype, request: control.data.request ?? {} }
}

function readResponse(line: unknown): Input {
  const answer = Response.safeParse(line)
  if (!answer.success) return bad('a control_response has a response with subtype and request_id')
  const { request_id: requestId, subtype, response, error } = answer.data.response
  return { kind: 'answer', requestId, response, error: subtype === 'error' ? (error ?? 'it was refused') : null }
}

const bad = (what: string): Input => ({
  kind: 'bad',
  message: `This line was passed over: ${what}. The session goes on.`,
})
