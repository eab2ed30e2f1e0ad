import { EventEmitter } from 'node:events'
import { expect, test, vi } from 'vitest'
import type { Wish } from './inbox.ts'

const app = vi.hoisted(() => ({ now: null as unknown as EventEmitter }))
vi.mock('electron', () => ({
  get app() {
    return app.now
  },
}))
const { createInbox } = await import('./inbox.ts')

function begin() {
  app.now = new EventEmitter()
  const prevented: string[] = []
  const happens = (event: string, ...args: unknown[]) =>
    app.now.emit(event, { preventDefault: () => prevented.push(event) }, ...args)
  return { inbox: createInbox(), happens, prevented }
}
const started = (targets: string[], newWindow = false): Wish => ({
  asked: { newWindow, targets },
  cwd: '/work',
  start: true,
})
const targetsOf = (wishes: Wish[]) => wishes.map(({ asked }) => asked.targets.join())

test('what is handed over before the app can show anything waits, and is met in its order, one after the other', async () => {
  const { inbox, happens, prevented } = begin()
  happens('open-file', '/a/early.txt')
  happens('open-url', 'belay://open?path=/a')
  const met: Wish[] = []
  let atOnce = 0
  inbox.serve(async wish => {
    atOnce += 1
    expect(atOnce).toBe(1)
    await new Promise(setImmediate)
    met.push(wish)
    atOnce -= 1
  })
  happens('open-file', '/a/late.txt')
  happens('second-instance', ['belay', 'ignored'], '/elsewhere', { newWindow: false, targets: ['x:3'] })
  await vi.waitFor(() => expect(met).toHaveLength(4))
  expect(targetsOf(met)).toEqual(['/a/early.txt', 'belay://open?path=/a', '/a/late.txt', 'x:3'])
  expect(met.map(({ cwd, start }) => [cwd, start])).toEqual([...Array(3).fill(['/', false]), ['/elsewhere', true]])
  // Electron would do something of its own with them.
  expect(prevented).toEqual(['open-file', 'open-url', 'open-file'])
})

test('a start by a file that was double-clicked begins with that file; words of one’s own go first', () => {
  const { inbox, happens } = begin()
  expect(inbox.first(started([]))).toEqual(started([]))
  happens('open-file', '/a/one.txt')
  happens('open-file', '/a/two.txt')
  expect(inbox.first(started(['/b'])).asked.targets).toEqual(['/b'])
  expect(inbox.first(started([], true)).asked.newWindow).toBe(true)
  expect(inbox.first(started([])).asked.targets).toEqual(['/a/one.txt'])
  const met: Wish[] = []
  inbox.serve(async wish => void met.push(wish))
  return vi.waitFor(() => expect(targetsOf(met)).toEqual(['/a/two.txt']))
})

test('what a second start sends is believed only in its form', async () => {
  const { inbox, happens } = begin()
  const met: Wish[] = []
  inbox.serve(async wish => void met.push(wish))
  for (const data of [null, 'x', { targets: [1] }, { newWindow: true, targets: Array(101).fill('x') }])
    happens('second-instance', [], '/', data)
  await vi.waitFor(() => expect(met).toHaveLength(4))
  expect(met.map(({ asked }) => asked)).toEqual(Array(4).fill({ newWindow: false, targets: [] }))
})
