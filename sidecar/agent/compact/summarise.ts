/**
 * Notes on a part of a conversation, written by a model: piece after piece where it is longer than the model takes. Tries again
 * what passes by itself; what does not is told as words, and nothing is lost by it.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { type ChatFailure, isTerminal } from '#contract/chat-event'
import type { Usage } from '#contract/session-event'
import { addUsage, noUsage } from '#contract/session-fold'
import compactPrompt from '../../../resources/prompts/compact.md?raw'
import { enclosed, newMark } from '../../base/foreign-text.ts'
import { limited } from '../../base/limited.ts'
import type { Model, ModelRequest } from '../ports.ts'
import { retryDelayMs } from '../retry.ts'
import { untilAborted } from '../step.ts'
import { chunksOf } from './transcript.ts'

/** One call may take so long; a model that thinks may. */
const CALL_MS = 240_000
/** Of notes: more is cut, as a model that answers with the conversation itself would have it. */
export const MOST_NOTES_CHARS = 24_000
/** Characters of the conversation that one call is given where the model's window is unknown; and at least. */
const CHUNK_CHARS = 150_000
const LEAST_CHUNK_CHARS = 4000
/** Of a known window, in characters: room for the prompt, earlier notes and the answer is left. */
const CHARS_OF_WINDOW = 1.6
const MOST_CHUNKS = 12

export interface SummaryWork {
  readonly model: Model
  /** `<provider>/<model id>` */
  readonly name: string
  readonly pieces: readonly string[]
  /** Notes on what was before; '' for none. */
  readonly earlier: string
  readonly focus: string | null
  /** Tokens that the notes may have, as the model is told. */
  readonly mostTokens: number
  readonly retryBaseMs?: number | undefined
}

export interface Summary {
  /** Null: it could not be written, `fault` says why. */
  readonly text: string | null
  readonly fault: string | null
  readonly usage: Usage
}

/** Never rejects. `usage` is also told where there is no text: it was used. */
export async function summarise(work: SummaryWork, signal: AbortSignal): Promise<Summary> {
  const window = work.model.contextTokens(work.name)
  const spent = { usage: noUsage }
  let chars = Math.max(LEAST_CHUNK_CHARS, window === null ? CHUNK_CHARS : Math.floor(window * CHARS_OF_WINDOW))
  for (;;) {
    const written = await inChunks(work, chars, spent, signal)
    if (typeof written === 'string') return { text: written, fault: null, usage: spent.usage }
    const smaller = Math.floor(chars / 2)
    if (written.code !== 'context_too_long' || smaller < LEAST_CHUNK_CHARS)
      return { text: null, fault: written.message, usage: spent.usage }
    chars = smaller
  }
}

/** The notes on all of it, or why there are none. Of very much the middle is left out, and said so. */
async function inChunks(
  work: SummaryWork,
  chars: number,
  spent: { usage: Usage },
  signal: AbortSignal,
): Promise<string | ChatFailure> {
  const all = chunksOf(work.pieces, chars)
  const left = all.length - MOST_CHUNKS
  const chunks = left > 0 ? [...all.slice(0, 2), leftOut(left), ...all.slice(2 + left)] : all
  let notes = work.earlier
  for (const chunk of chunks) {
    const written = await ask(work, { notes, chunk }, spent, signal)
    if (typeof written !== 'string') return written
    notes = written
  }
  return notes
}
const leftOut = (chunks: number): string => `(${chunks} parts of the conversation here were too much to read)`

async function ask(
  { model, name, focus, mostTokens, retryBaseMs }: SummaryWork,
  { notes, chunk }: { notes: string; chunk: string },
  spent: { usage: Usage },
  signal: AbortSignal,
): Promise<string | ChatFailure> {
  const text = [
    ...(notes === '' ? [] : [`Notes on the earlier part:\n${enclosed('notes', newMark(), 'earlier', notes)}`]),
    enclosed('conversation', newMark(), 'this session', chunk),
    ...(focus === null ? [] : [`The person asks that the notes keep this in view above all: ${focus}`]),
    `Now write the notes, in at most ${Math.round(mostTokens * 0.7)} words.`,
  ].join('\n\n')
  const request: ModelRequest = {
    ...{ model: name, effort: 'auto', system: compactPrompt.trim(), tools: [], maxOutputTokens: null },
    messages: [{ role: 'user', text, images: [] }],
  }
  for (let attempt = 0; ; attempt++) {
    const limit = limited(signal, CALL_MS)
    const answer = await once(model, request, limit)
    spent.usage = addUsage(spent.usage, answer.usage)
    if (answer.text !== null) return answer.text
    const delayMs = signal.aborted ? null : retryDelayMs(answer.failure, attempt, retryBaseMs)
    if (delayMs === null) return answer.failure
    await wait(delayMs, undefined, { signal }).catch(() => {})
  }
}

type Answer = { usage: Usage } & ({ text: string } | { text: null; failure: ChatFailure })

async function once(model: Model, request: ModelRequest, signal: AbortSignal): Promise<Answer> {
  for await (const event of untilAborted(model.stream(request, signal), signal)) {
    if (!isTerminal(event.type)) continue
    const usage = event.usage ?? event.response?.usage ?? { ...noUsage, known: false }
    const failure = event.failure ?? event.response?.failure ?? null
    const text = event.response?.text.trim() ?? ''
    if (failure) return { usage, text: null, failure }
    if (event.response?.refusal) return { usage, text: null, failure: fault('The model declined to write the notes.') }
    if (text === '') return { usage, text: null, failure: fault('The model wrote no notes.') }
    return { usage, text: text.slice(0, MOST_NOTES_CHARS) }
  }
  const words = signal.aborted ? 'The model took too long to write the notes.' : 'The model ended without a word.'
  return { usage: { ...noUsage, known: false }, text: null, failure: fault(words) }
}

const fault = (message: string): ChatFailure => ({ code: 'internal', message, status: null, retryAfterMs: null })
