/** The desktop's wire: only this window's own preload can hand out a port. */
import { afterEach, expect, it } from 'vitest'
import type { MessageLink } from '#contract/frame'
import { createPortWire, portLink } from './port-wire.ts'

const links: MessageLink[] = []
afterEach(() => {
  for (const link of links.splice(0)) link.close('done')
})

const portMessage = (data: unknown, ports: unknown[], source: unknown) =>
  Object.assign(new Event('message'), { data, ports, source })

it('takes the port with its own number, from its own window', async () => {
  const win = new EventTarget() as unknown as Window
  const { port1, port2 } = new MessageChannel()
  const forged = new MessageChannel()
  const wire = createPortWire(
    {
      connect(channel, requestId) {
        expect(channel).toBe('pty')
        setTimeout(() => {
          win.dispatchEvent(portMessage({ belayPort: requestId }, [forged.port1], 'another window'))
          win.dispatchEvent(portMessage({ belayPort: 'another request' }, [forged.port1], win))
          win.dispatchEvent(portMessage({ belayPort: requestId }, [], win))
          win.dispatchEvent(portMessage({ belayPort: requestId }, [port1], win))
        }, 0)
      },
    },
    win,
  )
  const near = await wire.open('pty')
  const far = portLink(port2)
  links.push(near, far)
  const got: unknown[] = []
  const large = 'x'.repeat(500_000)
  near.onJson = message => got.push(message)
  near.onBytes = bytes => got.push([...bytes])
  far.sendJson({ a: 1 })
  far.sendBytes(Uint8Array.of(1, 2))
  far.sendJson(large)
  await expect.poll(() => got.length).toBe(3)
  expect(got).toEqual([{ a: 1 }, [1, 2], large])
  for (const port of [forged.port1, forged.port2]) port.close()
})

it('tells each end of the other’s close, and closes on what is no frame', async () => {
  const { port1, port2 } = new MessageChannel()
  const near = portLink(port1)
  const reasons: string[] = []
  near.onClose = reason => reasons.push(reason)
  port2.start()
  port2.postMessage({ not: 'a frame' })
  await expect.poll(() => reasons).toEqual(['a message that is no frame'])
  port2.close()
  const second = new MessageChannel()
  const [a, b] = [portLink(second.port1), portLink(second.port2)]
  const heard = new Promise(resolve => {
    b.onClose = resolve
  })
  a.close('done')
  expect(await heard).toMatch(/closed/)
})
