/** Batches, credit and the window that hangs. */
import { expect, test } from 'vitest'
import { TERMINAL_HEADER_BYTES, unpackTerminalBytes } from '#contract/frame'
import { MAX_FRAME_BYTES } from '#contract/protocol'
import { TERMINAL_HIGH_WATER_BYTES } from '#contract/terminal'
import { createFlow } from './flow.ts'

const clientOf = (clientId: string) => {
  const got: { offset: number; length: number }[] = []
  return {
    clientId,
    got,
    emit() {},
    sendBytes: (packed: Uint8Array) => {
      const { offset, bytes } = unpackTerminalBytes(packed)
      got.push({ offset, length: bytes.length })
    },
  }
}
function start(stalledMs: number) {
  const calls: string[] = []
  const flow = createFlow({
    number: 3,
    stalledMs,
    take() {},
    backlogBytes: () => 0,
    pause: () => calls.push('pause'),
    resume: () => calls.push('resume'),
    lagged: client => calls.push(`lagged ${client.clientId}`),
  })
  return { flow, calls }
}
const block = new Uint8Array(64 * 1024)
const flood = TERMINAL_HIGH_WATER_BYTES / block.length + 1

test('a window that takes in nothing is let go; one that does is not', async () => {
  const { flow, calls } = start(200)
  const [hung, well] = [clientOf('hung'), clientOf('well')]
  flow.attach(hung, 0, [])
  flow.attach(well, 0, [])
  for (let n = 0; n < flood; n++) flow.push(block)
  expect(calls).toEqual(['pause'])
  flow.ack(well, flood * block.length)
  const deadline = Date.now() + 5000
  while (!calls.includes('resume') && Date.now() < deadline) await new Promise(resolve => setTimeout(resolve, 5))
  expect(calls).toEqual(['pause', 'lagged hung', 'resume'])
  expect([flow.ack(hung, 1), flow.ack(well, 1)]).toEqual([false, true])
  flow.dispose()
})

test('what comes together travels together, and what comes late starts where it is told', async () => {
  const { flow } = start(10_000)
  const [first, late] = [clientOf('first'), clientOf('late')]
  flow.attach(first, 0, [])
  for (let n = 0; n < 5; n++) flow.push(block.subarray(0, 100))
  flow.flush()
  flow.attach(late, 400, [block.subarray(0, 60), block.subarray(0, 40)])
  flow.push(block.subarray(0, 7))
  flow.flush()
  expect(first.got).toEqual([
    { offset: 0, length: 500 },
    { offset: 500, length: 7 },
  ])
  expect(late.got).toEqual([
    { offset: 400, length: 60 },
    { offset: 460, length: 40 },
    { offset: 500, length: 7 },
  ])
  flow.dispose()
})

test('a flood fills its frames: none is followed by a crumb', () => {
  const { flow } = start(10_000)
  const client = clientOf('one')
  flow.attach(client, 0, [])
  const read = block.subarray(0, 4095)
  for (let n = 0; n < 64; n++) flow.push(read)
  flow.flush()
  const whole = client.got.slice(0, -1)
  expect(client.got.reduce((sum, { length }) => sum + length, 0)).toBe(64 * read.length)
  for (const { length } of whole) {
    // A byte of flags goes in front of what the client packs.
    expect(length + TERMINAL_HEADER_BYTES + 1).toBeLessThanOrEqual(MAX_FRAME_BYTES)
    expect(length).toBeGreaterThan(MAX_FRAME_BYTES - 2 * read.length)
  }
  flow.dispose()
})
