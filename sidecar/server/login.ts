/** The page that asks for the password, and what becomes of an answer. It runs no script and shows nothing that was sent. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Access, sessionCookie } from './access.ts'
import { pageHeaders } from './page-headers.ts'
import type { Password } from './password.ts'
import type { Site } from './site.ts'

export const LOGIN_PATH = '/login'
export const MAX_BODY_BYTES = 8192

export interface LoginRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly access: Access
  readonly site: Site
  readonly password: Password
}
type Answered = Pick<LoginRequest, 'request' | 'response'>

const words = {
  ask: 'Enter the password that Belay was started with. 请输入启动 Belay 时的密码。',
  wrong: 'That is not the password. 密码不正确。',
  wait: 'Too many tries. Wait a minute, then try again; a printed link works at once. 尝试次数过多，请稍候再试。',
  foreign: 'This was not sent from Belay’s own page. Open that page and try again.',
} as const

export const showLogin = (answered: Answered): void => show(answered, 401, words.ask)

/** The same answer and the same time, whatever is wrong with the password. */
export async function answerLogin({ request, response, access, site, password }: LoginRequest): Promise<void> {
  const answered = { request, response }
  if (!site.isOwnOrigin(request)) return show(answered, 403, words.foreign)
  const given = await passwordIn(request)
  if (given === null) return show(answered, 400, words.ask)
  const answer = await password.check(given)
  if ('waitMs' in answer) {
    response.setHeader('Retry-After', Math.ceil(answer.waitMs / 1000))
    return show(answered, 429, words.wait)
  }
  if (!answer.right) return show(answered, 401, words.wrong)
  response.writeHead(303, {
    ...pageHeaders([]),
    'Set-Cookie': sessionCookie(site, access.enter()),
    Location: '/',
    'Cache-Control': 'no-store',
    'Content-Length': 0,
  })
  response.end()
}

async function passwordIn(request: IncomingMessage): Promise<string | null> {
  if (!/^application\/x-www-form-urlencoded\b/.test(request.headers['content-type'] ?? '')) return null
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) return null
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8')).get('password')
}

function show({ request, response }: Answered, status: number, text: string): void {
  const html = `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Belay</title>
<style>:root{color-scheme:light dark;font:16px/1.5 system-ui}body{max-width:22em;margin:18vh auto;padding:0 1em}
input,button{font:inherit;box-sizing:border-box;width:100%;padding:.5em .75em;margin-top:.75em;border-radius:6px;border:1px solid GrayText}</style>
<h1 style="font-size:1.25em">Belay</h1><p id="words" role="status">${text}</p>
<form method="post" action="${LOGIN_PATH}"><input type="password" name="password" autocomplete="current-password" aria-labelledby="words" required autofocus>
<button>OK</button></form>`
  response.writeHead(status, {
    ...pageHeaders([], { forms: true }),
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(html),
    'Cache-Control': 'no-store',
    // What was not read of a body that is too long is not waited for.
    ...(request.complete ? {} : { Connection: 'close' }),
  })
  response.end(request.method === 'HEAD' ? undefined : html)
}
