import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SessionId } from '#contract/id'
import { bundle } from '../../scripts/bundle.mjs'
import { createSessionStore } from './store.ts'

const LANES = 4
const KILLS = process.env.BELAY_DEEP ? 50 : 10

let child: string
let folder: string
beforeAll(async () => {
  child = await bundle(fileURLToPath(new URL('writing.case.ts', import.meta.url)))
  folder = await mkdtemp(join(tmpdir(), 'belay-kill-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await rm(dirname(child), { recursive: true, force: true })
})

interface Ack {
  readonly sessionId: SessionId
  readonly seq: number
  readonly title: string
}

/** Lets it write until it acknowledged `acks` records and some time more, then ends it without a warning. */
async function writeAndKill(args: string[], acks: number): Promise<Ack[]> {
  const running = spawn(process.execPath, [child, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const deadline = setTimeout(() => running.kill('SIGKILL'), 60_000)
  let text = ''
  let faults = ''
  running.stdout.setEncoding('utf8').on('data', piece => {
    text += piece
    if (text.split('\n').length > acks) running.kill('SIGKILL')
  })
  running.stderr.setEncoding('utf8').on('data', piece => {
    faults += piece
  })
  await new Promise(resolve => running.on('close', resolve))
  clearTimeout(deadline)
  expect(faults).toBe('')
  return text.split('\n').flatMap(line => {
    const [, sessionId, seq, title] = /^ack (\S+) (\d+) (\S+)$/.exec(line) ?? []
    return title === undefined ? [] : [{ sessionId: SessionId.parse(sessionId), seq: Number(seq), title }]
  })
}

describe('SIGKILL while appending', () => {
  it(`loses nothing acknowledged, ${LANES * KILLS} times, ${KILLS} on each log`, {
    timeout: process.env.BELAY_DEEP ? 1_800_000 : 300_000,
  }, async () => {
    const lane = async (number: number): Promise<number> => {
      const own = join(folder, `lane-${number}`)
      const acks: Ack[] = []
      for (let kill = 0; kill < KILLS; kill++) {
        const known = acks[0] ? [acks[0].sessionId] : []
        acks.push(...(await writeAndKill([own, String(kill), ...known], 1 + Math.floor(Math.random() ** 2 * 60))))
        const store = createSessionStore({
          folder: own,
          log: () => {},
          instanceId: 'ins_test',
          describeInstance: 'test',
        })
        const session = await store.open(SessionId.parse(acks[0]?.sessionId))
        expect(session.damaged).toBe(0)
        const { text } = await store.exportLog(session.sessionId)
        const records = new Map(text.split('\n').flatMap(line => (line ? [JSON.parse(line)].map(r => [r.seq, r]) : [])))
        for (const ack of acks) expect(records.get(ack.seq)).toMatchObject({ type: 'session.titled', title: ack.title })
        expect([...records.keys()]).toEqual(Array.from({ length: records.size }, (_, index) => index + 1))
        await store.dispose()
      }
      return acks.length
    }
    const counts = await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)))
    for (const count of counts) expect(count).toBeGreaterThan(KILLS)
  })
})
