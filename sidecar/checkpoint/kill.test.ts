import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundle } from '../../scripts/bundle.mjs'
import { defaultLimits } from './prune.ts'
import { FILES, textOf } from './taking.case.ts'
import { type RunningStore, startStore } from './thread.ts'

const KILLS = process.env.BELAY_DEEP ? 60 : 12

let child = ''
let home = ''
beforeAll(async () => {
  child = await bundle(fileURLToPath(new URL('taking.case.ts', import.meta.url)))
  home = await mkdtemp(join(tmpdir(), 'belay-take-kill-'))
})
afterAll(async () => {
  await rm(home, { recursive: true, force: true })
  await rm(dirname(child), { recursive: true, force: true })
})

type Ack = readonly [round: number, id: string]

async function takeAndKill(from: number, acks: number): Promise<Ack[]> {
  const running = spawn(process.execPath, [child, join(home, 'root'), join(home, 'store'), String(from)])
  const deadline = setTimeout(() => running.kill('SIGKILL'), 30_000)
  let text = ''
  let faults = ''
  running.stdout.setEncoding('utf8').on('data', piece => {
    text += piece
    // Not at once: somewhere in the middle of what follows.
    if (text.split('\n').length > acks) setTimeout(() => running.kill('SIGKILL'), Math.random() * 8)
  })
  running.stderr.setEncoding('utf8').on('data', piece => {
    faults += piece
  })
  await new Promise(resolve => running.on('close', resolve))
  clearTimeout(deadline)
  expect(faults).toBe('')
  return [...text.matchAll(/^ack (\d+) (\S+)$/gm)].map(([, round, id]) => [Number(round), id ?? ''])
}

/** The text of a file as it was at a checkpoint. */
async function textAt(store: RunningStore, id: string, path: string): Promise<string | null> {
  const lines = await store.since(id)
  if (!lines) throw new Error(`${id} is not known any more`)
  const next = lines.find(line => line.path === path)
  if (!next) return readFile(join(home, 'root', path), 'utf8')
  return next.before && String(await store.contentOf(next.before.hash))
}

test(`SIGKILL ${KILLS} times while checkpoints are taken: what was said to be kept is`, {
  timeout: process.env.BELAY_DEEP ? 1_800_000 : 180_000,
}, async () => {
  await mkdir(join(home, 'root'))
  const all: Ack[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    const from = (all.at(-1)?.[0] ?? -1) + 2
    const acks = await takeAndKill(from, 1 + Math.floor(Math.random() * 12))
    const open = () =>
      startStore({
        ...{ root: join(home, 'root'), folder: join(home, 'store'), instanceId: 'test', leaveOut: [] },
        ...{ leftOut: { allow: [], extra: [] }, limits: defaultLimits, onFull: () => {}, onLines: () => {} },
      })
    const store = open()
    for (const [round, id] of acks.slice(-6)) {
      const last = Math.min(FILES, round - from + 1)
      for (let back = 0; back < last; back++)
        expect([round, back, await textAt(store, id, `f${(round - back) % FILES}`)]).toEqual([
          round,
          back,
          textOf(round - back),
        ])
    }
    await store.shut()
    all.push(...acks)
  }
  expect(all.length).toBeGreaterThanOrEqual(KILLS)
})
