/** Sums over what models took. What has no known price is counted as such and never as free. */
import type { UsageRow } from '#contract/session'

export interface Sum {
  readonly turns: number
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  /** All of them: in, out, cached. */
  readonly tokens: number
  readonly cost: number
  readonly unpriced: number
}

const none: Sum = { turns: 0, input: 0, output: 0, cacheRead: 0, tokens: 0, cost: 0, unpriced: 0 }

const plus = (sum: Sum, row: UsageRow): Sum => ({
  turns: sum.turns + row.turns,
  input: sum.input + row.input + row.cacheWrite,
  output: sum.output + row.output,
  cacheRead: sum.cacheRead + row.cacheRead,
  tokens: sum.tokens + row.input + row.output + row.cacheRead + row.cacheWrite,
  cost: sum.cost + row.cost,
  unpriced: sum.unpriced + row.unpriced,
})

export const sumOf = (rows: readonly UsageRow[]): Sum => rows.reduce(plus, none)

/** Most costly first, then most used. */
export function by(rows: readonly UsageRow[], key: (row: UsageRow) => string): Map<string, Sum> {
  const sums = new Map<string, Sum>()
  for (const row of rows) sums.set(key(row), plus(sums.get(key(row)) ?? none, row))
  return new Map([...sums].sort(([, a], [, b]) => b.cost - a.cost || b.tokens - a.tokens))
}

/** The last `count` days with `today` (`2026-11-30`), oldest first. */
export function days(today: string, count: number): string[] {
  // Noon of a day is that day whatever the clock's zone does.
  const end = Date.parse(`${today}T12:00:00Z`)
  return Array.from({ length: count }, (_, i) =>
    new Date(end - (count - 1 - i) * 86_400_000).toISOString().slice(0, 10),
  )
}
