/** The suite of every carrier, over Node's message ports. */
import { MessageChannel } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { messagePortLink } from './message-port.ts'
import { describeTransport } from './transport.case.ts'

describeTransport({
  name: 'message ports',
  open: async () => {
    const { port1, port2 } = new MessageChannel()
    const served = messagePortLink(port1)
    return { served, calling: messagePortLink(port2), end: async () => served.close('done') }
  },
})

it('closes on what is no frame', async () => {
  const { port1, port2 } = new MessageChannel()
  const link = messagePortLink(port1)
  const closed = new Promise(resolve => {
    link.onClose = resolve
  })
  port2.postMessage({ hello: 1 })
  expect(await closed).toBe('a message that is no frame')
  port2.close()
})
