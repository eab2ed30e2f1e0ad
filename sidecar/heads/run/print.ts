/** A run's result in words for a shell: the answer on stdout, everything else on stderr, and the exit code. */
import type { RunArguments } from './arguments.ts'
import type { RunResult } from './run.ts'

export interface Printed {
  stdout: string
  stderr: string
  exit: number
}

/** `interrupted`: the signal that ended it. */
export function print(
  result: RunResult,
  output: RunArguments['output'],
  interrupted: 'SIGINT' | 'SIGTERM' | null,
): Printed {
  const exit = exitOf(result, interrupted)
  const error = errorOf(result, interrupted)
  if (output === 'json') return { stdout: `${JSON.stringify(jsonOf(result, error, exit))}\n`, stderr: '', exit }
  const lines = [
    ...result.denied.map(line => `belay run: denied, nobody to ask: ${line}`),
    ...(error === null ? [] : [`belay run: ${error}`]),
  ]
  return {
    stdout: result.text === '' ? '' : `${result.text}\n`,
    stderr: lines.map(line => `${line}\n`).join(''),
    exit,
  }
}

function exitOf({ outcome }: RunResult, interrupted: string | null): number {
  if (interrupted) return interrupted === 'SIGINT' ? 130 : 143
  return outcome === 'done' ? 0 : outcome === 'limit' ? 2 : 1
}

function errorOf({ outcome, error }: RunResult, interrupted: string | null): string | null {
  if (interrupted) return `interrupted by ${interrupted}; what the turn had done stays done`
  if (outcome === 'done') return null
  return error?.message ?? (outcome === 'stopped' ? 'the turn was stopped from elsewhere' : 'the turn did not end well')
}

const jsonOf = (result: RunResult, error: string | null, exit: number): Record<string, unknown> => ({
  result: result.text,
  is_error: exit !== 0,
  ...(error === null ? {} : { error }),
  session_id: result.sessionId,
  metrics: {
    total_tokens: result.usage ? result.usage.input + result.usage.output : null,
    prompt_tokens: result.usage?.input ?? null,
    completion_tokens: result.usage?.output ?? null,
    duration_ms: result.durationMs,
  },
  total_cost_usd: result.cost,
  ...(exit === 2 ? { max_turns_exceeded: true } : {}),
  ...(result.denied.length > 0 ? { denied: result.denied } : {}),
})
