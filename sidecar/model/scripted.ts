/**
 * The test model: plays a script instead of thinking, over the same port as every provider. A prompt that starts with
 * `script:` carries its own, so that tests can drive the real product with `--model scripted/default`.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { ChatEvent, ChatFailure, FinishReason } from '#contract/chat-event'
import type { Usage } from '#contract/session-event'
import { noUsage } from '#contract/session-fold'
import { type Model, type ModelMessage, type ModelRequest, personsWords } from '../agent/ports.ts'
import { createEvents, type MakeEvent } from './events.ts'
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
      return play(acts, times => failsAgain(key, times), signal)
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
  if (!steps) return { acts: [{ text: `You said: ${prompt?.role === 'user' ? prompt.text : ''}` }], key }
  return { acts: steps[step] ?? [{ text: 'The script is at its end.' }], key }
}

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
): AsyncGenerator<ChatEvent> {
  const event = createEvents()
  let usage: Usage = { ...noUsage, input: 100, output: 10 }
  let finish: FinishReason = acts.some(act => 'call' in act) ? 'tool' : 'stop'
  yield event('RESPONSE_START')
  yield event('STEP_START')
  for (const [index, act] of acts.entries()) {
    if (signal.aborted) return
    if ('delayMs' in act) await pause(act.delayMs, signal)
    else if ('usage' in act) usage = { ...act.usage, known: true }
    else if ('finish' in act) finish = act.finish
    else if ('error' in act) {
      if (!fails(act.times)) continue
      return yield* fail(event, usage, {
        code: act.error,
        message: act.message ?? `The script failed here: ${act.error}.`,
        status: act.status ?? null,
        retryAfterMs: act.retryAfterMs ?? null,
      })
    } else if ('truncate' in act) return yield* fail(event, usage, brokenOff)
    else if ('abort' in act) {
      yield event('STEP_END', { usage })
      return yield event('ABORT', { usage })
    } else yield* speak(event, act, index, signal)
  }
  if (signal.aborted) return
  yield event('USAGE', { usage })
  yield event('STEP_END', { usage, finish })
  yield event('RESPONSE_END', { usage, finish })
}

const brokenOff: ChatFailure = {
  code: 'truncated',
  message: 'The stream ended before the answer did. What had arrived is kept; send again to go on.',
  status: null,
  retryAfterMs: null,
}

function* fail(event: MakeEvent, usage: Usage, failure: ChatFailure): Generator<ChatEvent> {
  yield event('STEP_END', { usage })
  yield event('ERROR', { failure })
}

/** Text, reasoning or a call as its opening, its pieces and its end. Pieces are cut by the script, or at 16 KB. */
async function* speak(
  event: MakeEvent,
  act: Extract<Act, { text: unknown } | { reasoning: unknown } | { call: string }>,
  index: number,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  if ('call' in act) {
    const whole =
      'argumentBytes' in act
        ? JSON.stringify({ text: 'x'.repeat(act.argumentBytes) })
        : typeof act.arguments === 'string'
          ? act.arguments
          : JSON.stringify(act.arguments)
    const id = `scripted_${index}`
    const place = { index, blockId: id }
    yield event('TOOL_CALL_START', { ...place, toolCall: { id, name: act.call, arguments: '' } })
    for (let at = 0; at < whole.length && !signal.aborted; at += 16_384) {
      yield event('TOOL_CALL_ARGS_DELTA', { ...place, text: whole.slice(at, at + 16_384) })
    }
    if (signal.aborted) return
    return yield event('TOOL_CALL_END', { ...place, text: whole, toolCall: { id, name: act.call, arguments: whole } })
  }
  const group = 'text' in act ? 'TEXT' : 'THINKING'
  yield event(`${group}_START`, { index })
  for (const text of listOf('text' in act ? act.text : act.reasoning)) {
    // A turn of the event loop between pieces, as with a socket: what waits gets its chance.
    await new Promise(resolve => setImmediate(resolve))
    if (signal.aborted) return
    yield event(`${group}_DELTA`, { index, text })
  }
  if ('reasoning' in act && act.redacted) yield event('THINKING_REDACTED', { index, opaque: act.opaque ?? null })
  else if ('reasoning' in act && act.opaque !== undefined)
    yield event('THINKING_SIGNATURE', { index, opaque: act.opaque })
  yield event(`${group}_END`, { index })
}

const pause = (ms: number, signal: AbortSignal): Promise<void> => wait(ms, undefined, { signal }).catch(() => {})
