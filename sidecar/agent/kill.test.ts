/** Write-ahead, with a real kill: what was started and has no end is lost, and nothing that was acknowledged is. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SessionId } from '#contract/id'
import { bundled } from '../base/bundled.case.ts'
import { createSessionStore } from '../session/store.ts'
import { historyOf } from './context.ts'

let child: string
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'belay-kill-'))
  child = await bundled(
    'turn',
    `import { createRig } from './sidecar/agent/fixture.case.ts'
     import { writeSync } from 'node:fs'
     const [folder, script, moment, tokens] = process.argv.slice(2)
     const rig = await createRig(JSON.parse(script), { folder, contextTokens: Number(tokens) })
     await rig.begin('do it')
     await rig.until(moment)
     writeSync(1, rig.session.sessionId + '\\n')
     process.kill(process.pid, 'SIGKILL')`,
  )
}, 60_000)
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await rm(dirname(child), { recursive: true, force: true })
})

async function killedAt(moment: string, script: object, contextTokens = 200_000) {
  const running = spawn(process.execPath, [child, folder, JSON.stringify(script), moment, String(contextTokens)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 20_000,
  })
  const ended = once(running, 'exit')
  const [line] = (await once(running.stdout, 'data')) as [Buffer]
  // It kills itself at that moment: whoever else did would come later, on a busy machine much later.
  expect(await ended).toEqual([null, 'SIGKILL'])
  const store = createSessionStore({ folder, log: () => {}, instanceId: 'next', describeInstance: 'next' })
  const session = await store.open(SessionId.parse(String(line).trim()))
  const { state } = session
  const told = [...state.items.values()].map(item =>
    item.kind === 'tool' ? `${item.tool} ${item.state}` : item.kind === 'message' ? item.text : item.kind,
  )
  const outcomes = [...state.turns.values()].map(turn => turn.outcome)
  const open = [...state.asks.values()].filter(ask => ask.answer === null).length
  const history = await historyOf(state, id => session.readBlob(id))
  await store.dispose()
  return { told, outcomes, open, history }
}

it('between the start of a call and its end', async () => {
  const script = [[{ text: 'I work.' }, { call: 'slow', arguments: { deaf: true } }]]
  const { told, outcomes, history } = await killedAt('tool.started', script)
  expect({ told, outcomes }).toEqual({ told: ['do it', 'I work.', 'slow lost'], outcomes: ['lost'] })
  expect(history.at(-1)).toMatchObject({ role: 'tool', failed: true, text: expect.stringContaining('may have run') })
})

it('while it asks: the ask stays open, for nothing ran yet', async () => {
  const { told, outcomes, open } = await killedAt('permission.asked', [[{ call: 'change', arguments: { path: 'a' } }]])
  expect({ told, outcomes, open }).toEqual({ told: ['do it', 'change requested'], outcomes: [null], open: 1 })
})

it('while it speaks: what was kept of it stays', async () => {
  const script = [[{ text: 'first' }, { text: ['sec', 'ond'] }, { delayMs: 60_000 }]]
  const { told, outcomes } = await killedAt('message.ended', script)
  expect(told.slice(0, 2)).toEqual(['do it', 'first'])
  expect(outcomes).toEqual(['lost'])
})

const long = [{ call: 'burst', arguments: { chars: 15_000 } }, { text: 'On I go.' }]
const compacting = (notes: object[]) => ({
  rules: [{ when: '^<conversation', steps: [notes] }],
  steps: [[long[0], long[0]], [long[0]], [long[0]], [{ delayMs: 60_000 }]],
})

it('while notes are written: nothing of it was begun', async () => {
  const { told, outcomes, history } = await killedAt('status.changed', compacting([{ delayMs: 60_000 }]), 8000)
  expect(told).not.toContain('compaction')
  expect(outcomes).toEqual(['lost'])
  expect(history.every(message => message.role !== 'tool' || message.text.length > 8000)).toBe(true)
})

it('when room was made: all of it is there', async () => {
  const { told, outcomes, history } = await killedAt('context.compacted', compacting([{ text: 'It went well.' }]), 8000)
  expect(told.at(-1)).toBe('compaction')
  expect(outcomes).toEqual(['lost'])
  expect(history[0]).toMatchObject({ role: 'user', text: expect.stringMatching(/^do it[\s\S]*It went well\./) })
})
