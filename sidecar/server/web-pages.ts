/** What the gateway answers to plain requests, and whom it refuses. Every refusal says in words what to do. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Access, isOwnHost, isOwnOrigin, sessionCookie } from './access.ts'
import { pageHeaders } from './page-headers.ts'
import { findStaticFile } from './static-files.ts'

export const WIRE_PATH = '/wire'

interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 405
  readonly title: string
  readonly words: string
}

const refusals = {
  noCookie: {
    status: 401,
    title: 'This window needs a fresh link',
    words:
      'Start Belay again: `npm start` prints a fresh link. What you had open is kept. 请重新启动 Belay：`npm start` 会给出新的链接。',
  },
  usedToken: {
    status: 401,
    title: 'This link was used already, or is older than a minute',
    words:
      'Start Belay again: `npm start` prints a fresh link. Each link opens one window. 请重新启动 Belay：`npm start` 会给出新的链接。',
  },
  foreign: {
    status: 403,
    title: 'Refused',
    words: 'Belay answers only to its own window on this machine, under 127.0.0.1 or localhost.',
  },
  unknown: { status: 404, title: 'Not found', words: 'Belay has no such page.' },
  method: { status: 405, title: 'Refused', words: 'Belay’s pages can only be read.' },
} as const satisfies Record<string, Refusal>

export interface PageRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly access: Access
  readonly port: number
  readonly staticFolder: string
  /** Told what the used link was made for; gives the word that the window carries in its address, if any. */
  onRedeemed(about: unknown): string | null
}

export async function answerPage(page: PageRequest): Promise<void> {
  const { request, response, access, port } = page
  const { host } = request.headers
  if (!isOwnHost(host, port)) return refuse(page, refusals.foreign)
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(page, refusals.method)
  const url = urlOf(request)
  if (url === null) return refuse(page, refusals.unknown)
  const token = url.pathname === '/' && request.method === 'GET' ? url.searchParams.get('t') : null
  if (token !== null) return redeem(page, token)
  if (!access.knows(request, port)) return refuse(page, refusals.noCookie)
  // The raw path: `URL` has resolved `..` already, and what it was is to be judged, not mended.
  const file = await findStaticFile(page.staticFolder, (request.url ?? '/').split(/[?#]/, 1)[0] ?? '/')
  if (!file) return refuse(page, refusals.unknown)
  response.writeHead(200, {
    ...pageHeaders(host as string),
    'Content-Type': file.mediaType,
    'Content-Length': file.bytes,
    'Cache-Control': file.immutable ? 'private, max-age=31536000, immutable' : 'no-store',
  })
  if (request.method === 'HEAD') return void response.end()
  // A window that goes away in the middle of a file is no fault.
  await pipeline(file.read(), response).catch(() => response.destroy())
}

/** A used link of a window that is in already is no fault: a reload or a second click. */
function redeem(page: PageRequest, token: string): void {
  const { request, response, access, port } = page
  const redeemed = access.redeem(token)
  if (!redeemed && !access.knows(request, port)) {
    refuse(page, refusals.usedToken)
    return
  }
  const windowId = redeemed ? page.onRedeemed(redeemed.about) : null
  response.writeHead(303, {
    ...pageHeaders(request.headers.host as string),
    ...(redeemed ? { 'Set-Cookie': sessionCookie(port, redeemed.session) } : {}),
    Location: windowId === null ? '/' : `/?window=${windowId}`,
    'Cache-Control': 'no-store',
    'Content-Length': 0,
  })
  response.end()
}

function refuse({ request, response }: PageRequest, { status, title, words }: Refusal): void {
  const html = `<!doctype html><meta charset="utf-8"><title>Belay</title><body style="font:16px/1.5 system-ui;max-width:36em;margin:15vh auto;padding:0 1em"><h1 style="font-size:1.25em">${title}</h1><p>${words}</p>`
  response.writeHead(status, {
    // The host may be an attacker's word: it is not repeated.
    ...pageHeaders('127.0.0.1'),
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(html),
    'Cache-Control': 'no-store',
    ...(status === 405 ? { Allow: 'GET, HEAD' } : {}),
  })
  response.end(request.method === 'HEAD' ? undefined : html)
}

/** Null: the request may become a window's connection. */
export function refusalOfUpgrade(request: IncomingMessage, access: Access, port: number): Refusal | null {
  if (!isOwnHost(request.headers.host, port) || !isOwnOrigin(request)) return refusals.foreign
  if (!access.knows(request, port)) return refusals.noCookie
  return urlOf(request)?.pathname === WIRE_PATH ? null : refusals.unknown
}

export function refuseUpgrade(socket: Duplex, { status, title, words }: Refusal): void {
  const text = `${title}. ${words}\n`
  const head = [
    `HTTP/1.1 ${status} Refused`,
    'Connection: close',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
}

function urlOf(request: IncomingMessage): URL | null {
  try {
    return new URL(request.url ?? '/', 'http://localhost')
  } catch {
    return null
  }
}
