/**
 * The test model: plays a script instead of thinking, over the same port as every provider. A prompt that starts with
 * `script:` carries its own, so that tests can drive the real product with `--model scripted/default`.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { ChatEventDraft, FinishReason } from '#contract/chat-event'
import type { Usage } from '#contract/session-event'
import { type Model, type ModelMessage, type ModelRequest, personsWords } from '../agent/ports.ts'
import { failure } from './failure.ts'
import { respond } from './response.ts'
import { type Act, parseScript, SCRIPT_MARK, Script, type ScriptInput, stepsFor } from './scripted-script.ts'

export interface ScriptedModel extends Model {
  /** The last requests, oldest first: what a test reads to see what the model was told. */
  readonly requests: readonly ModelRequest[]
}

const KEPT_REQUESTS = 100

/** Costs one dollar per million tokens, so that sums can be checked by eye. Throws when the script cannot be played. */
export function createScripted(options: { script?: ScriptInput; contextTokens?: number } = {}): ScriptedModel {
  const script = options.script && Script.parse(options.script)
  const requests: ModelRequest[] = []
  const failures = new Map<string, number>()
  const failsAgain = (key: string, times: number | undefined): boolean => {
    const before = failures.get(key) ?? 0
    failures.set(key, before + 1)
    return times === undefined || before < times
  }
  return {
    requests,
    stream(request, signal) {
      requests.push(request)
      if (requests.length > KEPT_REQUESTS) requests.shift()
      const { acts, key } = actsFor(request.messages, script)
      return respond(
        play(acts, times => failsAgain(key, times), signal),
        signal,
      )
    },
    cost: (_model, usage) => (usage.input + usage.output + usage.cacheRead + usage.cacheWrite) / 1_000_000,
    contextTokens: () => options.contextTokens ?? 200_000,
  }
}

/** Which step of which script comes next: the model keeps no state, so the history says it. */
function actsFor(messages: readonly ModelMessage[], script: Script | undefined): { acts: Act[]; key: string } {
  const at = promptIndex(messages)
  const prompt = messages[at]
  const words = prompt?.role === 'user' ? personsWords(prompt.text) : ''
  const step = messages.slice(at + 1).filter(message => message.role === 'assistant').length
  const key = `${words}\n${at}\n${step}`
  const carried = words.startsWith(SCRIPT_MARK) ? parseScript(words.slice(SCRIPT_MARK.length)) : null
  if (carried && 'problem' in carried) {
    return { acts: [{ error: 'bad_request', message: carried.problem }], key }
  }
  const played = carried?.script ?? script
  const steps = played && stepsFor(played, words)
  if (!steps) return { acts: [{ text: `You said: ${prompt?.role === 'user' ? undated(prompt.text) : ''}` }], key }
  return { acts: steps[step] ?? [{ text: 'The script is at its end.' }], key }
}

/** The date differs from day to day, and a test's words must not. */
const undated = (text: string): string => text.replace(/\n\n\[Belay: Today is [^\]]*\]/, '')

/** The user's message that began this turn: words that came in between, after a tool's result, are no new prompt. */
function promptIndex(messages: readonly ModelMessage[]): number {
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = messages[i]
    if (message?.role !== 'user') continue
    if (message.text.startsWith(SCRIPT_MARK) || messages[i - 1]?.role !== 'tool') return i
  }
  return 0
}

const listOf = (chunks: string | string[]): string[] => (typeof chunks === 'string' ? [chunks] : chunks)

async function* play(
  acts: readonly Act[],
  fails: (times: number | undefined) => boolean,
  signal: AbortSignal,
): AsyncGenerator<ChatEventDraft> {
  let usage: Partial<Usage> = { input: 100, output: 10 }
  let finish: FinishReason = acts.some(act => 'call' in act) ? 'tool' : 'stop'
  for (const [index, act] of acts.entries()) {
    if (signal.aborted) return
    if ('delayMs' in act) await pause(act.delayMs, signal)
    else if ('usage' in act) usage = act.usage
    else if ('finish' in act) finish = act.finish
    else if ('truncate' in act) return yield { type: 'ERROR', failure: failure('truncated', BROKEN_OFF) }
    else if ('abort' in act) return yield { type: 'ABORT' }
    else if ('error' in act) {
      if (!fails(act.times)) continue
      const { error, message = `The script failed here: ${error}.`, status = null, retryAfterMs = null } = act
      return yield { type: 'ERROR', failure: failure(error, message, status, retryAfterMs) }
    } else yield* speak(act, index, signal)
  }
  yield { type: 'USAGE', usage }
  yield { type: 'STEP_END', finish }
}

