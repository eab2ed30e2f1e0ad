/** The suite of every carrier, within one process. */
import { expect, it } from 'vitest'
import { loopback } from './loopback.ts'
import { describeTransport } from './transport.case.ts'

describeTransport({
  name: 'loopback',
  open: async () => {
    const [served, calling] = loopback()
    return { served, calling, end: async () => calling.close('done') }
  },
})

it('copies what it carries', async () => {
  const [a, b] = loopback()
  const message = { list: [1] }
  const got = new Promise(resolve => {
    b.onJson = resolve
  })
  a.sendJson(message)
  message.list.push(2)
  expect(await got).toEqual({ list: [1] })
})
