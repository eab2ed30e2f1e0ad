/** One prompt to its result: what asks is answered by the options, an answer that must be data is asked for once more where it is not. */
import { toFault } from '#contract/error'
import type { PromptPart } from '#contract/session'
import type { SessionEvent } from '#contract/session-event'
import { addUsage } from '#contract/session-fold'
import { type Conversation, partsOf, type Told, type TurnResult } from './conversation.ts'
import { type Denial, denyUnasked } from './deny.ts'
import type { HeadlessOptions } from './options.ts'
import { noTurn, type Outcome, type Signal } from './result.ts'
import { repairWords, type Shape } from './shape.ts'
import { inputOf } from './stream-lines.ts'

export interface Attendance {
  readonly conversation: Conversation
  readonly options: Pick<HeadlessOptions, 'allowedTools' | 'maxBudgetUsd'>
  readonly shape: Shape | null
  readonly told: Told
  /** Who answers what asks; the options do without it. Never rejects. */
  answer?(event: SessionEvent): Promise<Denial[]>
  /** The signal that ended it, when it is over. */
  interruptedBy(): Signal | null
}

/** Dollars of all turns so far; null: some price is not known. */
export interface Purse {
  spent: number | null
}

/** Never rejects. */
export async function attend(
  { conversation, options, shape, told, answer, interruptedBy }: Attendance,
  parts: PromptPart[],
  purse: Purse,
  signal: AbortSignal,
): Promise<Outcome> {
  const denials: Denial[] = []
  const answering = new Set<Promise<void>>()
  const hear: Told = (event, state) => {
    told(event, state)
    if (!('turnId' in event)) return
    const answered = (answer?.(event) ?? denyUnasked(conversation, event, options.allowedTools)).then(
      each => void denials.push(...each),
    )
    answering.add(answered)
    void answered.finally(() => answering.delete(answered))
  }
  const ask = async (asked: PromptPart[]): Promise<TurnResult> => {
    try {
      const turn = await conversation.turn(asked, signal, hear)
      purse.spent = purse.spent === null || turn.cost === null ? null : purse.spent + turn.cost
      return turn
    } catch (thrown) {
      return noTurn(toFault(thrown))
    }
  }

  let turn = await ask(parts)
  let structured = shape && turn.outcome === 'done' ? shape.read(turn.text) : null
  if (structured && 'problem' in structured && shape && !signal.aborted) {
    const again = await ask(partsOf(repairWords(structured.problem)))
    turn = both(turn, again)
    if (turn.outcome === 'done') structured = shape.read(turn.text)
  }
  await Promise.all(answering)
  const denied = denials.map(each => ({ ...each, input: inputOf(conversation.state, each.callId) }))
  return {
    turn,
    sessionId: conversation.sessionId,
    spent: purse.spent,
    denied,
    structured,
    budgetUsd: options.maxBudgetUsd,
    interrupted: interruptedBy(),
  }
}

/** Two turns that are one to who asked. */
const both = (first: TurnResult, second: TurnResult): TurnResult => ({
  ...second,
  usage: addUsage(first.usage, second.usage),
  cost: first.cost === null || second.cost === null ? null : first.cost + second.cost,
  steps: first.steps + second.steps,
  durationMs: first.durationMs + second.durationMs,
})
