/** How large the history of a session is as its provider counts: guessed by bytes, set right by what was said of a call. */
import type { SessionState } from '#contract/session-fold'
import type { CompactionItem } from '#contract/session-state'
import { type Told, toldOf } from '../context.ts'
import type { ModelMessage, SessionPort } from '../ports.ts'
import { standingOf } from '../standing.ts'
import { ratioOf, tokensOfAll } from './size.ts'

export interface Measured {
  readonly state: SessionState
  readonly told: Told[]
  /** Of the whole request, `fixed` with it. */
  readonly tokens: number
}

export interface Measure {
  of(state: SessionState): Promise<Measured>
  /** How much more a provider counts than is guessed. */
  readonly ratio: number
  /** What a provider counted of a request with these messages. */
  learn(messages: readonly ModelMessage[], tokens: number): void
}

/** `fixed`: guessed tokens that every request of the session begins with. */
export function createMeasure(session: SessionPort, fixed: number): Measure {
  let ratio: number | null = null
  return {
    get ratio() {
      return ratio ?? 1
    },
    async of(state) {
      const told = await toldOf(state, id => session.readBlob(id))
      ratio ??= knownRatio(state, told, fixed)
      return { state, told, tokens: Math.round((fixed + tokensOfAll(messagesOf(told))) * ratio) }
    },
    learn(messages, tokens) {
      ratio = ratioOf(tokens, fixed + tokensOfAll(messages))
    },
  }
}

export const messagesOf = (told: readonly Told[]): ModelMessage[] => told.map(({ message }) => message)

/** The state as it would be; the session's own is not touched. */
export const withItem = (state: SessionState, item: CompactionItem): SessionState => ({
  ...state,
  items: new Map(state.items).set(item.id, item),
  path: [...state.path, item.id],
})

/** Results that the model would be told if they were not cleared. */
export function clearedIn(state: SessionState): number {
  const standing = standingOf(state)
  return standing.items.filter(({ id }) => standing.isCleared(id)).length
}

/** The notes that stand for what is folded so far; '' for none. */
export function notesIn({ path, items }: SessionState): string {
  const last = path
    .flatMap(id => items.get(id) ?? [])
    .findLast(item => item.kind === 'compaction' && item.summary !== '')
  return last?.kind === 'compaction' ? last.summary : ''
}

/** Of what was known last: what the last call took in is all before its answer, what a compaction left is all before it. */
function knownRatio({ facts, path, items }: SessionState, told: readonly Told[], fixed: number): number {
  const compacted = path.findLastIndex(id => items.get(id)?.kind === 'compaction')
  const answer = told.findLastIndex(({ message }) => message.role === 'assistant')
  const answered = path.findLastIndex(id => told[answer]?.items.includes(id))
  const before = new Set(path.slice(0, compacted))
  const known =
    answered > compacted ? told.slice(0, answer) : told.filter(each => each.items.every(id => before.has(id)))
  return ratioOf(facts.contextTokens, fixed + tokensOfAll(messagesOf(known)))
}
