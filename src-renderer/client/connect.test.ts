import { expect, it } from 'vitest'
import { connectOver } from './connect.ts'

it('x', () => {
  expect(typeof connectOver).toBe('function')
  expect(typeof MessageChannel).toBe('function')
  expect(typeof WebSocket).toBe('function')
})
