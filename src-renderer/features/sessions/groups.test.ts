import { describe, expect, it } from 'vitest'
import { SessionId } from '#contract/id'
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
    forkedFrom: null,
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
const told = (options: Partial<Parameters<typeof linesOf>[1]>, sessions = all) =>
  linesOf(sessions, { query: '', archived: false, now, ...options }).map(line =>
    line.kind === 'group' ? `${line.name} ${line.count}` : `${'> '.repeat(line.depth)}${line.summary.title}`,
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

describe('a tree of branches', () => {
  const off = (parent: string) => ({ forkedFrom: { sessionId: SessionId.parse(`ses_${parent}`), atItemId: null } })
  const tree = [
    session('root', { changedAt: now - 50 * day }),
    session('branch', { ...off('root'), changedAt: now - 3 * day }),
    session('leaf', { ...off('branch'), changedAt: now - 1000 }),
    session('kept', { ...off('root'), pinned: true }),
    session('orphan', { ...off('gone'), changedAt: now - 20 * day }),
    session('filed', { ...off('root'), archived: true }),
  ]
  it('stands under what it branched off, by its newest work; pinned and archived ones for themselves', () =>
    expect(told({ archived: true }, tree)).toEqual([
      ...['pinned 1', 'kept', 'today 1', 'root', '> branch', '> > leaf', 'older 1', 'orphan', 'archived 1', 'filed'],
    ]))
  it('is folded where a person folded it', () =>
    expect(told({ folded: new Set([SessionId.parse('ses_branch')]) }, tree)).toEqual([
      ...['pinned 1', 'kept', 'today 1', 'root', '> branch', 'older 1', 'orphan'],
    ]))
  it('shows what was found, also where its parent was not', () =>
    expect(told({ query: 'leaf' }, tree)).toEqual(['today 1', 'leaf']))
})
