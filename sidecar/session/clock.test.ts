import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ItemId, TurnId } from '#contract/id'
import type { SessionEventDraft } from '#contract/session-event'
import { noUsage } from '#contract/session-fold'
import { createSessionStore } from './store.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'belay-clock-'))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true, force: true })
})

const producer = { engine: 'belay', model: 'guide/guide', account: null, effort: 'auto' } as const
const turn = (n: number): TurnId => TurnId.parse(`trn_${n}`)
const said = (n: number): SessionEventDraft => ({
  type: 'message.added',
  id: ItemId.parse(`itm_${n}`),
  parentId: n === 1 ? null : ItemId.parse(`itm_${n - 1}`),
  turnId: turn(n),
  role: 'user',
  origin: 'user',
  text: String(n),
  attachments: [],
  requestId: null,
})

it('a clock that jumps changes no order, and nothing ends before it began', async () => {
  const newStore = () => createSessionStore({ folder, log: () => {}, instanceId: 'ins', describeInstance: 'test' })
  const store = newStore()
  const clock = vi.spyOn(Date, 'now')
  const day = 86_400_000
  const noon = Date.UTC(2026, 10, 30, 12)
  clock.mockReturnValue(noon)
  const session = await store.create({ roots: ['/w'], title: null, mode: 'default', producer })
  for (const [n, jump] of [10 * day, -400 * day, 0, -1].entries()) {
    const turnId = turn(n + 1)
    await session.append({ type: 'turn.started', turnId, mode: 'default', producer }, said(n + 1))
    clock.mockReturnValue(noon + jump)
    await session.append({ type: 'turn.ended', turnId, outcome: 'done', usage: noUsage, cost: null, error: null })
  }
  const before = structuredClone({ ...session.state, live: null })
  expect(before.path).toEqual(['itm_1', 'itm_2', 'itm_3', 'itm_4'])
  for (const { startedAt, endedAt } of before.turns.values()) expect(endedAt).toBeGreaterThanOrEqual(startedAt)
  const summary = await store.summary(session.sessionId)
  expect(summary?.changedAt).toBe(noon + 10 * day)
  expect(summary?.createdAt).toBe(noon)
  await session.close()
  await store.dispose()
  const again = await newStore().open(session.sessionId)
  expect({ ...again.state, live: null }).toEqual(before)
  await again.close()
})
