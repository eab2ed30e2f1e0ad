/** What the gateway answers to plain requests, and whom it refuses. Every refusal says in words what to do. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Access, sessionCookie } from './access.ts'
import { answerLogin, LOGIN_PATH, showLogin } from './login.ts'
import { pageHeaders } from './page-headers.ts'
import type { Password } from './password.ts'
import type { Site } from './site.ts'
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
    words: 'Belay answers only to its own window, under the address it was started with.',
  },
  unknown: { status: 404, title: 'Not found', words: 'Belay has no such page.' },
  method: { status: 405, title: 'Refused', words: 'Belay’s pages can only be read.' },
} as const satisfies Record<string, Refusal>

export interface PageRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly access: Access
  readonly site: Site
  /** Lets in those who have no link; null: nobody. */
  readonly password: Password | null
  readonly staticFolder: string
  /** Told what the used link was made for; gives the word that the window carries in its address, if any. */
  onRedeemed(about: unknown): string | null
}

export async function answerPage(page: PageRequest): Promise<void> {
  const { request, response, access, site, password } = page
  const { host } = request.headers
  if (!site.owns(host)) return refuse(page, refusals.foreign)
  if (password && request.method === 'POST' && request.url === LOGIN_PATH) return answerLogin({ ...page, password })
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(page, refusals.method)
  const url = urlOf(request)
  if (url === null) return refuse(page, refusals.unknown)
  const token = url.pathname === '/' && request.method === 'GET' ? url.searchParams.get('t') : null
  if (token !== null) return redeem(page, token)
  if (!access.knows(request, site.port)) return password ? showLogin(page) : refuse(page, refusals.noCookie)
  // The raw path: `URL` has resolved `..` already, and what it was is to be judged, not mended.
  const file = await findStaticFile(page.staticFolder, (request.url ?? '/').split(/[?#]/, 1)[0] ?? '/')
  if (!file) return refuse(page, refusals.unknown)
  response.writeHead(200, {
    ...pageHeaders([`${site.secure ? 'wss' : 'ws'}://${host}`]),
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
  const { request, response, access, site } = page
  const redeemed = access.redeem(token)
  if (!redeemed && !access.knows(request, site.port)) {
    refuse(page, refusals.usedToken)
    return
  }
  const windowId = redeemed ? page.onRedeemed(redeemed.about) : null
  response.writeHead(303, {
    ...pageHeaders([]),
    ...(redeemed ? { 'Set-Cookie': sessionCookie(site, redeemed.session) } : {}),
    Location: windowId === null ? '/' : `/?window=${windowId}`,
    'Cache-Control': 'no-store',
    'Content-Length': 0,
  })
  response.end()
}

function refuse({ request, response }: PageRequest, { status, title, words }: Refusal): void {
  const html = `<!doctype html><meta charset="utf-8"><title>Belay</title><body style="font:16px/1.5 system-ui;max-width:36em;margin:15vh auto;padding:0 1em"><h1 style="font-size:1.25em">${title}</h1><p>${words}</p>`
  response.writeHead(status, {
    ...pageHeaders([]),
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(html),
    'Cache-Control': 'no-store',
    ...(status === 405 ? { Allow: 'GET, HEAD' } : {}),
  })
  response.end(request.method === 'HEAD' ? undefined : html)
}

/** Null: the request may become a window's connection. */
export function refusalOfUpgrade(request: IncomingMessage, access: Access, site: Site): Refusal | null {
  if (!site.owns(request.headers.host) || !site.isOwnOrigin(request)) return refusals.foreign
  if (!access.knows(request, site.port)) return refusals.noCookie
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
