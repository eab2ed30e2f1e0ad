/** A one-use, short-lived word that lets its bearer start one process: the sidecar signs what may run, the pty host redeems it. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { BelayError } from '#contract/error'
import { TicketClaim } from '#contract/terminal'

/** How long a ticket lives from its minting. */
export const TICKET_LIFE_MS = 30_000
/** A claim holds a whole environment, never more than this. */
const MAX_TICKET_CHARS = 4 * 1024 * 1024

const macOf = (claim: string, key: Uint8Array): Buffer => createHmac('sha256', key).update(claim).digest()

/** `<claim as JSON, base64url>.<HMAC-SHA256 over it, base64url>`. Not secret from its bearer: it can be read, not changed. */
export function signTicket(claim: TicketClaim, key: Uint8Array): string {
  const body = Buffer.from(JSON.stringify(claim)).toString('base64url')
  return `${body}.${macOf(body, key).toString('base64url')}`
}

/**
 * The claim, once. Throws `denied` for a ticket that is malformed, altered, expired or used. `used` is the verifier's memory:
 * ids of the tickets that it took; the caller keeps it for as long as it verifies with this key.
 */
export function verifyTicket(text: string, key: Uint8Array, used: Set<string>, now: number = Date.now()): TicketClaim {
  const claim = text.length <= MAX_TICKET_CHARS ? authentic(text, key) : null
  if (!claim) throw refusal('was not issued by this Belay')
  if (claim.expiresAt <= now || claim.expiresAt > now + 2 * TICKET_LIFE_MS) throw refusal('has expired')
  if (used.has(claim.id)) throw refusal('was used before')
  used.add(claim.id)
  return claim
}

function authentic(text: string, key: Uint8Array): TicketClaim | null {
  const [body, mac, ...more] = text.split('.')
  if (!body || !mac || more.length > 0) return null
  const given = Buffer.from(mac, 'base64url')
  const due = macOf(body, key)
  // Base64url has several spellings of the same bytes: only the one that was issued counts.
  if (given.length !== due.length || !timingSafeEqual(given, due) || given.toString('base64url') !== mac) return null
  try {
    return TicketClaim.parse(JSON.parse(Buffer.from(body, 'base64url').toString('utf8')))
  } catch {
    return null
  }
}

const refusal = (why: string) =>
  new BelayError('denied', `The permission to start this terminal ${why}. Nothing was started; open a new terminal.`)
