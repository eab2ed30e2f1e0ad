/**
 * Frames on a byte stream: `[u32 length, big endian][frame]`. A length out of bounds ends the socket; while paused nothing
 * is handed on.
 */
import type { Socket } from 'node:net'
import { MAX_FRAME_BYTES } from '#contract/protocol'

export interface SocketFrames {
  sendFrame(frame: Uint8Array): void
  /** Set both before the next tick. */
  onFrame: (frame: Uint8Array) => void
  /** Once, when either end closes. */
  onClose: (reason: string) => void
  /** Sends what is written, then closes. */
  end(): void
  /** Closes at once. */
  close(): void
  /** Stops and continues reading: the way a relay slows the far end down. */
  pause(): void
  resume(): void
  /** Bytes written that the system has not taken yet. */
  readonly bufferedBytes: number
}

/** A peer that does not read what it is owed at the end is not waited for. */
const END_TIMEOUT_MS = 2000

export function createSocketFrames(socket: Socket): SocketFrames {
  let rest: Buffer[] = []
  let restBytes = 0
  let paused = false
  let closed = false
  let corked = false
  const close = (reason: string) => {
    if (closed) return
    closed = true
    socket.destroy()
    frames.onClose(reason)
  }
  const drain = () => {
    while (!paused && !closed && restBytes >= 4) {
      const all = rest.length === 1 ? (rest[0] as Buffer) : Buffer.concat(rest, restBytes)
      rest = [all]
      const length = all.readUInt32BE(0)
      if (length === 0 || length > MAX_FRAME_BYTES) return close('malformed frame length')
      if (restBytes < 4 + length) return
      rest = [all.subarray(4 + length)]
      restBytes -= 4 + length
      frames.onFrame(all.subarray(4, 4 + length))
    }
  }
  const uncork = () => {
    corked = false
    socket.uncork()
  }
  socket.on('data', (chunk: Buffer) => {
    rest.push(chunk)
    restBytes += chunk.length
    drain()
  })
  socket.on('end', () => close('the other end closed'))
  socket.on('error', fault => close(String(fault)))
  socket.on('close', () => close('the socket closed'))
  socket.setNoDelay?.(true)
  const frames: SocketFrames = {
    sendFrame: frame => {
      if (closed || socket.writableEnded) return
      const length = Buffer.allocUnsafe(4)
      length.writeUInt32BE(frame.length, 0)
      // One system call for all that is sent within a turn.
      if (!corked) {
        corked = true
        socket.cork()
        setImmediate(uncork)
      }
      socket.write(length)
      socket.write(frame)
    },
    onFrame: () => {},
    onClose: () => {},
    end: () => {
      if (closed) return
      socket.end()
      setTimeout(() => close('ended'), END_TIMEOUT_MS).unref()
    },
    close: () => close('closed here'),
    pause: () => {
      paused = true
      socket.pause()
    },
    resume: () => {
      paused = false
      socket.resume()
      drain()
    },
    get bufferedBytes() {
      return socket.writableLength
    },
  }
  return frames
}
