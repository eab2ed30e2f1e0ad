/** SIGKILL in the middle of rewinds and their undoing: the next life finds all of it or nothing, and says so. */
import { spawn } from 'node:child_process'
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RequestId, RestoreId, type SessionId } from '#contract/id'
import { bundle } from '../scripts/bundle.mjs'
import { newId } from './base/id.ts'
import { onDisk, startLife, textAt, turnOf } from './no-loss.case.ts'

const KILLS = process.env.BELAY_DEEP ? 200 : 14

let child = ''
let home = ''
beforeAll(async () => {
  child = await bundle(fileURLToPath(new URL('rewinding.case.ts', import.meta.url)))
  home = await realpath(await mkdtemp(join(tmpdir(), 'belay-rewind-kill-')))
}, 60_000)
afterAll(async () => {
  await rm(home, { recursive: true, force: true })
  await rm(dirname(child), { recursive: true, force: true })
})

/** Lets it move some times, and ends it a moment after the next one has begun. */
async function moveAndKill(sessionId: SessionId, moves: number, afterMs: number): Promise<void> {
  const running = spawn(process.execPath, [child, home, sessionId])
  const deadline = setTimeout(() => running.kill('SIGKILL'), 60_000)
  let text = ''
  let faults = ''
  running.stdout.setEncoding('utf8').on('data', piece => {
    text += piece
    if (text.split('begun').length > moves + 1) setTimeout(() => running.kill('SIGKILL'), afterMs)
  })
  running.stderr.setEncoding('utf8').on('data', piece => {
    faults += piece
  })
  await new Promise(resolve => running.on('close', resolve))
  clearTimeout(deadline)
  expect(faults).toBe('')
}

/** Everything that stands in the folder: its kind, its bits, its content. */
async function standing(): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const entry of await readdir(join(home, 'root'), { recursive: true, withFileTypes: true })) {
    const absolute = join(entry.parentPath, entry.name)
    const name = absolute.slice(home.length + 6)
    if (entry.isSymbolicLink()) found[name] = `link to ${await readlink(absolute)}`
    else if (entry.isFile())
      found[name] = `${((await lstat(absolute)).mode & 0o777).toString(8)} ${await readFile(absolute, 'utf8')}`
  }
  return found
}

test(`${KILLS} times: the files and the conversation are before or after, and never in between`, {
  timeout: process.env.BELAY_DEEP ? 3_000_000 : 300_000,
}, async () => {
  const root = join(home, 'root')
  await mkdir(root)
  for (let n = 0; n < 12; n++) await onDisk(join(root, `in/f${n}.txt`), `${n} ${'x'.repeat(n * 4)}\n`)
  await symlink('f0.txt', join(root, 'in/link'))
  let life = await startLife({ home })
  const sessionId = await life.begin()
  await turnOf(life, sessionId, [[{ call: 'put', arguments: { path: 'in/f0.txt', text: 'first\n' } }]])
  const before = await standing()
  const head = async () => (await life.talks.handlers.open({ sessionId }, life.context)).facts.head
  const there = await head()
  const writes = [
    ...Array.from({ length: 10 }, (_, n) => ({ path: `in/f${n}.txt`, text: n % 3 === 2 ? null : `second ${n}\n` })),
    ...Array.from({ length: 6 }, (_, n) => ({ path: `new/deep${n}/g.txt`, text: `made ${n}\n` })),
  ]
  const modes = async () => {
    await chmod(join(root, 'in/f10.txt'), 0o755)
    await rm(join(root, 'in/link'))
    await onDisk(join(root, 'in/link'), 'a file now\n')
  }
  await life.end()
  life = await startLife({ home, person: modes })
  await turnOf(life, sessionId, [[{ call: 'shell', arguments: { writes, person: true } }]])
  const after = await standing()
  const tip = await head()
  await life.end()

  let broken = 0
  for (let kill = 0; kill < KILLS; kill++) {
    await moveAndKill(sessionId, kill % 2, Math.random() * 60)
    life = await startLife({ home })
    const snapshot = await life.talks.handlers.open({ sessionId }, life.context)
    const now = await standing()
    expect([snapshot.facts.head === tip, now]).toEqual([
      snapshot.facts.head === tip,
      snapshot.facts.head === tip ? after : before,
    ])
    expect([tip, there]).toContain(snapshot.facts.head)
    const told = snapshot.turns.flatMap(({ notices }) => notices.filter(({ code }) => code === 'rewind'))
    broken = Math.max(broken, told.length)
    await life.end()
  }
  expect(broken).toBeGreaterThan(0)
})

test('whatever a killed rewind left of a file, all of it is put back, and a rewind after it takes all of it', {
  timeout: 120_000,
}, async () => {
  const place = join(home, 'half')
  const paths = ['made.txt', 'changed.txt', 'gone.txt']
  const there = () => Promise.all(paths.map(path => textAt(place, path)))
  await mkdir(join(place, 'root'), { recursive: true })
  await onDisk(join(place, 'root/changed.txt'), 'one\n')
  await onDisk(join(place, 'root/gone.txt'), 'it was here\n')
  const before = await there()
  let life = await startLife({ home: place })
  const sessionId = await life.begin()
  const texts = ['made\n', 'two\n', null]
  await turnOf(life, sessionId, [
    [{ call: 'shell', arguments: { writes: paths.map((path, at) => ({ path, text: texts[at] })) } }],
  ])
  const after = await there()
  const left: (readonly [string, string | null])[] = [
    ['made.txt', null],
    ['changed.txt', 'one\n'],
    ['changed.txt', null],
    ['gone.txt', ''],
    ['gone.txt', 'it was'],
    ['gone.txt', 'it was here\n'],
  ]
  for (const [path, text] of left) {
    const { checkpointId: checkpoint } = (await life.ledger.take()) ?? { checkpointId: '' }
    const lines = await Promise.all(paths.map(each => life.ledger.lastWriter(life.wire(each) as never)))
    const files = lines.flatMap(line => (line ? { path: line.path, before: line.after, after: line.before } : []))
    expect(files).toHaveLength(3)
    const restoreId = RestoreId.parse(newId('rst'))
    await life.talks.within(sessionId, ({ open }) =>
      open.append({ type: 'restore.begun', restoreId, checkpoint, files, by: 'window' }),
    )
    await life.end()
    await onDisk(join(place, 'root', path), text)
    life = await startLife({ home: place })
    const { facts } = await life.talks.handlers.open({ sessionId }, life.context)
    expect([path, text, await there()]).toEqual([path, text, after])
    const requestId = crypto.randomUUID() as RequestId
    const both = { what: 'both' as const, merge: [], leave: [] }
    await life.head.handlers.rewind({ sessionId, requestId, to: { turns: 1 }, ...both }, life.context)
    expect([path, text, await there()]).toEqual([path, text, before])
    await life.head.handlers.undo({ sessionId, moveId: requestId }, life.context)
    const { facts: now } = await life.talks.handlers.open({ sessionId }, life.context)
    expect([path, text, await there(), now.head]).toEqual([path, text, after, facts.head])
  }
  await life.end()
})
