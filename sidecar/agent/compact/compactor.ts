/**
 * Makes room in a conversation when it is time, when a person asks, or when a provider refused what was too long. All of it is
 * one event, so that a crash leaves it done or not begun; nothing leaves the log, and a model that fails loses nothing.
 */
import { ItemId, type TurnId } from '#contract/id'
import type { Usage } from '#contract/session-event'
import type { CompactionItem } from '#contract/session-state'
import { newId } from '../../base/id.ts'
import type { Model, ModelMessage, ModelRequest, SessionPort } from '../ports.ts'
import { notesByRule } from './by-rule.ts'
import { clearedIn, createMeasure, type Measured, messagesOf, notesIn, withItem } from './measure.ts'
import { clearTo, type Fold, foldOf, type Tail } from './plan.ts'
import { tokensOfAll, tokensOfPrefix } from './size.ts'
import { summarise } from './summarise.ts'
import { piecesOf } from './transcript.ts'

/** When a conversation is compacted, and who writes the notes. */
export interface CompactionPolicy {
  /** Of the model's window, 0..1. */
  readonly share: number
  /** Messages that a model is told; 0: any number. */
  readonly messages: number
  /** The model that writes for a session of this one, agreed to by the person; null: none can. */
  summariser(model: string): string | null
}

export interface CompactorOptions {
  readonly session: SessionPort
  readonly turnId: TurnId
  readonly model: Model
  readonly policy: CompactionPolicy
  /** What every request of the session begins with. */
  readonly prefix: Pick<ModelRequest, 'system' | 'tools'>
  /** Who speaks now: `<provider>/<model id>`. */
  speaker(): string
  readonly signal: AbortSignal
  /** It is in the log. `cost`: in dollars, null where no model was asked or no price is known. */
  compacted?(cost: number | null): void
  /** What was asked of a model and came to nothing; in dollars, null where no price is known. */
  wasted?(usage: Usage, cost: number | null): void
  readonly retryBaseMs?: number | undefined
}

/** Each answers whether anything gave way: false also where it was stopped. Rejects only when the session cannot be written. */
export interface Compactor {
  /** Where the next request would be over a limit. */
  inTime(step: number): Promise<boolean>
  /** Because a person asked. */
  asked(step: number, focus: string | null): Promise<boolean>
  /** Down to `level` of what was refused, or of the model's window. */
  force(step: number, level: number): Promise<boolean>
  /** What a provider counted of a request with these messages. */
  learn(messages: readonly ModelMessage[], tokens: number): void
}

/** Of what was refused, or of the window, one after the other. */
export const FORCED_LEVELS = [0.8, 0.6, 0.4, 0.25] as const
const LOW_LEVEL = 0.4
const KEPT_RESULTS = 3
/** Of the tokens that there may be: what stays at the end. */
const TAIL_SHARE = 0.25
const MOST_TAIL = 20
/** A compaction that gains less of the limit than this is put off: it would come again at every step. */
const LEAST_GAIN = 0.1
/** Clearing results alone will do when it leaves this much of the limit. */
const CLEARED_ENOUGH = 0.7
/** Of a model whose window is unknown. */
const WINDOW_TOKENS = 60_000

/** What stays where a person asks: little, since they want room. `tokens`: of the whole request. */
export const ownTail = (tokens: number): Tail => ({ least: 2, most: 4, tokens: tokens * TAIL_SHARE })

/** What a compaction is to come to. Tokens are as a provider counts. */
interface Goal {
  readonly step: number
  readonly why: NonNullable<CompactionItem['why']>
  readonly focus: string | null
  /** Clearing alone will do where it leads below this; null: it never does. */
  readonly enough: number | null
  readonly keptResults: number
  readonly mostChars: number | null
  readonly tail: Tail
  readonly leastGain: number
  readonly leastFolded: number
}
const usualGoal = {
  focus: null,
  enough: null,
  keptResults: KEPT_RESULTS,
  mostChars: null,
  leastGain: 1,
  leastFolded: 1,
}

export function createCompactor(options: CompactorOptions): Compactor {
  const { session, model, policy } = options
  const measure = createMeasure(session, tokensOfPrefix(options.prefix))
  const windowNow = () => model.contextTokens(options.speaker())
  let refused: { step: number; tokens: number } | null = null

  return {
    learn: measure.learn,
    async inTime(step) {
      const window = windowNow()
      const before = await measure.of(session.state)
      const limit = window === null ? before.tokens : Math.floor(window * policy.share)
      const full = before.tokens > limit
      const many = policy.messages > 0 && before.told.length > policy.messages
      if (!full && !many) return false
      const most = many ? Math.max(1, Math.min(MOST_TAIL, Math.floor(policy.messages / 4))) : MOST_TAIL
      const tail = { least: Math.min(3, most), most, tokens: limit * TAIL_SHARE }
      const leastGain = full ? limit * LEAST_GAIN : 1
      const leastFolded = full ? 1 : policy.messages / 2
      const enough = many ? null : limit * CLEARED_ENOUGH
      const why = full ? 'share' : 'count'
      return compact(options, measure, before, { ...usualGoal, step, why, enough, tail, leastGain, leastFolded })
    },
    async asked(step, focus) {
      const before = await measure.of(session.state)
      const tail = ownTail(before.tokens)
      return compact(options, measure, before, { ...usualGoal, step, why: 'person', focus, tail })
    },
    async force(step, level) {
      const before = await measure.of(session.state)
      // Of what was refused at first, not of what is left of it by now.
      if (refused?.step !== step) refused = { step, tokens: before.tokens }
      const enough = Math.min(refused.tokens, windowNow() ?? refused.tokens) * level
      const tail = { least: 1, most: MOST_TAIL, tokens: enough * TAIL_SHARE }
      const low = level > LOW_LEVEL ? {} : { keptResults: 1, mostChars: Math.max(500, Math.floor(enough / 4)) }
      return compact(options, measure, before, {
        ...usualGoal,
        step,
        why: 'too_long',
        enough,
        tail,
        ...low,
      })
    },
  }
}

