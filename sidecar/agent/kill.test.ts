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
     const [folder, script, moment] = process.argv.slice(2)
     const rig = await createRig(JSON.parse(script), { folder })
     await rig.begin('do it')
     await rig.until(moment)
     process.stdout.write(rig.session.sessionId + '\\n')
     setInterval(() => {}, 1000)`,
  )
}, 60_000)
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await rm(dirname(child), { recursive: true, force: true })
})

async function killedAt(moment: string, script: object[][]) {
  const running = spawn(process.execPath, [child, folder, JSON.stringify(script), moment], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 20_000,
  })
  const [line] = (await once(running.stdout, 'data')) as [Buffer]
  running.kill('SIGKILL')
  await once(running, 'exit')
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
