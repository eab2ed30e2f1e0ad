/** What we read of OpenAI's Responses: every field may be missing, for gateways leave out what they please. */
import type { ChatEventDraft } from '#contract/chat-event'
import type { WireAnnotation, WireItem } from './openai-responses-tools.ts'

export interface WireUsage {
  input_tokens?: number
  output_tokens?: number
  input_tokens_details?: { cached_tokens?: number | null; cache_write_tokens?: number | null } | null
  output_tokens_details?: { reasoning_tokens?: number | null } | null
}
export interface WireError {
  code?: string | null
  type?: string | null
  message?: string
}
export interface WireResponse {
  id?: string
  model?: string
  object?: string
  status?: string
  output?: WireItem[]
  usage?: WireUsage | null
  error?: WireError | null
  incomplete_details?: { reason?: string } | null
}
export interface WireFrame extends WireResponse {
  type?: string
  code?: string | null
  message?: string
  response?: WireResponse
  output_index?: number | null
  content_index?: number
  summary_index?: number
  sequence_number?: number
  item_id?: string
  item?: WireItem
  part?: { type?: string }
  delta?: string
  text?: string
  annotation?: WireAnnotation | null
  partial_image_b64?: string
  output_format?: string
}

export function usageOf(wire: WireUsage | null | undefined): ChatEventDraft[] {
  if (!wire) return []
  const cacheRead = wire.input_tokens_details?.cached_tokens ?? 0
  const cacheWrite = wire.input_tokens_details?.cache_write_tokens ?? 0
  const usage = {
    input: Math.max(0, (wire.input_tokens ?? 0) - cacheRead - cacheWrite),
    output: wire.output_tokens ?? 0,
    cacheRead,
    cacheWrite,
    reasoning: wire.output_tokens_details?.reasoning_tokens ?? 0,
  }
  return [{ type: 'USAGE', usage }]
}
