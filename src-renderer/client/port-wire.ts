/** The desktop's way: a message port per conversation, handed over by the preload. */
import { BelayError } from '#contract/error'
import { createFrameLink, type MessageLink } from '#contract/frame'
import { type BelayBridge, isPortMessage } from './belay-window.ts'
import { type Wire, within } from './wire.ts'

/** Long enough for a child's restart; the caller tries again. */
const PORT_TIMEOUT_MS = 15_000

export function createPortWire(bridge: Pick<BelayBridge, 'connect'>, win: Window): Wire {
  return {
    open(channel) {
      const requestId = crypto.randomUUID()
      let stop = () => {}
      const port = new Promise<MessagePort>(resolve => {
        const listener = (event: MessageEvent) => {
          const [got] = event.ports
          // Only this window's own preload may hand out ports: a frame or opener could forge the message.
          if (event.source !== win || !isPortMessage(event.data, requestId) || !got) return
          resolve(got)
        }
        stop = () => win.removeEventListener('message', listener)
        win.addEventListener('message', listener)
      })
      bridge.connect(channel, requestId)
      const fault = () => new BelayError('timeout', 'Belay’s core did not answer in time. Trying again.')
      return within(port, { ms: PORT_TIMEOUT_MS, fault }).then(portLink).finally(stop)
    },
  }
}

/** The link owns the port and closes it. */
export function portLink(port: MessagePort): MessageLink {
  const link = createFrameLink(
    frame => port.postMessage(frame, [frame.buffer as ArrayBuffer]),
    // A turn later: the word of the close is still on its way.
    () => setTimeout(() => port.close(), 0),
  )
  port.addEventListener('message', event => {
    if (ArrayBuffer.isView(event.data)) link.receive(event.data as Uint8Array)
    else link.close('a message that is no frame')
  })
  port.addEventListener('close', () => link.close('the port closed'))
  queueMicrotask(() => port.start())
  return link
}
