/** Room on a person's word: when nothing runs, while a turn runs, when there is nothing; stopped; and what fills the context. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type RequestId, SessionId } from '#contract/id'
import type { SessionEvent } from '#contract/session-event'
import { authorize, smallTools, workspaceId } from '../agent/fixture.case.ts'
import { createScripted, type ScriptedModel } from '../model/scripted.ts'
import { type Conversations, createConversations } from './conversation.ts'
import { createSessionStore, type SessionStore } from './store.ts'

let folder: string
let store: SessionStore
let model: ScriptedModel
let talks: Conversations
const events: SessionEvent[] = []
const heard = new Set<() => void>()
const context = { clientId: 'window', signal: new AbortController().signal }

const NOTES = '## Goal\nFive answers.'
const start = (acts: object[]) =>
  createScripted({
    script: { rules: [{ when: '^<conversation', steps: [acts as []] }], steps: [[{ text: 'w'.repeat(3000) }]] },
  })

async function begin(writer: ScriptedModel): Promise<SessionId> {
  model = writer
  folder = await mkdtemp(join(tmpdir(), 'belay-room-'))
  const log = () => {}
  store = createSessionStore({ folder, log, instanceId: 'test', describeInstance: 'test' })
  talks = createConversations({
    ...{ store, model, tools: smallTools(), authorize, remember: async () => null, epoch: 'epoch', log },
    surroundings: async () => ({ roots: [], platform: '', shell: '', date: '', instructions: [], dirty: [] }),
    workspaceOf: () => ({ roots: ['/project'] }),
    workspaceIdOf: () => workspaceId,
    defaults: () => ({ mode: 'default', model: 'scripted/default', effort: 'auto', maxTurns: 20 }),
    consented: () => true,
    trusted: () => true,
    revert: async () => 'stale',
  })
  talks.attach({
    clientId: 'window',
    emit(name, payload) {
      if (name === 'session/happened') events.push(...(payload as { events: SessionEvent[] }).events)
      for (const each of heard) each()
    },
  })
  const { sessionId } = await talks.handlers.create({ workspaceId }, context)
  const id = SessionId.parse(sessionId)
  await talks.handlers.open({ sessionId: id }, context)
  return id
}
beforeEach(() => {
  events.length = 0
  heard.clear()
})
afterEach(async () => {
  await talks.dispose()
  await store.dispose()
  await rm(folder, { recursive: true, force: true })
})

const until = (found: () => boolean) =>
  new Promise<void>(resolve => {
    const look = () => found() && resolve()
    heard.add(look)
    look()
  })
const count = (type: SessionEvent['type']) => events.filter(event => event.type === type).length
async function say(sessionId: SessionId, text: string): Promise<void> {
  const ends = count('turn.ended')
  const requestId = crypto.randomUUID() as RequestId
  await talks.handlers.prompt({ sessionId, requestId, parts: [{ kind: 'text', text }], whenRunning: 'steer' }, context)
  await until(() => count('turn.ended') > ends)
}

it('folds what was said, on a word, with what is to be kept in view; and tells what fills the context', async () => {
  const sessionId = await begin(start([{ text: NOTES }]))
  await expect(async () => talks.handlers.compact({ sessionId, focus: '' }, context)).rejects.toThrow(
    /nothing was said/,
  )
  await say(sessionId, 'one')
  expect(await talks.handlers.compact({ sessionId }, context)).toEqual({ outcome: 'nothing' })
  for (const words of ['two', 'three', 'four', 'five']) await say(sessionId, words)
  const before = await talks.handlers.contextUse({ sessionId }, context)
  expect(before).toMatchObject({ windowTokens: 200_000, compactAtTokens: 150_000, foldable: true, messages: 10 })
  expect(Object.values(before.parts).reduce((sum, part) => sum + part, 0)).toBe(before.tokens)
  expect(await talks.handlers.compact({ sessionId, focus: ' five ' }, context)).toEqual({ outcome: 'compacted' })
  const made = events.find(event => event.type === 'context.compacted')
  expect(made).toMatchObject({
    way: 'model',
    why: 'person',
    focus: 'five',
    summary: NOTES,
    folded: 7,
    asked: { cost: 0.00011 },
  })
  const after = await talks.handlers.contextUse({ sessionId }, context)
  expect(after.tokens).toBe(made?.type === 'context.compacted' ? made.tokensAfter : -1)
  expect(after.parts.notes).toBeGreaterThan(0)
  expect(after.tokens).toBeLessThan(before.tokens)
  // No answer of its own, and the next prompt goes on from there.
  await say(sessionId, 'six')
  const last = model.requests.at(-1)?.messages ?? []
  expect(last.map(message => (message.role === 'user' ? message.text.split('\n')[0] : message.role))).toEqual([
    ...['one', 'five', 'assistant', 'six'],
  ])
})

it('makes room at the next step of a turn that runs, or behind it', async () => {
  const sessionId = await begin(start([{ text: NOTES }]))
  for (const words of ['one', 'two', 'three']) await say(sessionId, words)
  const slow = [[{ call: 'slow' }], [{ text: 'Over.' }]]
  const requestId = crypto.randomUUID() as RequestId
  const parts = [{ kind: 'text' as const, text: `script:${JSON.stringify(slow)}` }]
  await talks.handlers.prompt({ sessionId, requestId, parts, whenRunning: 'steer' }, context)
  await until(() => count('tool.started') === 1)
  expect(await talks.handlers.compact({ sessionId }, context)).toEqual({ outcome: 'next_step' })
  expect(count('context.compacted')).toBe(0)
  // A person who stops the turn wants nothing more of it.
  await talks.handlers.stop({ sessionId }, context)
  expect(count('context.compacted')).toBe(0)
  const late = [[{ delayMs: 400 }, { text: 'Said.' }]]
  const ends = count('turn.ended')
  const again = [{ kind: 'text' as const, text: `script:${JSON.stringify(late)}` }]
  await talks.handlers.prompt(
    { sessionId, requestId: crypto.randomUUID() as RequestId, parts: again, whenRunning: 'steer' },
    context,
  )
  expect(await talks.handlers.compact({ sessionId }, context)).toEqual({ outcome: 'next_step' })
  await until(() => count('turn.ended') === ends + 2)
  expect(count('context.compacted')).toBe(1)
})

it('is stopped with nothing made', async () => {
  const sessionId = await begin(start([{ delayMs: 60_000 }]))
  for (const words of ['one', 'two', 'three']) await say(sessionId, words)
  const asked = talks.handlers.compact({ sessionId }, context)
  await until(() => events.some(event => event.type === 'status.changed' && event.code === 'compacting'))
  await talks.handlers.stop({ sessionId }, context)
  expect(await asked).toEqual({ outcome: 'stopped' })
  expect(count('context.compacted')).toBe(0)
})
