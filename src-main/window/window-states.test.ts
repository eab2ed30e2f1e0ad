import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openWindowStates, type WindowState } from './window-states.ts'

let stateDir: string
const warnings: string[] = []
beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'belay-windows-'))
  warnings.length = 0
})
afterEach(() => rm(stateDir, { recursive: true, force: true }))

const open = () => openWindowStates(stateDir, (_level, message) => void warnings.push(message))
const file = () => join(stateDir, 'desktop', 'windows.json')
const put = async (text: string) => {
  await mkdir(join(stateDir, 'desktop'), { recursive: true })
  await writeFile(file(), text)
}
const state = (folder: string | null, x = 0): WindowState => ({
  folder,
  bounds: { x, y: 20, width: 900, height: 700 },
  mode: 'maximized',
  zoom: 120,
})

test('what was open comes back in its order, what was closed is known by its folder', async () => {
  const first = await open()
  first.keep([state('/a'), state('/b'), state(null)])
  first.keep([state('/b', 5), state('/c'), state(null)])
  await first.flush()
  const second = await open()
  expect(second.lastOpen).toEqual([state('/b', 5), state('/c'), state(null)])
  expect(second.of('/a')).toEqual(state('/a'))
  expect(second.of('/b')).toEqual(state('/b', 5))
  expect(second.of('/never')).toBeNull()
  second.keep([state('/a', 9)])
  await second.flush()
  const third = await open()
  expect(third.lastOpen).toEqual([state('/a', 9)])
  expect(third.of('/c')).toEqual(state('/c'))
})

test('at most a hundred folders are remembered, those used last', async () => {
  const states = await open()
  for (let count = 0; count < 150; count++) states.keep([state(`/folder ${count}`)])
  await states.flush()
  const again = await open()
  expect(again.of('/folder 149')).not.toBeNull()
  expect(again.of('/folder 50')).not.toBeNull()
  expect(again.of('/folder 49')).toBeNull()
  expect((await readFile(file(), 'utf8')).length).toBeLessThan(20_000)
})

test('a broken file is kept aside, a broken entry costs that window, and nothing throws', async () => {
  await put('{ "open": [')
  expect((await open()).lastOpen).toEqual([])
  expect(await readdir(join(stateDir, 'desktop'))).toEqual([expect.stringMatching(/^windows\.json\.unreadable-\d+$/)])
  await put(JSON.stringify({ open: [{ ...state('/a'), bounds: { x: 'left' } }, state('/b')], closed: [null, 7] }))
  expect((await open()).lastOpen).toEqual([state('/b')])
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.json(),
        fc.string(),
        fc.json().map(each => `{"open":[${each}],"closed":[${each}]}`),
      ),
      async text => {
        await put(text)
        for (const each of (await open()).lastOpen) expect(each.bounds.width).toBeGreaterThan(-1e7)
      },
    ),
    { numRuns: 60 },
  )
})

test('a folder in the place of the file is put aside', async () => {
  await mkdir(file(), { recursive: true })
  const states = await open()
  states.keep([state('/a')])
  await states.flush()
  expect((await open()).lastOpen).toEqual([state('/a')])
  expect(warnings).toEqual([])
})
