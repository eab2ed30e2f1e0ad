/**
 * One scripted talk through any entry: text, a tool, an ask, its answer, a stop, and a second client that takes it up again.
 * This is the test of "one agent core": every entry tells the same events, and each one left out says why.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { told } from '../../sidecar/agent/fixture.case.ts'
import type { Client } from '../../sidecar/contract/client.ts'
import { ItemId, type RequestId, type WorkspaceId } from '../../sidecar/contract/id.ts'
import type { BelayContract } from '../../sidecar/contract/index.ts'
import type { SessionEvent } from '../../sidecar/contract/session-event.ts'
import { foldSession } from '../../sidecar/contract/session-fold.ts'
import { snapshotOf, stateFrom } from '../../sidecar/contract/session-window.ts'

export interface TalkEntry {
  readonly name: string
  /** Why this entry cannot be talked to here; null when it can. */
  readonly skipped: string | null
  /** A core with a trusted, empty folder open, and ways in: each `connect` is a client of its own that said hello. */
  open(): Promise<{
    folder: string
    workspaceId: WorkspaceId
    connect(clientId: string): Promise<Client<BelayContract>>
    dispose(): Promise<void>
  }>
}

type Open = Awaited<ReturnType<TalkEntry['open']>>

export const script = (...steps: object[][]) => [{ kind: 'text' as const, text: `script:${JSON.stringify(steps)}` }]
export const newRequest = () => crypto.randomUUID() as RequestId

export function talkCase(entries: readonly TalkEntry[]): void {
  describe('one talk', () => {
    for (const entry of entries) {
      if (entry.skipped !== null) it.skip(`through ${entry.name}: ${entry.skipped}`, () => {})
      else
        it(`through ${entry.name}`, async () => {
          const opened = await entry.open()
          try {
            expect(await talk(opened)).toEqual(expectedBy('first'))
          } finally {
            await opened.dispose()
          }
        })
    }
  })
}

const items = [{ text: 'Write it', state: 'in_progress' }]
export const written = script(
  [{ reasoning: 'What is wanted?' }, { text: ['I note', ' it.'] }, { call: 'todo', arguments: { items } }],
  [{ call: 'write', arguments: { path: 'hello.txt', content: 'hello\n' } }],
  [{ text: 'It is written.' }],
)
export const slow = script([{ text: 'This takes' }, { delayMs: 60_000 }, { text: ' long.' }])

async function talk({ folder, workspaceId, connect }: Open): Promise<string[]> {
  const first = await connect('first')
  const { sessionId } = await first.session.create({ workspaceId, model: 'scripted/default' })
  const events = listen(first)
  const opened = await first.session.open({ sessionId })
  const state = stateFrom(opened)

  // Text, a tool, an ask and its answer.
  const parts = written
  const requestId = newRequest()
  const prompted = await first.session.prompt({ sessionId, requestId, parts })
  expect(prompted.outcome).toBe('started')
  expect(await first.session.prompt({ sessionId, requestId, parts })).toEqual({ ...prompted, outcome: 'known' })
  const { batchId, calls } = await events.until('permission.asked', 1)
  const answers = calls.map(({ callId }) => ({ callId, verdict: 'allow' as const, remember: 'once' as const }))
  expect(await first.session.answerPermission({ sessionId, batchId, answers })).toEqual({ won: true })
  expect(await first.session.answerPermission({ sessionId, batchId, answers })).toEqual({ won: false })
  await events.until('turn.ended', 1)
  expect(await readFile(join(folder, 'hello.txt'), 'utf8')).toBe('hello\n')

  // A stop in the middle of an answer.
  await first.session.prompt({ sessionId, requestId: newRequest(), parts: slow })
  await events.until('message.ended', 3)
  const stopped = performance.now()
  expect(await first.session.stop({ sessionId })).toEqual({ stopped: true })
  expect(performance.now() - stopped).toBeLessThan(1000)

  // Another client takes it up, and the first one still hears.
  await events.until('turn.ended', 2)
  for (const event of events.all) expect(foldSession(state, event)).toBe('ok')
  const second = await connect('second')
  const again = await second.session.open({ sessionId })
  expect(again).toEqual(JSON.parse(JSON.stringify(snapshotOf(state, again.epoch, 200))))
  const page = await second.session.older({ sessionId, before: ItemId.parse(again.items.at(-1)?.id) })
  expect(page.items).toEqual(again.items.slice(0, -1))
  const resumed = listen(second)
  await second.session.prompt({ sessionId, requestId: newRequest(), parts: [{ kind: 'text', text: 'Still there?' }] })
  await Promise.all([resumed.until('turn.ended', 1), events.until('turn.ended', 3)])
  expect(events.all.slice(-resumed.all.length)).toEqual(resumed.all)
  await second.session.close({ sessionId })
  return told(events.all)
}

export function listen(client: Client<BelayContract>) {
  const all: SessionEvent[] = []
  const waiting = new Set<() => void>()
  client.on('session/happened', batch => {
    all.push(...batch.events)
    for (const look of waiting) look()
  })
  return {
    all,
    until: <T extends SessionEvent['type']>(type: T, count: number) =>
      new Promise<Extract<SessionEvent, { type: T }>>(resolve => {
        const look = () => {
          const found = all.filter(event => event.type === type)[count - 1]
          if (!found) return
          waiting.delete(look)
          resolve(found as Extract<SessionEvent, { type: T }>)
        }
        waiting.add(look)
        look()
      }),
  }
}

/** `by`: what the client that answers calls itself. */
export const expectedBy = (by: string) => [
  'session.titled',
  'turn.started',
  expect.stringMatching(/^message.added user user script:/),
  'reasoning.added',
  'reasoning.ended What is wanted?',
  'message.added assistant model',
  'message.ended I note it.',
  'tool.requested todo',
  'checkpoint.taken',
  'tool.started {"items":[{"text":"Write it","state":"in_progress"}]}',
  'todo.changed',
  expect.stringMatching(/^tool.ended done/),
  'tool.requested write',
  expect.stringMatching(/^permission.asked write .*hello.txt$/),
  `permission.answered allow by ${by}`,
  'tool.started {"path":"hello.txt","content":"hello\\n"}',
  expect.stringMatching(/^tool.ended done/),
  'message.added assistant model',
  'message.ended It is written.',
  'checkpoint.taken',
  'turn.ended done',
  'turn.started',
  expect.stringMatching(/^message.added user user script:/),
  'message.added assistant model',
  'message.ended This takes',
  'status.changed stopped',
  'turn.ended stopped',
  'turn.started',
  'message.added user user Still there?',
  'message.added assistant model',
  expect.stringMatching(/^message.ended You said: Still there\?\n\n\[Belay: the person stopped/),
  'turn.ended done',
]
