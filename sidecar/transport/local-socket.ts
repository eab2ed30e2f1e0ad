/**
 * Message links over a Unix socket or named pipe: a token line, the answer `ok`, then `[u32 length][frame]`.
 * Promise: nobody without the token gets a link, and no socket that someone answers is ever replaced.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { lstat, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { BelayError } from '#contract/error'
import { createFrameLink, type MessageLink } from '#contract/frame'
import type { Log } from '../base/log.ts'
import { ensurePrivateFolder, isPipe } from './local-socket-path.ts'
import { createSocketFrames, type SocketFrames } from './socket-frames.ts'

export { localSocketPath } from './local-socket-path.ts'

const TOKEN_LINE_BYTES = 512
const TOKEN_TIMEOUT_MS = 5000
const ACCEPTED = 'ok'

export interface LocalListener {
  /** Ends every connection and removes the socket. Never rejects. */
  close(): Promise<void>
}

/** Throws `busy` when someone listens there already. `onLink` must set the link's handlers before it returns. */
export async function listenLocal(options: {
  path: string
  token: string
  onLink: (link: MessageLink) => void
  log: Log
}): Promise<LocalListener> {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', fault => options.log('debug', 'a local connection failed', { fault: String(fault) }))
    void readLine(socket, TOKEN_TIMEOUT_MS).then(line => {
      if (line === null || !sameToken(line, options.token)) {
        options.log('warn', 'a local connection without the right token was refused')
        return socket.destroy()
      }
      socket.write(`${ACCEPTED}\n`)
      options.onLink(linkOver(createSocketFrames(socket)))
    })
  })
  await ensurePrivateFolder(options.path)
  await listenOrReplaceStale(server, options.path)
  server.on('error', fault => options.log('error', 'the local socket failed', { fault: String(fault) }))
  return {
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** Rejects with `disconnected` (nobody there, too slow) or `auth` (wrong token). */
export async function connectLocal(options: { path: string; token: string; timeoutMs: number }): Promise<MessageLink> {
  return linkOver(await connectLocalRaw(options))
}

/** The same door for a relay: frames as they come, none of them read. */
export async function connectLocalRaw(options: {
  path: string
  token: string
  timeoutMs: number
}): Promise<SocketFrames> {
  const socket = connect(options.path)
  const faults: unknown[] = []
  socket.on('error', fault => faults.push(fault))
  socket.write(`${options.token}\n`)
  const answer = await readLine(socket, options.timeoutMs)
  if (answer === ACCEPTED) return createSocketFrames(socket)
  const silent = answer === null && !socket.readableEnded && !socket.destroyed
  socket.destroy()
  if (answer !== null) throw new BelayError('protocol', 'What listens at that socket is not Belay.')
  if (silent) throw new BelayError('timeout', `Nothing answered at ${options.path} within ${options.timeoutMs} ms.`)
  if (faults.length === 0) throw new BelayError('auth', 'Belay’s process refused the token: it may be an older one.')
  throw new BelayError('disconnected', `Nothing of Belay answers at ${options.path}.`, { cause: faults[0] })
}

function linkOver(frames: SocketFrames): MessageLink {
  const link = createFrameLink(frames.sendFrame, () => frames.end())
  frames.onFrame = link.receive
  frames.onClose = reason => link.close(reason)
  return link
}

/** A socket file outlives its process. It is removed only when a connection to it is refused: nobody listens. */
async function listenOrReplaceStale(server: Server, path: string): Promise<void> {
  try {
    return await listen(server, path)
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw fault
    const stale = !isPipe(path) && (await lstat(path)).isSocket() && !(await isAnswered(path))
    if (!stale) throw new BelayError('busy', `Another Belay process listens at ${path}.`, { cause: fault })
  }
  await rm(path, { force: true })
  await listen(server, path)
}

const listen = (server: Server, path: string) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      resolve()
    })
  })

const isAnswered = (path: string) =>
  new Promise<boolean>(resolve => {
    const socket = connect(path)
    socket.once('connect', () => {
      resolve(true)
      socket.destroy()
    })
    socket.once('error', fault => {
      const { code } = fault as NodeJS.ErrnoException
      resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT')
    })
  })

/** The first line, or null when the connection ends, the line is too long or time is up. What follows stays unread. */
function readLine(socket: Socket, timeoutMs: number): Promise<string | null> {
  return new Promise(resolve => {
    let got = Buffer.alloc(0)
    const done = (line: string | null) => {
      clearTimeout(timer)
      socket.off('readable', read)
      socket.off('close', ended)
      socket.off('end', ended)
      resolve(line)
    }
    const ended = () => done(null)
    const read = () => {
      for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) {
        got = Buffer.concat([got, chunk])
        const end = got.indexOf(10)
        if (end >= 0) {
          if (got.length > end + 1) socket.unshift(got.subarray(end + 1))
          return done(got.toString('utf8', 0, end))
        }
        if (got.length > TOKEN_LINE_BYTES) return done(null)
      }
    }
    const timer = setTimeout(ended, timeoutMs)
    socket.on('readable', read)
    socket.on('close', ended)
    socket.on('end', ended)
  })
}

/** In time that tells nothing of either, not even the length. */
function sameToken(given: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return right !== '' && timingSafeEqual(digest(given), digest(right))
}
