/**
 * Watching 100,000 files in 11,000 folders, and a tenth of it, each in a fresh process: how long until it is under way, what it
 * costs, how much of the system's limit it takes, against @parcel/watcher alone in the same run. And with too low a limit.
 * Bars: ready < 1 s, < 100 MB, never above a quarter of the limit.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { defaultLeftOut } from '../sidecar/workspace/left-out.ts'
import { createWatch } from '../sidecar/workspace/watch.ts'
import { systemLimit, watchesInUse } from '../sidecar/workspace/watch-limit.ts'

const READY_BAR_MS = 1000
const MEMORY_BAR_MB = 100
const met = (holds: boolean) => (holds ? 'met' : 'MISSED')

interface Figures {
  readonly readyMs: number
  readonly memoryMb: number
  readonly watches: number
  /** From writing a file to hearing of it. */
  readonly heardMs: number
  readonly watching: string
}

const memoryMb = (): number =>
  Number(/^Pss:\s+(\d+)/m.exec(readFileSync('/proc/self/smaps_rollup', 'latin1'))?.[1] ?? Number.NaN) / 1024

/** In a process of its own. */
async function measure(how: string, root: string, limit: number): Promise<Figures> {
  let heard = (_path: string) => {}
  const { default: native } = await import('@parcel/watcher')
  const before = memoryMb()
  const began = performance.now()
  let watching = 'native'
  let end = async () => {}
  if (how === 'raw') {
    const subscription = await native.subscribe(root, (_, events) => {
      for (const { path } of events) heard(path)
    })
    end = () => subscription.unsubscribe()
  } else {
    const watch = createWatch({
      root,
      log: () => {},
      leftOut: defaultLeftOut,
      skip: () => false,
      system: { limit: () => limit, inUse: watchesInUse },
      onState: () => {},
      onChanges: changes => {
        for (const { absolute } of changes) heard(absolute)
      },
    })
    await watch.ready
    watch.listed(root)
    watching = watch.watching
    end = watch.dispose
  }
  const readyMs = performance.now() - began
  const { mine } = await watchesInUse()
  await after(500)
  const used = memoryMb() - before
  const file = join(root, `new-${how}-${limit}`)
  const wrote = performance.now()
  const told = new Promise<void>(done => {
    heard = path => {
      if (path === file || (watching === 'polling' && path === root)) done()
    }
  })
  writeFileSync(file, '')
  await told
  const heardMs = performance.now() - wrote
  await end()
  return { readyMs, memoryMb: used, watches: mine, heardMs, watching }
}

async function inOwnProcess(how: string, root: string, limit: number): Promise<Figures> {
  const child = fork(fileURLToPath(import.meta.url), ['measure', how, root, String(limit)])
  const [answer] = await once(child, 'message')
  await once(child, 'exit')
  return answer as Figures
}

const said = (what: string, { readyMs, memoryMb, watches, heardMs }: Figures) =>
  `${what}: ready ${readyMs.toFixed(0)} ms, ${memoryMb.toFixed(0)} MB, ${watches} watches, a change heard after ${heardMs.toFixed(0)} ms`

async function compare(): Promise<void> {
  const base = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'belay-bench-watch-'))
  const limit = systemLimit()
  try {
    for (const [name, tops] of [
      ['10,000 files in 1,100 folders', 10],
      ['100,000 files in 11,000 folders', 100],
    ] as const) {
      const root = join(base, String(tops))
      for (let at = 0; at < tops * 110; at++) {
        const folder = join(root, `d${at % tops}`, `e${at}`)
        mkdirSync(folder, { recursive: true })
        for (let file = 0; file < 9; file++) writeFileSync(join(folder, `f${file}`), '')
      }
      const raw = await inOwnProcess('raw', root, limit)
      const ours = await inOwnProcess('ours', root, limit)
      console.log(said(`${name}, @parcel/watcher alone`, raw))
      console.log(
        `${said(`${name}, Belay`, ours)} (${(ours.readyMs / raw.readyMs).toFixed(1)} x; ready bar ${READY_BAR_MS}: ${met(ours.readyMs < READY_BAR_MS)}, memory bar ${MEMORY_BAR_MB}: ${met(ours.memoryMb < MEMORY_BAR_MB)}, a quarter of ${limit}: ${met(ours.watches <= limit / 4)})`,
      )
      if (tops === 10) continue
      const low = await inOwnProcess('ours', root, 8000)
      console.log(
        `${said('with a limit of 8,000', low)}: ${low.watching} (${met(low.watching === 'polling' && low.watches <= 2000)})`,
      )
    }
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

if (process.argv[2] === 'measure') {
  const [how = '', root = '', limit = ''] = process.argv.slice(3)
  // Polling alone would not keep the process.
  const awake = setInterval(() => {}, 1000)
  process.send?.(await measure(how, root, Number(limit)), () => {
    clearInterval(awake)
    process.disconnect()
  })
} else await compare()
