/** The browser half of the library over our links. */
import { expect, it } from 'vitest'
import { connectOver } from './connect.ts'
import { linkPair } from './fake-server.case.ts'

it('rejects every call that waits when the link ends, and takes no more', async () => {
  const [near, far] = linkPair()
  const connection = connectOver(near)
  connectOver(far).onRequest('hang', () => new Promise(() => {}))
  const waiting = connection.sendRequest('hang', {}).then(
    () => 'answered',
    () => 'rejected',
  )
  far.close('gone')
  expect(await waiting).toBe('rejected')
  expect(() => connection.sendRequest('hang', {})).toThrow()
})

it('dispatches what one frame after the other brings, in order', async () => {
  const [near, far] = linkPair()
  const connection = connectOver(near)
  const heard: number[] = []
  connection.onNotification('n', ({ n }: { n: number }) => void heard.push(n))
  const server = connectOver(far)
  for (let n = 0; n < 1000; n++) void server.sendNotification('n', { n })
  await expect.poll(() => heard.length).toBe(1000)
  expect(heard).toEqual(Array.from({ length: 1000 }, (_, n) => n))
})
