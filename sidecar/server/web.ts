/**
 * The browser form's door: the built window over HTTP, and one WebSocket per window that is relayed to the children. Promise:
 * only with a link that Belay printed or the password, only from the page that was served here; beyond this machine only by TLS.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { WebSocketServer } from 'ws'
import { BelayError } from '#contract/error'
import { createFrameLink } from '#contract/frame'
import { MAX_FRAME_BYTES } from '#contract/protocol'
import type { HostContract } from '#contract/supervision'
import type { Log } from '../base/log.ts'
import { connectLocalRaw } from '../transport/local-socket.ts'
import { createAccess } from './access.ts'
import type { Password } from './password.ts'
import type { FarEnd } from './relay.ts'
import { type Service, serve } from './serve.ts'
import { createSite } from './site.ts'
import type { TlsFiles } from './tls-files.ts'
import { answerPage, refusalOfUpgrade, refuseUpgrade } from './web-pages.ts'
import { createWindowSocket, type WindowSocket } from './window-socket.ts'

const CONNECT_TIMEOUT_MS = 5000

export interface WebWindow {
  /** The folder that the window's link was made for. A window that has shown another by now knows that itself. */
  folder(): string | null
}

export interface WebGatewayOptions {
  /** Where the build put the window. */
  readonly staticFolder: string
  /** 0: any free one. */
  readonly port: number
  /** Where it listens: this machine alone when nothing is said; elsewhere needs `tls`. */
  readonly address?: string | undefined
  readonly tls?: TlsFiles | null | undefined
  readonly password?: Password | null | undefined
  /** Made once for each window. */
  hostService(window: WebWindow): Service<HostContract>
  /** Where the child behind a channel listens now; null while it does not. */
  target(channel: 'sidecar' | 'pty'): { path: string; token: string } | null
  /** The listener is called when `target` may have changed. Returns what ends it. */
  onTargetChanged(listener: () => void): () => void
  /** Answers what is no page's; false: not its own. */
  readonly api?: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
  readonly version: string
  readonly epoch: string
  readonly log: Log
}

export interface WebGateway {
  readonly port: number
  /** `http://127.0.0.1:4711` */
  readonly address: string
  /** A link that opens one window, within a minute, once. `folder` is opened in it. */
  mintUrl(folder: string | null): string
  /** Windows that are connected. */
  windows(): number
  /** Ends every window's connection. Never rejects. */
  close(): Promise<void>
}

/** Throws `busy` when the port is taken, `no_permission` when it may not be used. */
export async function createWebGateway(options: WebGatewayOptions): Promise<WebGateway> {
  const access = createAccess()
  const windows = createFolderNotes()
  const sockets = new Set<WindowSocket>()
  const webSockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES + 2,
    clientTracking: false,
  })
  const { address = '127.0.0.1', tls = null, password = null, staticFolder } = options
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (options.api?.(request, response)) return
    const onRedeemed = (about: unknown) => (typeof about === 'string' ? windows.remember(about) : null)
    answerPage({ request, response, access, site, password, staticFolder, onRedeemed }).catch(fault => {
      options.log('error', 'a page was not served', { fault: String(fault) })
      response.destroy()
    })
  }
  const limits = { requestTimeout: 30_000, headersTimeout: 10_000 }
  const server = tls
    ? createTlsServer({ ...limits, cert: tls.cert, key: tls.key, minVersion: 'TLSv1.2' }, answer)
    : createServer(limits, answer)
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const refusal = refusalOfUpgrade(request, access, site)
    if (refusal) return refuseUpgrade(socket, refusal)
    webSockets.handleUpgrade(request, socket, head, webSocket => {
      const service = options.hostService({ folder: () => windows.of(windowIdOf(request)) })
      const window = createWindowSocket(webSocket, channel =>
        channel === 'host' ? hostEnd(service, options) : childEnd(options.target(channel)),
      )
      sockets.add(window)
      webSocket.on('close', () => sockets.delete(window))
    })
  })
  const port = await listen(server, address, options.port)
  const site = createSite({ address, port, tls })
  server.on('error', fault => options.log('error', 'the web server failed', { fault: String(fault) }))
  const stopListening = options.onTargetChanged(() => {
    for (const window of sockets) window.retry()
  })
  return {
    port,
    address: site.address,
    mintUrl: folder => `${site.address}/?t=${access.mint(folder)}`,
    windows: () => sockets.size,
    close: () =>
      new Promise(resolve => {
        stopListening()
        for (const window of sockets) window.close()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const windowIdOf = (request: IncomingMessage) =>
  new URL(request.url ?? '/', 'http://localhost').searchParams.get('window') ?? ''

/** Folders that links were made for, by the word that the window carries in its address. Not a secret: it opens nothing. */
function createFolderNotes() {
  const folders = new Map<string, string>()
  return {
    remember(folder: string): string {
      const id = randomUUID()
      folders.set(id, folder)
      const [oldest] = folders.keys()
      if (folders.size > 100 && oldest !== undefined) folders.delete(oldest)
      return id
    },
    of: (id: string): string | null => folders.get(id) ?? null,
  }
}

/** The supervisor itself answers on the host channel: a conversation that never leaves this process. */
async function hostEnd(service: Service<HostContract>, options: WebGatewayOptions): Promise<FarEnd> {
  const link = createFrameLink(
    frame => end.onFrame(frame),
    reason => end.onClose(reason),
  )
  const end: FarEnd = {
    sendFrame: link.receive,
    onFrame: () => {},
    onClose: () => {},
    close: () => link.close('the window closed'),
    pause: () => {},
    resume: () => {},
    bufferedBytes: 0,
  }
  serve(service, link, { epoch: options.epoch, version: options.version, log: options.log })
  return end
}

const childEnd = (target: { path: string; token: string } | null): Promise<FarEnd> | null =>
  target && connectLocalRaw({ ...target, timeoutMs: CONNECT_TIMEOUT_MS })

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', fault => reject(listenFault(fault as NodeJS.ErrnoException, host, port)))
    server.listen({ host, port, exclusive: true }, () => {
      server.removeAllListeners('error')
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}

function listenFault(fault: NodeJS.ErrnoException, host: string, port: number): BelayError {
  if (fault.code === 'EADDRNOTAVAIL' || fault.code === 'ENOTFOUND')
    return new BelayError(
      'invalid',
      `${host} is no address of this machine, so Belay did not start. 0.0.0.0 means all of them.`,
      {
        cause: fault,
      },
    )
  if (fault.code === 'EADDRINUSE') {
    return new BelayError(
      'busy',
      `Port ${port} is taken by another program, so Belay did not start. Give another one, or 0 for any free port: belay web 0`,
      { cause: fault },
    )
  }
  return new BelayError(
    fault.code === 'EACCES' ? 'no_permission' : 'unavailable',
    `Belay may not listen on port ${port} (${fault.code ?? fault.message}). Give a port above 1023, or 0 for any free port: belay web 0`,
    { cause: fault },
  )
}
