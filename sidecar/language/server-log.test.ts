import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createServerLog } from './server-log.ts'

test('who reads on from where they were has all that is kept, in order and once', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string({ maxLength: 30_000 }), fc.boolean()), { maxLength: 12 }), writes => {
      const log = createServerLog(() => {})
      let all = ''
      let read = { end: 0, text: '' }
      const look = () => {
        const { from, text } = log.since(read.end)
        read = { end: from + text.length, text: from === read.end ? read.text + text : text }
      }
      for (const [words, looks] of writes) {
        log.write(words)
        all += words
        if (looks) look()
      }
      look()
      log.dispose()
      expect(read.end).toBe(all.length)
      expect(all.endsWith(read.text)).toBe(true)
      expect(log.since(all.length + 1).text).toBe(all.slice(-64 * 1024))
    }),
  )
})

test('a flood is told of once in a while, and after the end nothing is', async () => {
  let told = 0
  const log = createServerLog(() => told++)
  for (let line = 0; line < 1000; line++) log.write('line\n')
  expect(told).toBe(0)
  await expect.poll(() => told).toBe(1)
  log.write('more')
  log.dispose()
  log.write('after')
  await new Promise(resolve => setTimeout(resolve, 200))
  expect([told, log.since(5000)]).toEqual([1, { from: 5000, text: 'moreafter' }])
})