async function compact(
  options: CompactorOptions,
  measure: ReturnType<typeof createMeasure>,
  before: Measured,
  goal: Goal,
): Promise<boolean> {
  const { session, signal } = options
  const clearedTo = clearTo(before.told, goal.keptResults)
  const clearing = clearingOf(options, before, goal, clearedTo)
  const cleared = await measure.of(withItem(before.state, clearing))
  const gains = (tokens: number) => tokens < before.tokens && before.tokens - tokens >= goal.leastGain
  const write = async (item: CompactionItem, after: Measured, folded: number) => {
    if (signal.aborted) return false
    const { kind: _kind, at: _at, ...event } = item
    const results = Math.max(0, clearedIn(after.state) - clearedIn(before.state))
    await session.append({ type: 'context.compacted', ...event, folded, cleared: results, tokensAfter: after.tokens })
    options.compacted?.(item.asked?.cost ?? null)
    return true
  }
  const clear = async (asked: Pick<CompactionItem, 'asked'> = {}) => {
    const done = (clearedTo !== null || goal.mostChars !== null) && gains(cleared.tokens)
    return done && write({ ...clearing, ...asked }, cleared, 0)
  }

  if (goal.enough !== null && cleared.tokens <= goal.enough && (await clear())) return true
  const fold = chosen(before, cleared, goal, measure.ratio)
  if (!fold) return clear()
  const tries = await notesOn(options, before, fold, goal)
  for (const notes of tries) {
    const { from: fromItemId, to: toItemId, kept } = fold
    const item: CompactionItem = { ...clearing, ...notes, fromItemId, toItemId, kept: [...kept] }
    const after = await measure.of(withItem(before.state, item))
    if (after.tokens < cleared.tokens && gains(after.tokens)) return write(item, after, fold.told.length)
  }
  const asked = tries[0]?.asked
  const done = await clear(asked ? { asked } : {})
  if (!done && asked) options.wasted?.(asked.usage, asked.cost)
  return done
}

/** What is worth a model's notes; null where nothing is. */
function chosen(before: Measured, cleared: Measured, goal: Goal, ratio: number): Fold | null {
  const tail = { ...goal.tail, tokens: goal.tail.tokens / ratio }
  const [usual, more] = [tail, { ...tail, least: 1 }].map(each => foldOf(before.state, cleared.told, each))
  const gain = (fold: Fold) => tokensOfAll(messagesOf(fold.told)) * ratio
  const worth = (fold: Fold | null | undefined): fold is Fold =>
    !!fold && gain(fold) >= goal.leastGain && fold.told.length >= goal.leastFolded
  if (worth(usual) && cleared.tokens - gain(usual) <= (goal.enough ?? before.tokens)) return usual
  // Less stays at the end where the usual end alone is too much.
  return worth(more) ? more : worth(usual) ? usual : null
}

/** As if results alone gave way. */
function clearingOf(
  { session, turnId }: CompactorOptions,
  { told, tokens }: Measured,
  { step, why, focus, mostChars }: Goal,
  clearedTo: ItemId | null,
): CompactionItem {
  const id = ItemId.parse(newId('itm'))
  const first = told.find(({ message }) => message.role === 'tool')?.items[0]
  return {
    ...{ kind: 'compaction', id, parentId: session.state.facts.head, turnId, step, at: 0 },
    ...{ fromItemId: first ?? id, toItemId: clearedTo ?? id, summary: '', tokensBefore: tokens, tokensAfter: 0 },
    ...{ way: 'cleared', why },
    ...(focus === null ? {} : { focus }),
    ...(clearedTo === null ? {} : { clearedTo }),
    ...(mostChars === null ? {} : { mostChars }),
  }
}

type Notes = Pick<CompactionItem, 'summary' | 'way' | 'asked' | 'fault'>

/** In the order in which they are to be tried: what a model wrote, and what stands in for it. None where it was stopped. */
async function notesOn(options: CompactorOptions, before: Measured, fold: Fold, { focus }: Goal): Promise<Notes[]> {
  const { session, turnId, model, policy, signal, retryBaseMs } = options
  const earlier = notesIn(before.state)
  const ids = new Set(fold.told.flatMap(({ items }) => items))
  const byRule = (more: Partial<Notes>): Notes => ({
    ...{ summary: notesByRule(before.state, ids, earlier), way: 'rule' },
    ...more,
  })
  const name = policy.summariser(options.speaker())
  if (name === null) return [byRule({ fault: 'The model of this conversation is no AI that could write notes.' })]
  const text = `Making room: ${name} writes notes on ${fold.told.length} earlier messages.`
  await session.append({ type: 'status.changed', turnId, code: 'compacting', text })
  const mostTokens = Math.min(3000, Math.max(400, Math.round((model.contextTokens(name) ?? WINDOW_TOKENS) * 0.05)))
  const work = { model, name, pieces: piecesOf(fold.told), earlier, focus, mostTokens, retryBaseMs }
  const written = await summarise(work, signal)
  if (signal.aborted) return []
  const { usage } = written
  const asked = { model: name, usage, cost: usage.known ? model.cost(name, usage) : null }
  if (written.text === null) return [byRule({ asked, fault: written.fault ?? 'It did not say why.' })]
  const tooLong = `What ${name} wrote was no shorter than the conversation.`
  return [{ summary: written.text, way: 'model', asked }, byRule({ asked, fault: tooLong })]
}
