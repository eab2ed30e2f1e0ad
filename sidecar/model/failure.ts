/** What went wrong with a model call, in our codes and in words for a person. No text here ever holds a key. */
import type { ChatFailure } from '#contract/chat-event'
import { BelayError, type ErrorCode } from '#contract/error'
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
  const because = said ? ` It said: ${sentence(said)}` : ''
  const words = (code: ErrorCode, text: string) =>
    failure(
      code,
      `${text}${because} What was said so far is kept.`,
      status,
      retryAfterMs(headers) ?? retryAfterIn(body),
    )
  if (tooLong.test(said)) return words('context_too_long', TOO_LONG)
  if (noCredit.test(body)) return words('auth', `${provider} takes no more from this account (${status}). ${PAY}`)
  if (
    status === 401 ||
    status === 403 ||
    (status === 400 && /api[ _-]?key.{0,20}(not valid|invalid|expired)/i.test(said))
  )
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
  if (status === 429) return words('rate_limit', `${provider} limits how much may be sent now (429). ${LATER}`)
  if (status === 529 || status === 503) return words('overloaded', `${provider} is overloaded (${status}). ${LATER}`)
  if (status >= 500) return words('overloaded', `${provider} failed on its side (${status}). ${LATER}`)
  return words(
    'bad_request',
    `${provider} refused the request (${status}). Choose another model, or check the base URL.`,
  )
}

const tooLong =
  /context.{0,40}(length|window|size)|too (long|many tokens)|prompt is too long|maximum context|(prompt|input).{0,20}longer than|exceeds the maximum number of tokens/i

/** No wait mends it: a limit of money, which some call by the name of a limit of pace. */
const noCredit =
  /insufficient_quota|credit balance is too low|exceeded your current quota.{0,40}billing|payment required/i
const PAY = 'Look at its plan and billing, or choose another model.'

const TOO_LONG =
  'The conversation is longer than the model can take. Begin a new one, or choose a model that takes more.'

/** From an error that came inside an answer. `kind` is whatever the provider calls it: a word, a number, or nothing. */
export function failureOfFrame(provider: string, kind: string, message: string): ChatFailure {
  const said = message || 'no reason given'
  const found = frameFaults.find(([pattern]) => pattern.test(kind))
  const [, code, words, todo] =
    found ?? ([0, 'bad_request', 'broke off', 'Choose another model, or say it differently.'] as const)
  if (tooLong.test(said) || /context_length/.test(kind))
    return failure('context_too_long', `${TOO_LONG} ${provider} said: ${said}`)
  if (noCredit.test(`${kind} ${said}`))
    return failure('auth', `${provider} takes no more from this account: ${sentence(said)} ${PAY}`)
  return failure(code, `${provider} ${words}: ${sentence(said)} What was said so far is kept. ${todo}`)
}

const LATER = 'Try again in a moment, or choose another model.'
const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** First match wins. */
const frameFaults: readonly [kind: RegExp, code: ErrorCode, words: string, todo: string][] = [
  [/rate_?limit|429|quota|resource_exhausted|too_many/i, 'rate_limit', 'limits how much may be sent now', LATER],
  [/overload|unavailable|50[0-35-9]|529|server_error|api_error|internal/i, 'overloaded', 'failed on its side', LATER],
  [/auth|api_key|permission|401|403/i, 'auth', 'did not accept the key', 'Check it under Settings, Models.'],
  [
    /content_filter|policy|invalid_prompt|safety|moderation/i,
    'content_filter',
    'refused this by a filter of its own',
    'Say it differently, or choose another model.',
  ],
  [/timeout|deadline|408|504/i, 'timeout', 'took too long', 'Try again.'],
  [/not_found|404/i, 'not_found', 'knows no such model or address', 'Choose another model, or check the base URL.'],
]

