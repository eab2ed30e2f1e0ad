/** Both ends in one process. Messages are copied through JSON, so that nothing works here that would not over a wire. */
import type { MessageLink } from '#contract/frame'

interface End extends MessageLink {
  closed: boolean
}

/** Delivery is never from inside a send: a microtask later, in order. */
export function loopback(): [MessageLink, MessageLink] {
  const a: End = createEnd(() => b)
  const b: End = createEnd(() => a)
  return [a, b]
}

function createEnd(farEnd: () => End): End {
  const deliver = (work: (far: End) => void) => {
    if (end.closed) return
    queueMicrotask(() => {
      const far = farEnd()
      if (!far.closed) work(far)
    })
  }
  const shut = (reason: string) => {
    if (end.closed) return
    end.closed = true
    end.onClose(reason)
  }
  const end: End = {
    closed: false,
    backlogBytes: 0,
    onJson: () => {},
    onBytes: () => {},
    onClose: () => {},
    sendJson: message => {
      const text = JSON.stringify(message)
      deliver(far => far.onJson(JSON.parse(text)))
    },
    sendBytes: bytes => {
      const copy = bytes.slice()
      deliver(far => far.onBytes(copy))
    },
    close: reason => {
      deliver(far => {
        far.closed = true
        far.onClose('the other end closed')
      })
      shut(reason)
    },
  }
  return end
}
