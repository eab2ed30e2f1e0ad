import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { createPower } from './power.ts'

test('one blocker while the agent works, none after it, at the latest at the end', () => {
  const monitor = new EventEmitter()
  const blocking = new Map<number, string>()
  let last = 0
  const blocker = {
    start(type: string) {
      blocking.set(++last, type)
      return last
    },
    stop: (id: number) => blocking.delete(id),
  }
  let resumed = 0
  const power = createPower(monitor as unknown as Electron.PowerMonitor, blocker, () => resumed++)
  for (const on of [true, true, false, false, true]) power.keepAwake(on)
  expect([[...blocking.values()], last]).toEqual([['prevent-app-suspension'], 2])
  monitor.emit('resume')
  power.dispose()
  monitor.emit('resume')
  expect([blocking.size, resumed, monitor.listenerCount('resume')]).toEqual([0, 1, 0])
})
