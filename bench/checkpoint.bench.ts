/**
 * A checkpoint beside `git status` and `git stash create` on the same tree in the same run, at three sizes or those that are named:
 * where nothing changed, after one change, the first one, which keeps everything, and bringing 1,000 changed files back beside
 * `git checkout`. Bar: <= 1.5 x `git status`, < 250 ms at 50,000 files, and no new checkpoint where nothing changed.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { bringBack } from '../sidecar/checkpoint/bring-back.ts'
import type { Author } from '../sidecar/checkpoint/ledger.ts'
import { defaultLimits } from '../sidecar/checkpoint/prune.ts'
import { planRestore } from '../sidecar/checkpoint/restore.ts'
import { CallId, RootId, SessionId, TurnId } from '../sidecar/contract/id.ts'
import { pathKey } from '../sidecar/contract/path.ts'

// A file of its own: its thread runs it once more.
const { startStore } = await import('../sidecar/checkpoint/thread.ts')

const named = process.argv.slice(2).map(Number).filter(Boolean)
const SIZES = named.length > 0 ? named : [5_000, 50_000, 200_000]
const ROUNDS = 9
const BROUGHT_BACK = 1000
const MOST_RATIO = 1.5
const MOST_MS = 250
const FILES_EACH = 20

const rootId = RootId.parse('root_bench')
const command: Author = {
  by: 'agent',
  via: 'command',
  writer: { sessionId: SessionId.parse('ses_b'), turnId: TurnId.parse('trn_b'), callId: CallId.parse('call_b') },
}
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
  const someone = ['-c', 'user.name=b', '-c', 'user.email=b@b']
  git(...someone, 'commit', '-qm', 'b')
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
  const stashes: number[] = []
  const idle: number[] = []
  const changed: number[] = []
  let last = first.id
  for (let round = 0; round < ROUNDS; round++) {
    theirs.push((await timed(() => git('status', '--porcelain')))[0])
    const [idleMs, same] = await timed(() => store.take())
    if (same.id !== last) throw new Error('a new checkpoint where nothing changed')
    idle.push(idleMs)
    writeFileSync(join(root, 'd7', 'e7', 'f7.ts'), `round ${round}\n`)
    stashes.push((await timed(() => git(...someone, 'stash', 'create')))[0])
    const [changedMs, next] = await timed(() => store.take())
    if (next.id === last) throw new Error('no new checkpoint after a change')
    changed.push(changedMs)
    last = next.id
  }
  const bracket = await store.begin(command)
  const names: string[] = []
  for (let at = 0; names.length < BROUGHT_BACK; at++)
    for (let file = 0; file < FILES_EACH; file++) names.push(`d${at % 50}/e${at}/f${file}.ts`)
  for (const name of names) writeFileSync(join(root, name), `by the agent: ${name}\n`)
  await store.finish(bracket, command, false)
  const [backMs] = await timed(async () => {
    const lines = ((await store.since(last)) ?? []).map(line => ({ ...line, path: { rootId, path: line.path } }))
    const paths = lines.map(({ path }) => path.path)
    const states = await store.now(paths)
    const now = new Map(lines.map(({ path }, at) => [pathKey(path), states[at] ?? null]))
    const plan = planRestore({ lines, now, mine: () => true, unsaved: new Set() })
    const { failed } = await bringBack(plan, {
      contentOf: state => store.contentOf(state.hash),
      merged: async () => null,
      hands: {
        async putBack({ path }, _expect, to) {
          if (to) writeFileSync(join(root, path), to.bytes)
        },
      },
    })
    if (failed || plan.length < BROUGHT_BACK) throw new Error('not all of it was brought back')
  })
  for (const name of names) writeFileSync(join(root, name), `by the agent: ${name}\n`)
  const [checkoutMs] = await timed(() => git('checkout', '--', '.'))
  await store.shut()
  const ratio = median(idle) / median(theirs)
  const worst = Math.max(median(idle), median(changed))
  console.log(
    `${files} files: git status ${median(theirs).toFixed(0)} ms, git stash create ${median(stashes).toFixed(0)} ms; first checkpoint ${firstMs.toFixed(0)} ms`,
  )
  console.log(
    `  nothing changed ${median(idle).toFixed(0)} ms, one change ${median(changed).toFixed(0)} ms: ${ratio.toFixed(2)} x git status (bar ${MOST_RATIO}: ${met(ratio <= MOST_RATIO)})`,
  )
  console.log(
    `  ${BROUGHT_BACK} files brought back ${backMs.toFixed(0)} ms, git checkout of them ${checkoutMs.toFixed(0)} ms`,
  )
  if (files === 50_000) console.log(`  worst ${worst.toFixed(0)} ms (bar ${MOST_MS}: ${met(worst < MOST_MS)})`)
}

try {
  for (const size of SIZES) await measure(size)
} finally {
  rmSync(home, { recursive: true, force: true })
}