/** The provider's own sentence, cut; '' when the body is a page or nothing. */
function saidBy(body: string): string {
  try {
    const parsed = firstOf(JSON.parse(body)) as { error?: { message?: unknown } | string; message?: unknown }
    const text = typeof parsed.error === 'string' ? parsed.error : (parsed.error?.message ?? parsed.message)
    return typeof text === 'string' ? text.slice(0, 500) : ''
  } catch {
    return /^\s*</.test(body) ? '' : body.trim().slice(0, 200)
  }
}

/** Google answers a list of one where it would have streamed. */
const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)

/** Google says it in the body: `"retryDelay": "34.4s"`. */
function retryAfterIn(body: string): number | null {
  const seconds = /"retryDelay"\s*:\s*"([\d.]+)s"/.exec(body)?.[1]
  return seconds === undefined ? null : Number(seconds) * 1000
}

function retryAfterMs(headers: Headers): number | null {
  const ms = Number(headers.get('retry-after-ms') ?? Number.NaN)
  if (Number.isFinite(ms)) return ms
  const value = headers.get('retry-after')
  if (!value) return null
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return seconds * 1000
  // By the server's own clock where it says it: this machine's may be wrong by hours.
  const [until, said] = [Date.parse(value), Date.parse(headers.get('date') ?? '')]
  return Number.isNaN(until) ? null : Math.max(0, until - (Number.isNaN(said) ? Date.now() : said))
}

/** From what `fetch` or a stream threw. */
export function failureOfThrown(provider: string, baseUrl: string, thrown: unknown): ChatFailure {
  // A proxy's, in words already.
  if (thrown instanceof BelayError) return failure(thrown.code, thrown.message)
  const host = hostOf(baseUrl)
  const [, broken, todo] = certificateFaults.find(([pattern]) => pattern.test(detailOf(thrown))) ?? []
  if (broken)
    return failure('network', `${provider} at ${host} ${broken} (${detailOf(thrown)}). Nothing was sent. ${todo}`)
  const closed = /^https:/i.test(baseUrl) && /other side closed|ECONNRESET|HANDSHAKE_FAILURE/i.test(detailOf(thrown))
  const perhaps = closed ? ' Perhaps it wants another client certificate, or one: see Settings, Models.' : ''
  return failure(
    'network',
    `Belay could not reach ${provider} at ${host} (${detailOf(thrown)}). Check the connection and the base URL; what was answered so far is kept.${perhaps}`,
  )
}

const CLIENT_FILES = 'Check the certificate and its key under Settings, Models.'
/** First match wins. What OpenSSL calls it, and what that means. */
const certificateFaults: readonly [detail: RegExp, broken: string, todo: string][] = [
  [/ALERT_CERTIFICATE_REQUIRED/i, 'asks for a client certificate', 'Name one under Settings, Models.'],
  [/_ALERT_(\w*CERT|UNKNOWN_CA|ACCESS_DENIED)/i, 'did not accept the client certificate', CLIENT_FILES],
  [
    /ERR_OSSL_|KEY_VALUES_MISMATCH/i,
    'cannot be asked: the certificate and its key cannot be used together',
    CLIENT_FILES,
  ],
  [
    /SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|CERT_(HAS_EXPIRED|NOT_YET_VALID|UNTRUSTED|SIGNATURE_FAILURE)|ALTNAME_INVALID/i,
    'shows a certificate that this machine does not trust',
    'Check the base URL; a server of your own needs its authority’s certificate named under Settings, Models.',
  ],
]

/** The connection was lost after the answer had begun. */
export const failureOfBreak = (provider: string, thrown: unknown): ChatFailure =>
  failure(
    'truncated',
    `The connection to ${provider} broke off in the middle of its answer (${detailOf(thrown)}). What came is kept; say "continue" to go on.`,
  )

function detailOf(thrown: unknown): string {
  const { code, message } =
    (thrown as { cause?: { code?: string; message?: string } }).cause ?? (thrown as Error & { code?: string })
  // OpenSSL's own sentence is an address in its source.
  if (code && /^ERR_(SSL|OSSL)_/.test(code)) return code
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
