import { expect, test } from 'vitest'
import { SessionId } from '#contract/id'
import type { UsageRow } from '#contract/session'
import { by, days, sumOf } from './usage-sums.ts'

const row = (more: Partial<UsageRow>): UsageRow => ({
  sessionId: SessionId.parse('ses_1'),
  title: '',
  day: '2026-11-30',
  model: 'a/1',
  turns: 1,
  input: 10,
  output: 1,
  cacheRead: 5,
  cacheWrite: 2,
  cost: 0.5,
  unpriced: 0,
  ...more,
})

test('sums: what has no price is no part of the cost', () => {
  const rows = [row({}), row({ model: 'b/2', cost: 0, unpriced: 1 }), row({ model: 'b/2', cost: 2 })]
  expect(sumOf(rows)).toEqual({ turns: 3, input: 36, output: 3, cacheRead: 15, tokens: 54, cost: 2.5, unpriced: 1 })
  expect([...by(rows, each => each.model)].map(([model, { cost }]) => [model, cost])).toEqual([
    ['b/2', 2],
    ['a/1', 0.5],
  ])
})

test('days: the last ones with today, over ends of months and years', () => {
  expect(days('2026-01-02', 4)).toEqual(['2025-12-30', '2025-12-31', '2026-01-01', '2026-01-02'])
  expect(days('2028-03-01', 2)).toEqual(['2028-02-29', '2028-03-01'])
  expect(days('2026-11-30', 365)).toHaveLength(365)
})
