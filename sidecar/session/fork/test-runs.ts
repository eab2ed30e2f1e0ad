/** Commands that look like runs of tests, and how each ended the last time. A guess for showing: nothing hangs on it. */
import type { Item } from '#contract/session-state'
import type { TestRun } from '#contract/session-tree'

const RUNNERS =
  /(?:^|[\s/:.-])(?:tests?|spec|check|jest|vitest|pytest|mocha|ava|tap|rspec|phpunit|ctest|tox|nox|playwright|cypress|karma|unittest)(?:$|[\s:.-])/i
/** What only looks at or moves files that are called like that. */
const NO_RUNNER =
  /^(?:cat|grep|rg|ls|echo|printf|git|cd|rm|cp|mv|mkdir|touch|sed|awk|head|tail|find|wc|less|code|vim?|nano|tree|chmod|diff)$/
const MOST_CHARS = 500

/** By command line, in the order of their first runs. */
export function testRuns(items: readonly Item[]): Map<string, TestRun> {
  const runs = new Map<string, TestRun>()
  for (const item of items) {
    const command = item.kind === 'tool' && item.tool === 'bash' ? commandOf(item.started) : null
    if (item.kind !== 'tool' || command === null || !looksLikeTests(command)) continue
    const { id: itemId, at, durationMs, detail, state } = item
    const exitCode = typeof detail.exitCode === 'number' ? detail.exitCode : null
    const ran = exitCode === null ? state === 'failed' : exitCode !== 0
    const outcome = exitCode === 0 ? 'passed' : ran ? 'failed' : 'unknown'
    runs.set(command, { itemId, at, durationMs, outcome, exitCode })
  }
  return runs
}

/** Without what only goes to a folder first: a branch in a worktree goes elsewhere for the same. */
function commandOf(started: unknown): string | null {
  const command = (started as { command?: unknown } | null | undefined)?.command
  if (typeof command !== 'string' || command.length > MOST_CHARS) return null
  return command
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/^cd (?:"[^"]*"|'[^']*'|[^\s&;|]+) ?(?:&&|;) ?/, '')
}

export const looksLikeTests = (command: string): boolean =>
  command.split(/&&|\|\|?|;/).some(segment => {
    const words = segment.trim().replace(/^(?:\w+=\S* )+/, '')
    return !NO_RUNNER.test(words.split(' ', 1)[0] ?? '') && RUNNERS.test(words)
  })
