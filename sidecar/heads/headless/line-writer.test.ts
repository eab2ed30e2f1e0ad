/** Output for a slow reader: bounded, never waited for, and told of. */
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { createLineWriter, HOLD_BYTES, MOST_BYTES } from './line-writer.ts'

const PATIENCE = { timeout: 15_000 }
const line = { text: 'x'.repeat(100_000) }

it('says when its reader is behind and when it has caught up, and loses no line', async () => {
  const pipe = new PassThrough()
  const told: boolean[] = []
  const { write, onBehind } = createLineWriter(pipe, () => told.push(false))
  onBehind(behind => told.push(behind))
  let written = 0
  while (told.length === 0) {
    write(line)
    written++
  }
  expect(told).toEqual([true])
  expect(written * 100_000).toBeLessThan(HOLD_BYTES + 400_000)
  let read = 0
  pipe.on('data', chunk => {
    read += String(chunk).split('\n').length - 1
  })
  await expect.poll(() => told, PATIENCE).toEqual([true, false])
  await expect.poll(() => read, PATIENCE).toBe(written)
})

it('gives a reader up that takes nothing, once, and tells who asks late that it is behind', () => {
  let gone = 0
  const { write, onBehind } = createLineWriter(new PassThrough(), () => void gone++)
  for (let bytes = 0; bytes < MOST_BYTES + 1_000_000; bytes += 100_000) write(line)
  expect(gone).toBe(1)
  const told: boolean[] = []
  onBehind(behind => told.push(behind))
  expect(told).toEqual([true])
})
