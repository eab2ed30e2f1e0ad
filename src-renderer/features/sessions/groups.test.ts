import { describe, expect, it } from 'vitest'
import type { SessionSummary } from '#contract/session'
import { linesOf } from './groups.ts'

const now = new Date(2026, 10, 29, 12).getTime()
const day = 86_400_000
const session = (title: string, change: Partial<SessionSummary>): SessionSummary =>
  ({
    sessionId: `ses_${title}`,
    title,
    preview: '',
    changedAt: now,
    pinned: false,
    archived: false,
    ...change,
  }) as SessionSummary
const all = [
  session('pin', { pinned: true, changedAt: now - 30 * day }),
  session('new', {}),
  session('last', { changedAt: now - day }),
  session('week', { changedAt: now - 5 * day }),
  session('old', { changedAt: now - 50 * day, preview: 'Fix the Harbour' }),
  session('gone', { archived: true }),
]
const told = (options: Partial<Parameters<typeof linesOf>[1]>) =>
  linesOf(all, { query: '', archived: false, now, ...options }).map(line =>
    line.kind === 'group' ? `${line.name} ${line.count}` : line.summary.title,
  )

describe('linesOf', () => {
  it('groups by pin and day', () =>
    expect(told({})).toEqual([
      'pinned 1',
      'pin',
      'today 1',
      'new',
      'yesterday 1',
      'last',
      'week 1',
      'week',
      'older 1',
      'old',
    ]))
  it('shows archived ones last and only when asked', () =>
    expect(told({ archived: true }).slice(-2)).toEqual(['archived 1', 'gone']))
  it('searches titles and first words, whatever the case', () =>
    expect(told({ query: 'harbour' })).toEqual(['older 1', 'old']))
})
