/**
 * Text search against raw ripgrep on the same tree (20,000 files), in turns. Bar: total <= 1.3 x ripgrep, first result <=
 * ripgrep's + 100 ms, cancel < 100 ms.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import { foldersOf } from '../sidecar/base/folders.ts'
import { createWorkspaces } from '../sidecar/workspace/service.ts'

const FOLDERS = 400
const FILES_EACH = 50
const ROUNDS = 7

const home = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'belay-bench-search-'))
const folder = join(home, 'tree')
for (let at = 0; at < FOLDERS; at++) {
  const here = join(folder, `d${at % 20}`, `e${at}`)
  mkdirSync(here, { recursive: true })
  for (let file = 0; file < FILES_EACH; file++)
    writeFileSync(
      join(here, `f${file}.ts`),
      `${'const value = compute(1, 2, 3)\n'.repeat(40)}${file === 7 ? 'needle\n' : ''}`,
    )
}

/** Milliseconds to the first output and to the end, reading and dropping everything. */
function raw(): Promise<{ first: number; total: number }> {
  const began = performance.now()
  let first = 0
  const child = spawn(rgPath, ['--no-config', '--hidden', '--json', '--fixed-strings', 'needle', '.'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  child.stdout.on('data', () => {
    first ||= performance.now() - began
  })
  return new Promise(done => child.on('close', () => done({ first, total: performance.now() - began })))
}

const all = createWorkspaces({
  folders: foldersOf({ BELAY_HOME: join(home, 'belay') }),
  log: () => {},
  env: process.env,
})
const { info } = await all.open(folder)
const query = {
  query: 'needle',
  regex: false,
  matchCase: true,
  wholeWord: false,
  include: '',
  exclude: '',
  replacing: false,
  limit: 20_000,
}

async function ours(): Promise<{ first: number; total: number }> {
  const began = performance.now()
  let first = 0
  const stop = all.events.on(({ name }) => {
    if (name === 'workspace/searched') first ||= performance.now() - began
  })
  const context = { clientId: 'bench', signal: new AbortController().signal }
  const answer = await all.handlers.workspace.search(
    { workspaceId: info.workspaceId, searchId: 'bench', ...query },
    context,
  )
  stop()
  if (answer.matches !== FOLDERS) throw new Error(`found ${answer.matches} of ${FOLDERS}`)
  return { first, total: performance.now() - began }
}

async function cancelled(): Promise<number> {
  const ending = new AbortController()
  const context = { clientId: 'bench', signal: ending.signal }
  const search = { workspaceId: info.workspaceId, searchId: 'bench', ...query, query: 'compute' }
  const running = Promise.resolve(all.handlers.workspace.search(search, context)).catch(() => {})
  await new Promise(done => setTimeout(done, 20))
  const began = performance.now()
  ending.abort()
  await running
  return performance.now() - began
}

const median = (numbers: number[]): number => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
try {
  await all.get(info.workspaceId).ready
  await raw()
  const theirs: { first: number; total: number }[] = []
  const mine: { first: number; total: number }[] = []
  const ends: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    theirs.push(await raw())
    mine.push(await ours())
    ends.push(await cancelled())
  }
  const total = median(mine.map(each => each.total)) / median(theirs.map(each => each.total))
  const first = median(mine.map(each => each.first)) - median(theirs.map(each => each.first))
  const end = median(ends)
  const met = (holds: boolean) => (holds ? 'met' : 'MISSED')
  console.log(`search: ${total.toFixed(2)} x ripgrep (bar 1.3: ${met(total <= 1.3)}) on ${FOLDERS * FILES_EACH} files`)
  console.log(`first result: ripgrep + ${first.toFixed(0)} ms (bar 100: ${met(first <= 100)})`)
  console.log(`cancel: ${end.toFixed(0)} ms (bar 100: ${met(end < 100)})`)
} finally {
  await all.dispose()
  rmSync(home, { recursive: true, force: true })
}
