/**
 * The budget of a command line: one purse for the session and for every agent that works for it, at any depth and at the same
 * time. Whoever runs under the same flags pays into the same sum.
 */
import { MAX_BUDGET, type RunFlags } from '#contract/session'
import { type Ending, ending } from './ending.ts'

/** US dollars. By the very object: flags that are said anew begin at nothing. */
const spent = new WeakMap<RunFlags, number>()

/** As soon as it is known. `cost`: null where no price is known. */
export function pay(flags: RunFlags | null, cost: number | null): void {
  if (flags && cost !== null) spent.set(flags, (spent.get(flags) ?? 0) + cost)
}

/** Looked at before each call of a model: what a call takes is known after it. Null: there is something left. */
export function overBudget(flags: RunFlags | null): Ending | null {
  const most = flags?.maxBudgetUsd
  const taken = (flags && spent.get(flags)) ?? 0
  if (most === undefined || taken < most) return null
  const words = `The budget of $${most} is used up: $${taken.toFixed(4)} was spent. What was done is kept.`
  return ending('limit', MAX_BUDGET, words)
}
