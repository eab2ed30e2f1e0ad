import { expect, test, vi } from 'vitest'
import type { WorkspaceId } from '#contract/id'
import { flushView, leaveView, remembered, restoreView, saveViewsWith } from './remember.ts'

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

test('a value of another kind than is kept under its name is not taken for it', async () => {
  const list = remembered<readonly string[]>('list', [])
  const open = remembered<{ tab: string } | null>('open', null)
  await restoreView(one, '{"list":{"0":"a"},"open":{"tab":"x"}}')
  expect([list.get(), open.get()]).toEqual([[], { tab: 'x' }])
  await restoreView(one, '{"list":null,"open":null}')
  expect([list.get(), open.get()]).toEqual([[], null])
})

test('what a page that goes away could not save is there when it comes back, once', async () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
  // Asked, and never answered: the page is gone before.
  saveViewsWith(() => new Promise(() => {}))
  const draft = remembered('draft', '')
  await restoreView(one, null)
  draft.set('half a thought')
  leaveView()
  void restoreView(two, null)
  await vi.waitFor(() => expect(draft.get()).toBe(''))
  saveViewsWith(async () => {})
  await restoreView(one, null)
  expect(draft.get()).toBe('half a thought')
  await flushView()
  await restoreView(one, JSON.stringify({ draft: 'newer' }))
  expect(draft.get()).toBe('newer')
  leaveView()
  expect(kept.has('belay.left')).toBe(false)
  vi.unstubAllGlobals()
})
