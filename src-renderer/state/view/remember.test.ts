import { expect, test } from 'vitest'
import type { WorkspaceId } from '#contract/id'
import { flushView, remembered, restoreView, saveViewsWith } from './remember.ts'

const one = 'wsp_one' as WorkspaceId
const two = 'wsp_two' as WorkspaceId

test('each workspace has its own values, and leaving one saves it', async () => {
  const saved: [string, string][] = []
  saveViewsWith(async (id, view) => void saved.push([id, view]))
  const tabs = remembered<string[]>('tabs', [])
  const heard: string[][] = []
  const stop = tabs.on(value => heard.push(value))

  await restoreView(one, JSON.stringify({ tabs: ['a'], other: 1 }))
  tabs.set(current => [...current, 'b'])
  await restoreView(two, null)

  expect(saved).toEqual([[one, JSON.stringify({ tabs: ['a', 'b'], other: 1 })]])
  expect(tabs.get()).toEqual([])
  expect(heard).toEqual([['a'], ['a', 'b'], []])
  stop()
})

test('a broken view is an empty one, and a failing save is silent', async () => {
  saveViewsWith(async () => Promise.reject(new Error('gone')))
  const size = remembered('size', 7)
  for (const broken of ['{', '[1]', 'null', '3']) {
    await restoreView(one, broken)
    expect(size.get()).toBe(7)
  }
  size.set(8)
  await flushView()
  expect(size.get()).toBe(8)
})
