/**
 * Who may use the browser form. A link with a one-use token, or the password, is swapped for a cookie; the token lives a
 * minute, the cookie as long as this process. Promise: nothing here can be guessed, timed or replayed, and a page of another origin gets nothing.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export const TOKEN_LIFETIME_MS = 60_000
/** Links minted and not used; the oldest fall out. */
const MAX_TOKENS = 32
const MAX_SESSIONS = 256

export interface Access {
  /** A token for one window, with whatever is to be known of that window when the token is used. */
  mint(about: unknown): string
  /** The cookie's value and what was said at `mint`; null for a wrong, used or expired token. */
  redeem(token: string): { session: string; about: unknown } | null
  /** A session for one who has shown in another way who they are: its cookie's value. */
  enter(): string
  /** Whether the request carries a living session's cookie. */
  knows(request: IncomingMessage, port: number): boolean
}

export function createAccess(now: () => number = () => Date.now()): Access {
  const tokens: { digest: Buffer; expiresAt: number; about: unknown }[] = []
  const sessions: Buffer[] = []
  const enter = () => {
    const session = secret()
    sessions.push(digestOf(session))
    if (sessions.length > MAX_SESSIONS) sessions.shift()
    return session
  }
  return {
    enter,
    mint(about) {
      const token = secret()
      tokens.push({ digest: digestOf(token), expiresAt: now() + TOKEN_LIFETIME_MS, about })
      if (tokens.length > MAX_TOKENS) tokens.shift()
      return token
    },
    redeem(token) {
      const at = findIn(tokens, each => each.digest, token)
      const [found] = at < 0 ? [] : tokens.splice(at, 1)
      if (!found || found.expiresAt <= now()) return null
      return { session: enter(), about: found.about }
    },
    knows(request, port) {
      const name = `${cookieName(port)}=`
      const values = (request.headers.cookie ?? '')
        .split(';')
        .map(each => each.trim())
        .filter(each => each.startsWith(name))
        .map(each => each.slice(name.length))
      return values.some(value => findIn(sessions, each => each, value) >= 0)
    },
  }
}

/** Cookies do not tell ports apart: several Belays on one machine must. */
export const cookieName = (port: number): string => `belay_${port}`
export const sessionCookie = ({ port, secure }: { port: number; secure: boolean }, session: string): string =>
  `${cookieName(port)}=${session}; HttpOnly; SameSite=Strict; Path=/${secure ? '; Secure' : ''}`

const secret = () => randomBytes(32).toString('base64url')
const digestOf = (text: string) => createHash('sha256').update(text).digest()

/** Looks at every entry whatever it finds, comparing digests: time tells nothing. */
function findIn<T>(entries: readonly T[], digest: (entry: T) => Buffer, text: string): number {
  const wanted = digestOf(text)
  let at = -1
  entries.forEach((entry, index) => {
    if (timingSafeEqual(digest(entry), wanted)) at = index
  })
  return at
}
