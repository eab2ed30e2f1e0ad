import { expect, test } from 'vitest'
import { createEmitter } from './emitter.ts'

test('one listener that throws keeps no other from hearing, and is told of', () => {
  const faults: unknown[] = []
  const emitter = createEmitter<number>(fault => faults.push(fault))
  const heard: string[] = []
  emitter.on(value => heard.push(`first ${value}`))
  const end = emitter.on(() => {
    throw new Error('mine')
  })
  emitter.on(value => heard.push(`last ${value}`))
  emitter.emit(1)
  end()
  emitter.emit(2)
  expect(heard).toEqual(['first 1', 'last 1', 'first 2', 'last 2'])
  expect(faults).toEqual([new Error('mine')])
  expect(emitter.listeners).toBe(2)
})
