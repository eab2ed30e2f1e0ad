import { expect, test } from 'vitest'
import { TurnId } from '#contract/id'
import type { SessionEvent, SessionEventDraft } from '#contract/session-event'
import { noUsage } from '#contract/session-fold'
import { newId } from '../base/id.ts'
import { dayOf, digest, emptyDigest } from './digest.ts'

const day = (date: number, hour = 12) => new Date(2026, 10, date, hour).getTime()
const turnId = TurnId.parse(newId('trn'))
const started = (model: string): SessionEventDraft => ({
  type: 'turn.started',
  turnId,
  mode: 'default',
  producer: { engine: 'belay', model, account: null, effort: 'auto' },
})
const ended = (input: number, cost: number | null, answeredBy?: string): SessionEventDraft => ({
  type: 'turn.ended',
  turnId,
  outcome: 'done',
  usage: { ...noUsage, input, output: 1, known: true },
  cost,
  error: null,
  ...(answeredBy ? { answeredBy } : {}),
})
const after = (...events: [number, SessionEventDraft][]) =>
  events.reduce((known, [at, draft], i) => digest(known, { ...draft, at, seq: i + 1 } as SessionEvent), emptyDigest)

test('what was spent, by day and by the model that answered', () => {
  const { spent } = after(
    [day(1), started('a/1')],
    [day(1), ended(10, 0.5)],
    [day(1, 23), started('a/1')],
    [day(2, 0), ended(20, null)],
    [day(2), started('a/1')],
    [day(2), ended(30, 0.25, 'b/2')],
    [day(2), started('b/2')],
    [day(2), ended(40, 1)],
    [
      day(2),
      {
        type: 'session.titled',
        title: 't',
        by: 'agent',
        asked: { model: 'b/2', usage: { ...noUsage, input: 5, output: 2, known: true }, cost: 0.01 },
      },
    ],
  )
  const nothing = { cacheRead: 0, cacheWrite: 0 }
  expect(spent).toEqual([
    { day: '2026-11-01', model: 'a/1', turns: 1, input: 10, output: 1, cost: 0.5, unpriced: 0, ...nothing },
    { day: '2026-11-02', model: 'a/1', turns: 1, input: 20, output: 1, cost: 0, unpriced: 1, ...nothing },
    { day: '2026-11-02', model: 'b/2', turns: 2, input: 75, output: 4, cost: 1.26, unpriced: 0, ...nothing },
  ])
})

test('a day is one of this machine’s clock', () => {
  expect(dayOf(new Date(2026, 0, 5, 0, 0, 1).getTime())).toBe('2026-01-05')
  expect(dayOf(new Date(2026, 0, 5, 23, 59).getTime())).toBe('2026-01-05')
})
