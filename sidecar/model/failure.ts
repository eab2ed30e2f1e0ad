/** What went wrong with a model call, in our codes and in words for a person. No text here ever holds a key. */
import type { ChatFailure } from '#contract/chat-event'
import type { ErrorCode } from '#contract/error'
import { withoutSecrets } from '../base/log.ts'

export const failure = (
  code: ErrorCode,
  message: string,
  status: number | null = null,
  retryAfterMs: number | null = null,
): ChatFailure => ({
  code,
  message: withoutSecrets(message),
  status,
  retryAfterMs,
})

/** From an HTTP answer that is no success. `body` is its text, perhaps JSON, perhaps a proxy's page. */
export function failureOfStatus(provider: string, status: number, body: string, headers: Headers): ChatFailure {
  const said = saidBy(body)
  const because = said ? ` It said: ${said}` : ''
  const words = (code: ErrorCode, text: string) =>
    failure(code, `${text}${because} What was said so far is kept.`, status, retryAfterMs(headers))
  const later = 'Try again in a moment, or choose another model.'
  if (/context.{0,20}(length|window)|too (long|many tokens)|prompt is too long|maximum context/i.test(said))
    return words(
      'context_too_long',
      'The conversation is longer than the model can take. Begin a new one, or choose a model that takes more.',
    )
  if (status === 401 || status === 403)
    return words('auth', `${provider} did not accept the key (${status}). Check it under Settings, Models.`)
  if (status === 404)
    return words(
      'not_found',
      `${provider} knows no such model or address (404). Choose another model, or check the base URL.`,
    )
  if (status === 408 || status === 504) return words('timeout', `${provider} took too long (${status}). Try again.`)
  if (status === 413)
    return words(
      'context_too_long',
      `The request is too large for ${provider} (413). Begin a new conversation, or attach less.`,
    )
  if (status === 429) return words('rate_limit', `${provider} limits how much may be sent now (429). ${later}`)
  if (status === 529 || status === 503) return words('overloaded', `${provider} is overloaded (${status}). ${later}`)
  if (status >= 500) return words('overloaded', `${provider} failed on its side (${status}). ${later}`)
  return words(
    'bad_request',
    `${provider} refused the request (${status}). Choose another model, or check the base URL.`,
  )
}

/** The provider's own sentence, cut; '' when the body is a page or nothing. */
function saidBy(body: string): string {
  try {
    const parsed = JSON.parse(body) as { error?: { message?: unknown } | string; message?: unknown }
    const text = typeof parsed.error === 'string' ? parsed.error : (parsed.error?.message ?? parsed.message)
    return typeof text === 'string' ? text.slice(0, 500) : ''
  } catch {
    return /^\s*</.test(body) ? '' : body.trim().slice(0, 200)
  }
}

function retryAfterMs(headers: Headers): number | null {
  const ms = Number(headers.get('retry-after-ms') ?? Number.NaN)
  if (Number.isFinite(ms)) return ms
  const value = headers.get('retry-after')
  if (!value) return null
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return seconds * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now())
}

/** From what `fetch` or a stream threw. */
export function failureOfThrown(provider: string, baseUrl: string, thrown: unknown): ChatFailure {
  const host = hostOf(baseUrl)
  return failure(
    'network',
    `Belay could not reach ${provider} at ${host} (${detailOf(thrown)}). Check the connection and the base URL; what was answered so far is kept.`,
  )
}

/** The connection was lost after the answer had begun. */
export const failureOfBreak = (provider: string, thrown: unknown): ChatFailure =>
  failure(
    'truncated',
    `The connection to ${provider} broke off in the middle of its answer (${detailOf(thrown)}). What came is kept; say "continue" to go on.`,
  )

function detailOf(thrown: unknown): string {
  const { code, message } =
    (thrown as { cause?: { code?: string; message?: string } }).cause ?? (thrown as Error & { code?: string })
  return [code, message].filter(Boolean).join(' ') || String(thrown)
}

/** Where, without the path and what may be in it. */
export const hostOf = (url: string): string => {
  try {
    return new URL(url).host
  } catch {
    return url
  }
}
