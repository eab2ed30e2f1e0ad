import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RawChange } from './coalesce.ts'
import { createPoll, type Poll } from './poll.ts'

let folder = ''
let told: RawChange[] = []
let poll: Poll
const words = () => told.splice(0).map(({ absolute, change }) => `${change} ${absolute.slice(folder.length + 1)}`)
/** As if nothing had happened in it for a while. */
const rested = (at = folder) => utimes(at, 1000, 1000)
const begin = (patient = false) => {
  poll = createPoll({
    intervalMs: 1_000_000,
    files: !patient,
    patient,
    skip: () => false,
    onChanges: changes => told.push(...changes),
  })
}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'belay-poll-'))
  told = []
  begin()
})
afterEach(async () => {
  poll.dispose()
  await rm(folder, { recursive: true, force: true })
})

test('what came, changed and went is told once', async () => {
  await writeFile(join(folder, 'a'), '1')
  await rested()
  poll.add(folder)
  await poll.look()
  expect(words()).toEqual([])
  await writeFile(join(folder, 'a'), '22')
  await mkdir(join(folder, 'b'))
  await poll.look()
  expect(words().sort()).toEqual(['changed a', 'created b'])
  await rm(join(folder, 'a'))
  await poll.look()
  await poll.look()
  expect(words()).toEqual(['deleted a'])
})

test('what came and went between two looks asks for another listing: somebody may have listed it meanwhile', async () => {
  await rested()
  poll.add(folder)
  await poll.look()
  await new Promise(resolve => setTimeout(resolve, 20))
  await writeFile(join(folder, 'fleeting'), '')
  await rm(join(folder, 'fleeting'))
  await poll.look()
  expect(words()).toEqual(['overflow '])
})

test('a folder that went away is told and forgotten', async () => {
  await mkdir(join(folder, 'sub'))
  await rested(join(folder, 'sub'))
  poll.add(join(folder, 'sub'))
  await poll.look()
  await rm(join(folder, 'sub'), { recursive: true })
  await poll.look()
  await poll.look()
  expect(words()).toEqual(['deleted sub'])
})

test('what changed a moment before it is looked at first asks for another listing', async () => {
  await writeFile(join(folder, 'just'), '')
  poll.add(folder)
  await poll.look()
  expect(words()).toEqual(['overflow '])
})

test('patiently: only what stays is told, also what came before the names were read', async () => {
  poll.dispose()
  begin(true)
  await rested()
  poll.add(folder)
  await poll.look()
  expect(words()).toEqual([])
  await rested()
  await poll.look()
  await writeFile(join(folder, 'fleeting'), '')
  await rm(join(folder, 'fleeting'))
  await poll.look()
  expect(words()).toEqual([])
  await writeFile(join(folder, 'stays'), '')
  await poll.look()
  expect(words()).toEqual(['created stays'])
})
