/** ripgrep as the agent uses it: argv only, no configuration of the person's or the repository's, output bounded, ended on Stop. */
import { rgPath } from '@vscode/ripgrep'
import { outsideArchive } from '../base/node-program.ts'
import { type ChildLedger, spawnGroup } from '../base/process-group.ts'
import { refused } from './define.ts'

const program = outsideArchive(rgPath)
const TIMEOUT_MS = 30_000

export interface RipgrepResult {
  lines: string[]
  /** Stopped at `maxLines`, at the time limit or at a stream that was too large. */
  truncated: boolean
}

/** Lines of output in order. Throws words for the model when rg refuses the pattern; a search without matches is no fault. */
export async function ripgrep(
  args: readonly string[],
  options: { cwd: string; maxLines: number; separator?: string; signal: AbortSignal; ledger: ChildLedger },
): Promise<RipgrepResult> {
  const { cwd, maxLines, separator = '\n', signal, ledger } = options
  const group = spawnGroup(program, ['--no-config', '--color=never', ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '' },
    stdin: 'ignore',
    ledger,
  })
  const lines: string[] = []
  let rest = ''
  let complaint = ''
  let truncated = false
  const stop = () => {
    truncated = true
    void group.end(200)
  }
  const timer = setTimeout(stop, TIMEOUT_MS)
  signal.addEventListener('abort', stop, { once: true })
  group.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(0, 2000)
  })
  group.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (truncated) return
    const parts = (rest + text).split(separator)
    rest = (parts.pop() ?? '').slice(0, 100_000)
    lines.push(...parts)
    if (lines.length > maxLines) stop()
  })
  const { code } = await group.exited
  clearTimeout(timer)
  signal.removeEventListener('abort', stop)
  if (rest !== '' && !truncated) lines.push(rest)
  // 0 matches, 1 none, 2 a fault: which still may have come with matches (an unreadable folder).
  if (code === 2 && lines.length === 0 && !truncated) throw refused(`The search failed: ${complaint.trim()}`)
  return { lines: lines.slice(0, maxLines), truncated }
}
