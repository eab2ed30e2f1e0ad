/** Chrome's DevTools protocol over one WebSocket: a session for each page. Playwright stays free for the test itself. */
import { EventEmitter } from 'node:events'
import { WebSocket } from 'ws'

const TIMEOUT_MS = 30_000

/** Rejections carry the protocol's own words. Every command has a timeout. */
export async function connectCdp(endpoint) {
  const socket = new WebSocket(endpoint, { perMessageDeflate: false, maxPayload: 1 << 28 })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const waiting = new Map()
  const sessions = new Map()
  let lastId = 0
  const send = (method, params = {}, sessionId) =>
    new Promise((resolve, reject) => {
      const id = ++lastId
      const timer = setTimeout(() => settle(id, { error: { message: 'no answer in time' } }), TIMEOUT_MS)
      waiting.set(id, { resolve, reject, timer, method })
      socket.send(JSON.stringify({ id, method, params, sessionId }), fault => {
        if (fault) settle(id, { error: fault })
      })
    })
  const settle = (id, { result, error }) => {
    const found = waiting.get(id)
    if (!found) return
    waiting.delete(id)
    clearTimeout(found.timer)
    if (error) found.reject(new Error(`electron double: ${found.method}: ${error.message}`))
    else found.resolve(result)
  }
  socket.on('message', text => {
    const { id, method, params, sessionId, ...outcome } = JSON.parse(text)
    if (id !== undefined) settle(id, outcome)
    else if (sessionId !== undefined) sessions.get(sessionId)?.emit(method, params)
    else if (method === 'Target.detachedFromTarget') sessions.get(params.sessionId)?.emit('detached')
  })
  socket.on('close', () => {
    for (const id of [...waiting.keys()]) settle(id, { error: { message: 'the browser went away' } })
    for (const session of sessions.values()) session.emit('detached')
  })
  return {
    send,
    /** A new page: an emitter of its events, `send` for its commands. */
    async newPage({ width, height }) {
      const { targetId } = await send('Target.createTarget', { url: 'about:blank', newWindow: true, width, height })
      const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
      const session = Object.assign(new EventEmitter(), {
        targetId,
        send: (method, params) => send(method, params, sessionId),
      })
      sessions.set(sessionId, session)
      return session
    },
    close: () => socket.terminate(),
  }
}
