/** How a turn went, for programs: one object, the same in `json` and as the last line of `stream-json`; and the exit code. */
import type { SessionId } from '#contract/id'
import { MAX_BUDGET } from '#contract/session'
import { endSignals } from '../../base/end-signals.ts'
import type { TurnResult } from './conversation.ts'
import type { Denial } from './deny.ts'

export type Signal = 'SIGINT' | 'SIGTERM'

/** A turn and what the face knows beside it. */
export interface Outcome {
  readonly turn: TurnResult
  readonly sessionId: SessionId | ''
  /** Dollars of all turns of this process; null: a price is not known. */
  readonly spent: number | null
  readonly denied: readonly (Denial & { input: unknown })[]
  /** Of `--json-schema`: what the answer holds, or what is wrong with it. Null without a schema. */
  readonly structured: { value: unknown } | { problem: string } | null
  readonly budgetUsd: number | null
  /** The signal that ended it. */
  readonly interrupted: Signal | null
}

export const exits = { done: 0, error: 1, limit: 2, noPrompt: 3, budget: 4 } as const

export function exitOf({ turn, structured, interrupted }: Outcome): number {
  if (interrupted) return endSignals[interrupted]
  if (turn.error?.code === MAX_BUDGET) return exits.budget
  if (turn.outcome === 'limit') return exits.limit
  return turn.outcome === 'done' && !(structured && 'problem' in structured) ? exits.done : exits.error
}

/** Null where it went well. */
export function errorOf({ turn, structured, interrupted }: Outcome): string | null {
  if (interrupted) return `interrupted by ${interrupted}; what the turn had done stays done`
  if (turn.outcome === 'done') return structured && 'problem' in structured ? structured.problem : null
  return turn.error?.message ?? (turn.outcome === 'stopped' ? 'the turn was stopped' : 'the turn did not end well')
}

/** Names as Claude Code's readers expect them, and the metrics beside. */
export function resultOf(outcome: Outcome): Record<string, unknown> {
  const { turn, structured, budgetUsd, spent, denied } = outcome
  const exit = exitOf(outcome)
  const error = errorOf(outcome)
  const { usage } = turn
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite
  return {
    type: 'result',
    subtype: subtypeOf(outcome, exit),
    is_error: exit !== 0,
    result: turn.text,
    ...(error === null ? {} : { error }),
    session_id: outcome.sessionId,
    num_turns: turn.steps,
    duration_ms: turn.durationMs,
    metrics: usage.known
      ? {
          total_tokens: prompt + usage.output,
          prompt_tokens: prompt,
          completion_tokens: usage.output,
          duration_ms: turn.durationMs,
        }
      : { total_tokens: null, prompt_tokens: null, completion_tokens: null, duration_ms: turn.durationMs },
    usage: {
      input_tokens: usage.input,
      output_tokens: usage.output,
      cache_read_input_tokens: usage.cacheRead,
      cache_creation_input_tokens: usage.cacheWrite,
    },
    total_cost_usd: turn.cost,
    ...(budgetUsd === null ? {} : { budget_limit_usd: budgetUsd, session_cost_usd: spent }),
    ...(exit === exits.budget ? { budget_exceeded: true } : {}),
    ...(exit === exits.limit ? { max_turns_exceeded: true } : {}),
    ...(outcome.interrupted || turn.outcome === 'stopped' ? { interrupted: true } : {}),
    ...(structured && 'value' in structured ? { structured_output: structured.value } : {}),
    ...(structured && 'problem' in structured ? { structured_error: structured.problem } : {}),
    permission_denials: denied.map(({ tool, callId, input, line }) => ({
      tool_name: tool,
      tool_use_id: callId,
      tool_input: input,
      reason: line,
    })),
  }
}

function subtypeOf({ structured }: Outcome, exit: number): string {
  if (exit === exits.done) return 'success'
  if (exit === exits.budget) return 'error_max_budget_usd'
  if (exit === exits.limit) return 'error_max_turns'
  return structured && 'problem' in structured ? 'error_structured_output' : 'error_during_execution'
}

/** A turn that never came to be. */
export const noTurn = (error: TurnResult['error'], durationMs = 0): TurnResult => ({
  text: '',
  turnId: null,
  outcome: 'error',
  error,
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, known: false },
  cost: null,
  steps: 0,
  durationMs,
})
