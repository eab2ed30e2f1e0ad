/** What a shell that was asked for its environment answers, between whatever its start-up files print. */
import { setTimeout as after } from 'node:timers/promises'
import type { ShellReport } from '#contract/machine'
import type { ProcessGroup } from '../../base/process-group.ts'
import type { Environment } from './shell-question.ts'

export interface Read {
  readonly env: Environment
}
export interface Failure {
  readonly reason: NonNullable<ShellReport['reason']>
  /** The end of what it wrote, for a person to look at. */
  readonly said: string
}

/** More than any environment is. */
const MOST_CHARS = 4_000_000
const SAID_CHARS = 600

/** As soon as the answer is whole: how the shell ends afterwards is not waited for. Never rejects. */
export async function answerOf(group: ProcessGroup, mark: string, timeoutMs: number): Promise<Read | Failure> {
  let output = ''
  let complaint = ''
  const answered = new Promise<'answered'>(resolve => {
    group.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
      // The end counts: files that print without end come before the answer.
      if (output.length > 2 * MOST_CHARS) output = output.slice(-MOST_CHARS)
      if (output.indexOf(mark) < output.lastIndexOf(mark)) resolve('answered')
    })
  })
  group.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    complaint = (complaint + chunk).slice(-SAID_CHARS)
  })
  const late = after(timeoutMs, 'late' as const, { ref: false })
  const how = await Promise.race([answered, group.exited.then(() => 'ended' as const), late])
  const text = output.split(mark)[1]
  const said = (complaint.trim() || output.slice(-SAID_CHARS)).trim()
  if (text === undefined) return { reason: how === 'late' ? 'late' : 'ended', said }
  const env = environmentOf(text)
  return env ? { env } : { reason: 'unreadable', said }
}

function environmentOf(text: string): Environment | null {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null
    const named = Object.entries(parsed).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    return Object.fromEntries(named.filter(([name, value]) => name !== '' && !`${name}${value}`.includes('\0')))
  } catch {
    return null
  }
}
