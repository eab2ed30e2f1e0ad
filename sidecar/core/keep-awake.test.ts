import { expect, test } from 'vitest'
import type { SessionId } from '#contract/id'
import type { SessionSummary } from '#contract/session'
import { createEmitter } from '../base/emitter.ts'
import { keepAwakeWhileWorking } from './keep-awake.ts'

test('awake from the first session that works to the last one; who waits for its person, or is held elsewhere, sleeps', () => {
  const listed: Parameters<typeof keepAwakeWhileWorking>[0]['listed'] = createEmitter()
  const told: boolean[] = []
  let wanted = true
  const end = keepAwakeWhileWorking({ listed, wanted: () => wanted, keepAwake: on => told.push(on) })
  const say = (id: string, state: SessionSummary['state'] | null, heldBy: string | null = null) =>
    listed.emit({ sessionId: id as SessionId, summary: state && ({ state, heldBy } as SessionSummary) })
  say('a', 'running')
  say('b', 'running')
  say('c', 'running', 'Belay 1')
  say('a', 'asking')
  say('b', null)
  expect(told).toEqual([true, false])
  wanted = false
  say('a', 'running')
  expect(told).toEqual([true, false])
  wanted = true
  say('a', 'running')
  end()
  say('b', 'running')
  expect(told).toEqual([true, false, true, false])
})