const BROKEN_OFF = 'The stream ended before the answer did. What had arrived is kept; send again to go on.'

type Spoken = Exclude<
  Act,
  | { delayMs: number }
  | { usage: unknown }
  | { finish: string }
  | { error: string }
  | { abort: true }
  | { truncate: true }
>

async function* speak(act: Spoken, index: number, signal: AbortSignal): AsyncGenerator<ChatEventDraft> {
  if ('call' in act) yield* call(act, index, signal)
  else if ('serverTool' in act) yield* serverTool(act, index)
  else if ('event' in act) yield { ...act.event, index }
  else yield* words(act, index, signal)
}

/** A call as its opening, its pieces of 16 KB and its end. */
function* call(act: Extract<Act, { call: string }>, index: number, signal: AbortSignal): Generator<ChatEventDraft> {
  const whole =
    'argumentBytes' in act
      ? JSON.stringify({ text: 'x'.repeat(act.argumentBytes) })
      : typeof act.arguments === 'string'
        ? act.arguments
        : JSON.stringify(act.arguments)
  const id = `scripted_${index}`
  const place = { index, blockId: id }
  yield { type: 'TOOL_CALL_START', ...place, toolCall: { id, name: act.call, arguments: '' } }
  for (let at = 0; at < whole.length && !signal.aborted; at += 16_384)
    yield { type: 'TOOL_CALL_ARGS_DELTA', ...place, text: whole.slice(at, at + 16_384) }
  yield { type: 'TOOL_CALL_END', ...place, toolCall: { id, name: act.call, arguments: whole } }
}

/** A tool that ran at the provider: its query, what it found, its result. */
function* serverTool(act: Extract<Act, { serverTool: string }>, index: number): Generator<ChatEventDraft> {
  const place = { index, blockId: `scripted_${index}`, subType: act.serverTool }
  yield { type: 'SERVER_TOOL_START', ...place, toolCall: { id: place.blockId, name: act.serverTool, arguments: '' } }
  yield { type: 'SERVER_TOOL_ARGS_DELTA', ...place, text: JSON.stringify(act.arguments) }
  for (const searchResult of act.results) yield { type: 'SEARCH_RESULT', ...place, searchResult }
  yield { type: 'SERVER_TOOL_RESULT', ...place, text: act.result, failed: act.failed, opaque: { scripted: act.result } }
}

/** Text, reasoning or a refusal, in the pieces that the script cut. */
async function* words(
  act: Exclude<Spoken, { call: string } | { serverTool: string } | { event: unknown }>,
  index: number,
  signal: AbortSignal,
): AsyncGenerator<ChatEventDraft> {
  const group = 'text' in act ? 'TEXT' : 'reasoning' in act ? 'THINKING' : null
  if (group) yield { type: `${group}_START`, index }
  for (const text of listOf('text' in act ? act.text : 'reasoning' in act ? act.reasoning : act.refusal)) {
    // A turn of the event loop between pieces, as with a socket: what waits gets its chance.
    await new Promise(resolve => setImmediate(resolve))
    if (signal.aborted) return
    yield { type: group ? `${group}_DELTA` : 'REFUSAL_DELTA', index, text }
  }
  if ('reasoning' in act && act.redacted) yield { type: 'THINKING_REDACTED', index, opaque: act.opaque ?? null }
  else if ('reasoning' in act && act.opaque !== undefined)
    yield { type: 'THINKING_SIGNATURE', index, opaque: act.opaque }
  if (group) yield { type: `${group}_END`, index }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> => wait(ms, undefined, { signal }).catch(() => {})
