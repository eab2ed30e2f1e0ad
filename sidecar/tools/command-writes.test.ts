import { chmod, mkdir, readFile, rm, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FileWrite } from '#contract/session-event'
import { revertWrite } from './revert.ts'
import { createRig, type Rig } from './rig.case.ts'

let rig: Rig
beforeAll(async () => {
  rig = await createRig()
})
afterAll(() => rig.end())

const told = (files: readonly FileWrite[]) =>
  files.map(({ path, kind, by, via, added, removed }) => [path.path, kind ?? 'text', by, via, added, removed])
const back = async (write: FileWrite | undefined) => {
  if (!write) throw new Error('no such write')
  return revertWrite(rig.workspace, write, rig.context.readBlob)
}
const here = (path: string) => join(rig.folder, path)

test('a command tells what it wrote, like a file tool, and each of it is taken back to the byte', async () => {
  await rig.put('text.txt', 'one\ntwo\n')
  await rig.put('gone.txt', 'was here\n')
  await rig.put('data.bin', Buffer.from([0, 1, 2, 255]))
  await rig.put('run.sh', 'true\n')
  await symlink('text.txt', here('link'))
  await mkdir(here('moved-from'))
  await rig.put('moved-from/a.txt', 'moving\n')
  const command = [
    "printf 'ONE\\ntwo\\n' > text.txt; rm gone.txt; printf '\\000\\377' > data.bin; chmod 755 run.sh",
    'ln -sfn gone.txt link; mv moved-from moved-to; mkdir empty; exit 3',
  ].join('; ')
  const { files, failed, detail } = await rig.call('bash', { command })
  expect(failed).toBe(true)
  expect(detail).not.toHaveProperty('unseenWrites')
  expect(told(files)).toEqual([
    ['data.bin', 'binary', 'agent', 'command', 0, 0],
    ['gone.txt', 'text', 'agent', 'command', 0, 1],
    ['link', 'link', 'agent', 'command', 0, 0],
    ['moved-from/a.txt', 'text', 'agent', 'command', 0, 1],
    ['moved-to/a.txt', 'text', 'agent', 'command', 1, 0],
    ['run.sh', 'text', 'agent', 'command', 0, 0],
    ['text.txt', 'text', 'agent', 'command', 1, 1],
  ])
  const outcomes = []
  for (const write of files) outcomes.push(await back(write))
  expect(outcomes).toEqual(['reverted', 'reverted', 'reverted', 'reverted', 'removed', 'reverted', 'reverted'])
  expect(await readFile(here('text.txt'), 'utf8')).toBe('one\ntwo\n')
  expect(await readFile(here('link'), 'utf8')).toBe('one\ntwo\n')
  expect(await readFile(here('gone.txt'), 'utf8')).toBe('was here\n')
  expect(await readFile(here('data.bin'))).toEqual(Buffer.from([0, 1, 2, 255]))
  expect(await readFile(here('moved-from/a.txt'), 'utf8')).toBe('moving\n')
  expect((await stat(here('run.sh'))).mode & 0o777).toBe(0o644)
})

test('what somebody changed since is not taken back', async () => {
  await rig.put('mine.txt', 'one\n')
  const { files } = await rig.call('bash', { command: 'echo agent > mine.txt' })
  await rig.put('mine.txt', 'newer\n')
  expect(await back(files[0])).toBe('stale')
  expect(await readFile(here('mine.txt'), 'utf8')).toBe('newer\n')
})

test('a command that only reads tells nothing', async () => {
  expect((await rig.call('bash', { command: 'ls; cat mine.txt' })).files).toEqual([])
})

test('many files: as many as can be shown, and how many more', { timeout: 30_000 }, async () => {
  const { files, detail } = await rig.call('bash', {
    command: 'mkdir many; for i in $(seq 1 520); do echo $i > many/f$i; done',
  })
  expect([files.length, detail.moreFiles]).toEqual([500, 20])
  await rm(here('many'), { recursive: true })
})

test('in the background: told when the turn ends or the command does, whichever is first', {
  timeout: 30_000,
}, async () => {
  const wrote: FileWrite[][] = []
  const ends: (() => Promise<void>)[] = []
  const context = {
    wrote: async (files: FileWrite[]) => void wrote.push(files),
    atTurnEnd: (work: () => Promise<void>) => void ends.push(work),
  }
  const endTurn = async () => {
    for (const end of ends.splice(0)) await end()
  }
  const id = (outcome: { detail: Record<string, unknown> }) => String(outcome.detail.backgroundId)
  const serve = 'echo first > served.txt; echo up; read line; echo second > served.txt; echo done; read line'
  const started = await rig.call('bash', { command: serve, background: true }, context)
  await expect
    .poll(() => rig.call('bash_output', { id: id(started) }))
    .toMatchObject({ text: expect.stringContaining('up') })
  await endTurn()
  expect(wrote.map(told)).toEqual([[['served.txt', 'text', 'agent', 'command', 1, 0]]])
  await rig.call('bash_input', { id: id(started), text: 'go\n' })
  await expect
    .poll(() => rig.call('bash_output', { id: id(started) }))
    .toMatchObject({ text: expect.stringContaining('done') })
  await rig.call('bash_stop', { id: id(started) })
  // Who else wrote since the turn's end nobody can tell: none of it is said to be the command's.
  expect(wrote).toHaveLength(1)

  const short = await rig.call('bash', { command: 'echo short > short.txt', background: true }, context)
  await expect.poll(() => wrote.length).toBe(2)
  expect(told(wrote[1] ?? [])).toEqual([['short.txt', 'text', 'agent', 'command', 1, 0]])
  expect(id(short)).toMatch(/^bg_/)
  await endTurn()
  expect(wrote).toHaveLength(2)
  await chmod(here('short.txt'), 0o600)
})
