/** The browser form's socket, opened while the window's own code is still being fetched: the way is there when it is wanted. */

let early: { readonly url: string; readonly socket: WebSocket } | null = null

/** Where this page's windows connect. */
export function socketUrl(): string {
  const { protocol, host, search } = window.location
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/wire${search}`
}

/** Call once, first thing. Nothing is sent on it. */
export function openEarly(): void {
  const socket = new WebSocket(socketUrl())
  socket.binaryType = 'arraybuffer'
  early = { url: socketUrl(), socket }
}

/** The early socket, for the first who asks and while it is of use; null then: open another one. */
export function takeEarly(url: string): WebSocket | null {
  const found = early
  early = null
  return found?.url === url && found.socket.readyState <= WebSocket.OPEN ? found.socket : null
}
