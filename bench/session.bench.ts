/**
 * Bars: opening a session of 100,000 events takes less than 500 ms and rewinding it less than 100; opening and forking one never
 * holds the event loop for 50 ms of work; a cached one opens sooner; appending costs one sync, shared by what comes at once.
 */
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeRecord } from '../sidecar/base/record.ts'
import { SessionId } from '../sidecar/contract/id.ts'
import { snapshotOf } from '../sidecar/contract/session-window.ts'
import { filesOf } from '../sidecar/session/files.ts'
import { fork as makeFork } from '../sidecar/session/fork/fork.ts'
import { aimAt } from '../sidecar/session/head/aim.ts'
import { branchPoints } from '../sidecar/session/head/branches.ts'
import { load } from '../sidecar/session/reader.ts'
import { writeSnapshot } from '../sidecar/session/snapshot.ts'
import { createSessionStore } from '../sidecar/session/store.ts'
import { toRecord } from '../sidecar/session/upgrade.ts'
import { longLog, SESSION } from './session-log.ts'

const folder = await mkdtemp(join(tmpdir(), 'belay-bench-session-'))
const files = filesOf(folder, SESSION)

/** CPU time of `work` (others use this machine too), and the most CPU time that passed between two turns of the event loop. */
async function measure<T>(work: () => Promise<T>): Promise<{ value: T; ms: number; longestMs: number }> {
  let longest = 0
  let before = process.cpuUsage()
  let going = true
  const tick = (): void => {
    const { user, system } = process.cpuUsage(before)
    longest = Math.max(longest, (user + system) / 1000)
    before = process.cpuUsage()
    if (going) setImmediate(tick)
  }
  tick()
  const began = process.cpuUsage()
  const value = await work()
  const spent = process.cpuUsage(began)
  const ms = (spent.user + spent.system) / 1000
  going = false
  return { value, ms, longestMs: longest }
}

const MOST_OPEN_MS = 500
const MOST_REWIND_MS = 100
const met = (holds: boolean) => (holds ? 'met' : 'MISSED')
let worst = 0
let missed = false
for (const count of [10_000, 100_000]) {
  const events = longLog(count)
  await mkdir(files.folder, { recursive: true })
  await writeFile(files.log, Buffer.concat(events.map(event => encodeRecord(toRecord(event)))))
  await rm(files.snapshot, { force: true })
  const { size } = await stat(files.log)
  const cold = await measure(() => load(files, SESSION))
  const cache = await measure(() => writeSnapshot(files.snapshot, cold.value))
  const warm = await measure(() => load(files, SESSION))
  const forked = SessionId.parse(`ses_fork${count}`)
  const place = { folder, log: () => {}, owner: { instanceId: 'ins_bench', what: 'bench' } }
  const wish = {
    sessionId: forked,
    atItemId: warm.value.state.facts.head,
    title: 'Fork',
    roots: [],
    mode: 'default',
  } as const
  const fork = await measure(() => makeFork(place, warm.value, { ...wish, roots: [] }))
  const opened = await measure(() => load(filesOf(folder, forked), forked))
  await rm(filesOf(folder, forked).snapshot)
  const uncached = await measure(() => load(filesOf(folder, forked), forked))
  worst = Math.max(worst, ...[cold, cache, warm, fork, opened, uncached].map(({ longestMs }) => longestMs))
  const show = (what: string, { ms, longestMs }: { ms: number; longestMs: number }): string =>
    `${what} ${ms.toFixed(0)} ms (longest step ${longestMs.toFixed(0)} ms)`
  const megabytes = (size / 1e6).toFixed(1)
  console.log(
    `${events.length} events, ${megabytes} MB, in CPU time: ${show('replay', cold)}, ${show('write cache', cache)}, ${show('open from cache', warm)}`,
  )
  const opener = createSessionStore({ folder, log: () => {}, instanceId: 'ins_bench', describeInstance: 'bench' })
  const asUsual = await measure(() => opener.open(SESSION))
  const { value: long } = asUsual
  const rewinds: number[] = []
  for (const share of [0.5, 0.1, 0.9]) {
    const { path, facts } = long.state
    const to = path[Math.floor(path.length * share)] ?? null
    const move = { type: 'head.moved', from: facts.head, to, reason: 'rewind', checkpoint: null } as const
    const before = path.slice(path.indexOf(to as never)).find(id => long.state.items.get(id)?.kind === 'message')
    const rewinding = async () => {
      aimAt(long.state, { before: before as never })
      await long.append(move)
      branchPoints(long.state)
      snapshotOf(long.state, 'epoch', 200)
    }
    rewinds.push((await measure(rewinding)).ms)
    await long.append({ ...move, from: to, to: move.from, reason: 'undo' })
  }
  const rewind = Math.max(...rewinds)
  await opener.dispose()
  const holds = asUsual.ms < MOST_OPEN_MS && rewind < MOST_REWIND_MS
  if (count === 100_000) missed = !holds
  console.log(
    `  ${show('open it for writing', asUsual)}, rewind it ${rewind.toFixed(1)} ms${count === 100_000 ? ` (bars ${MOST_OPEN_MS} and ${MOST_REWIND_MS} ms: ${met(holds)})` : ''}`,
  )
  console.log(`  ${show('fork it', fork)}, ${show('open the fork', opened)}, ${show('without its cache', uncached)}`)
}
const store = createSessionStore({ folder, log: () => {}, instanceId: 'ins_bench', describeInstance: 'bench' })
const session = await store.create({ roots: [], title: null, mode: 'default', producer: null })
const append = (n: number) => session.append({ type: 'session.titled', title: `${n}`, by: 'person' })
const wall = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}
const alone = await wall(async () => {
  for (let n = 0; n < 100; n++) await append(n)
})
const together = await wall(() => Promise.all(Array.from({ length: 1000 }, (_, n) => append(n))))
console.log(
  `append, synced, by the clock: ${(alone / 100).toFixed(2)} ms each in a row, ${(together / 1000).toFixed(3)} ms each of 1,000 at once`,
)
console.log(`longest step of the event loop: ${worst.toFixed(0)} ms of CPU (bar 50 ms)`)
await store.dispose()
await rm(folder, { recursive: true, force: true })
process.exitCode = worst < 50 && !missed ? 0 : 1
