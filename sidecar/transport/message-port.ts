/** Frames over message ports: Node's, Electron's MessagePortMain and a utility process's parentPort alike. */
import { createFrameLink, type MessageLink } from '#contract/frame'

/** What the three kinds of ports have in common. Node's hands over the data itself, Electron's an event with `data`. */
export interface PortLike {
  postMessage(message: unknown): void
  on(event: 'message', listener: (message: unknown) => void): unknown
  on(event: 'close', listener: () => void): unknown
  start?(): void
  close?(): void
}

/** Ports have no back pressure of their own; the frames' credit brings it. The link owns the port and closes it. */
export function messagePortLink(port: PortLike): MessageLink {
  const link = createFrameLink(
    frame => port.postMessage(frame),
    () => setImmediate(() => port.close?.()),
  )
  port.on('message', message => {
    const frame = bytesOf(message) ?? bytesOf((message as { data?: unknown } | null)?.data)
    if (frame) link.receive(frame)
    else link.close('a message that is no frame')
  })
  port.on('close', () => link.close('the port closed'))
  // Handlers are set in the same tick that makes the link.
  queueMicrotask(() => port.start?.())
  return link
}

/** By shape: bytes from another realm are no instance of this one's Uint8Array. */
const bytesOf = (value: unknown): Uint8Array | null =>
  ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : null
