/** A run's result for a shell: the answer or the object on stdout, everything else on stderr, and the exit code. */
import type { HeadlessOptions } from '../headless/options.ts'
import { errorOf, exitOf, type Outcome, resultOf } from '../headless/result.ts'

export interface Printed {
  stdout: string
  stderr: string
  exit: number
}

export function print(outcome: Outcome, output: HeadlessOptions['output']): Printed {
  const exit = exitOf(outcome)
  if (output !== 'text') return { stdout: `${JSON.stringify(resultOf(outcome))}\n`, stderr: '', exit }
  const error = errorOf(outcome)
  const { turn, structured, budgetUsd } = outcome
  const text = structured && 'value' in structured ? JSON.stringify(structured.value, null, 2) : turn.text
  const lines = [
    ...outcome.denied.map(({ line }) => `belay run: denied, nobody to ask: ${line}`),
    ...(budgetUsd !== null && outcome.spent === null ? [unpriced(outcome)] : []),
    ...(error === null ? [] : [`belay run: ${error}`]),
  ]
  return {
    stdout: text === '' ? '' : `${text}\n`,
    stderr: lines.map(line => `${line}\n`).join(''),
    exit,
  }
}

const unpriced = ({ turn: { usage } }: Outcome): string =>
  `belay run: no price is known of this model, so the budget could not be held; it took ${usage.input + usage.cacheRead + usage.cacheWrite} tokens in and ${usage.output} out.`
