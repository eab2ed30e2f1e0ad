/**
 * A checkpoint beside `git status` on the same tree in the same run, at two sizes: where nothing changed, after one change, and the
 * first one, which keeps everything. Bar: <= 1.5 x `git status`, < 250 ms at 50,000 files, and no new checkpoint where nothing changed.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { defaultLimits } from '../sidecar/checkpoint/prune.ts'

// A file of its own: its thread runs it once more.
const { startStore } = await import('../sidecar/checkpoint/thread.ts')

const SIZES = [5_000, 50_000]
const ROUNDS = 9
const MOST_RATIO = 1.5
const MOST_MS = 250
const FILES_EACH = 20

const median = (numbers: number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0
const home = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'belay-bench-checkpoint-'))
const met = (holds: boolean) => (holds ? 'met' : 'MISSED')

async function timed<T>(work: () => T | Promise<T>): Promise<[number, T]> {
  const began = performance.now()
  const value = await work()
  return [performance.now() - began, value]
}

async function measure(files: number): Promise<void> {
  const root = join(home, `tree-${files}`)
  for (let at = 0; at < files / FILES_EACH; at++) {
    const folder = join(root, `d${at % 50}`, `e${at}`)
    mkdirSync(folder, { recursive: true })
    for (let file = 0; file < FILES_EACH; file++)
      writeFileSync(join(folder, `f${file}.ts`), `export const x${at}y${file} = 1\n`.repeat(60))
  }
  const git = (...args: string[]) => spawnSync('git', args, { cwd: root, stdio: 'ignore' })
  git('init', '-q')
  // Nothing of git is to run on after its command.
  for (const key of ['gc.auto', 'maintenance.auto']) git('config', key, '0')
  git('add', '-A')
  git('-c', 'user.name=b', '-c', 'user.email=b@b', 'commit', '-qm', 'b')
  // What is younger than a second is read again: not what is measured here.
  await after(1500)
  const store = startStore({
    ...{
      root,
      folder: join(home, `store-${files}`),
      instanceId: 'bench',
      leaveOut: [],
      leftOut: { allow: [], extra: [] },
    },
    limits: defaultLimits,
    onFull: console.error,
    onLines: () => {},
  })
  const [firstMs, first] = await timed(() => store.take())
  const theirs: number[] = []
  const idle: number[] = []
  const changed: number[] = []
  let last = first.id
  for (let round = 0; round < ROUNDS; round++) {
    theirs.push((await timed(() => git('status', '--porcelain')))[0])
    const [idleMs, same] = await timed(() => store.take())
    if (same.id !== last) throw new Error('a new checkpoint where nothing changed')
    idle.push(idleMs)
    writeFileSync(join(root, 'd7', 'e7', 'f7.ts'), `round ${round}\n`)
    const [changedMs, next] = await timed(() => store.take())
    if (next.id === last) throw new Error('no new checkpoint after a change')
    changed.push(changedMs)
    last = next.id
  }
  await store.shut()
  const ratio = median(idle) / median(theirs)
  const worst = Math.max(median(idle), median(changed))
  console.log(`${files} files: git status ${median(theirs).toFixed(0)} ms; first checkpoint ${firstMs.toFixed(0)} ms`)
  console.log(
    `  nothing changed ${median(idle).toFixed(0)} ms, one change ${median(changed).toFixed(0)} ms: ${ratio.toFixed(2)} x git status (bar ${MOST_RATIO}: ${met(ratio <= MOST_RATIO)})`,
  )
  if (files === 50_000) console.log(`  worst ${worst.toFixed(0)} ms (bar ${MOST_MS}: ${met(worst < MOST_MS)})`)
}

try {
  for (const size of SIZES) await measure(size)
} finally {
  rmSync(home, { recursive: true, force: true })
}
