/** The checkpoints of a turn, told as its events: before the first effect, after the last, and none where nothing was done. */
import { afterEach, expect, it } from 'vitest'
import type { ScriptInput } from '../model/scripted-script.ts'
import { createRig, type Rig, told } from './fixture.case.ts'
import type { Checkpoint } from './ports.ts'

let rig: Rig
afterEach(() => rig.dispose())

const change = { call: 'change', arguments: { path: 'a' } }
const look = { call: 'look', arguments: { path: 'a' } }

async function turn(script: ScriptInput, checkpoint: Partial<Checkpoint>) {
  rig = await createRig(script, {
    mode: 'acceptEdits',
    deps: { checkpoint: { take: async () => null, notices: async () => [], ...checkpoint } },
  })
  await (await rig.begin()).ended
  return told(rig.events).filter(line => !/^(message|turn\.started|tool\.requested)/.test(line))
}
/** Another state after each effect. */
const perEffect: Partial<Checkpoint> = {
  take: async () => `chk_${rig.ran.filter(each => each.startsWith('change')).length}`,
}

it('looks beside the model call, and waits for it before the first effect alone', async () => {
  const order: string[] = []
  let kept = () => {}
  const take: Checkpoint['take'] = (_session, _turn, when) => {
    order.push(`${when} asked`)
    if (when === 'end') return Promise.resolve('chk_end')
    return new Promise(resolve => {
      kept = () => {
        order.push('start kept')
        resolve('chk_start')
      }
    })
  }
  rig = await createRig([[look], [change], [{ text: 'Over.' }]], {
    mode: 'acceptEdits',
    deps: { checkpoint: { take, notices: async () => [] } },
  })
  const running = await rig.begin()
  await expect.poll(() => rig.events.filter(({ type }) => type === 'tool.requested').length).toBe(2)
  expect([order, rig.ran]).toEqual([['start asked'], ['look a']])
  kept()
  await running.ended
  expect(order).toEqual(['start asked', 'start kept', 'end asked'])
  const taken = rig.events.flatMap(event =>
    event.type === 'checkpoint.taken' ? [[event.when, event.checkpointId]] : [],
  )
  expect(taken).toEqual([
    ['start', 'chk_start'],
    ['end', 'chk_end'],
  ])
})

it('tells nothing of a turn without effects, and no end where nothing changed', async () => {
  expect(await turn([[look], [{ text: 'Over.' }]], perEffect)).not.toContain('checkpoint.taken')
  await rig.dispose()
  const lines = await turn([[change], [{ text: 'Over.' }]], { take: async () => 'chk_same' })
  expect(lines.filter(line => line === 'checkpoint.taken')).toHaveLength(1)
})

it('a fault keeps nobody from working', async () => {
  const lines = await turn([[change], [{ text: 'Over.' }]], { take: () => Promise.reject(new Error('disk full')) })
  expect(lines).toEqual(['tool.started {"path":"a","text":""}', 'tool.ended done changed a', 'turn.ended done'])
})

it('Stop does not wait for it', async () => {
  rig = await createRig([[change]], {
    mode: 'acceptEdits',
    deps: { checkpoint: { take: () => new Promise(() => {}), notices: async () => [] } },
  })
  const running = await rig.begin()
  await rig.until('tool.requested')
  const began = Date.now()
  await running.stop()
  expect(Date.now() - began).toBeLessThan(1000)
  expect(told(rig.events).at(-1)).toBe('turn.ended stopped')
  expect(rig.ran).toEqual([])
})

it('another conversation in the folder is told of once, before the first effect', async () => {
  const lines = await turn([[change], [{ text: 'Over.' }]], {
    ...perEffect,
    notices: async () => [{ code: 'shared_folder', text: 'Theirs too' }],
  })
  expect(lines.slice(0, 2)).toEqual(['status.changed shared_folder', 'checkpoint.taken'])
  const again = await rig.begin('again')
  await again.ended
  expect(told(rig.events).filter(line => line === 'status.changed shared_folder')).toHaveLength(1)
})
