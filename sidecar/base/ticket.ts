/** A one-use, short-lived word that lets its bearer start one process: the sidecar seals what may run, the pty host redeems it. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { BelayError } from '#contract/error'
import { TicketClaim } from '#contract/terminal'

/** How long a ticket lives from its minting. */
export const TICKET_LIFE_MS = 30_000
/** A claim holds a whole environment, never more than this. */
const MAX_TICKET_CHARS = 4 * 1024 * 1024

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * AES-256-GCM over the claim as JSON: nonce, cipher text, tag, as base64url. `key` is 32 bytes. Its bearer can neither change
 * nor read it: it passes through the page, and a person's environment holds keys.
 */
export function sealTicket(claim: TicketClaim, key: Uint8Array): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const sealed = [nonce, cipher.update(JSON.stringify(claim), 'utf8'), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat(sealed).toString('base64url')
}

/**
 * The claim, once. Throws `denied` for a ticket that is malformed, altered, expired or used. `used` is the verifier's memory:
 * ids of the tickets that it took; the caller keeps it for as long as it redeems with this key.
 */
export function redeemTicket(text: string, key: Uint8Array, used: Set<string>, now: number = Date.now()): TicketClaim {
  const claim = text.length <= MAX_TICKET_CHARS ? opened(text, key) : null
  if (!claim) throw refusal('was not issued by this Belay')
  if (claim.expiresAt <= now || claim.expiresAt > now + 2 * TICKET_LIFE_MS) throw refusal('has expired')
  if (used.has(claim.id)) throw refusal('was used before')
  used.add(claim.id)
  return claim
}

function opened(text: string, key: Uint8Array): TicketClaim | null {
  const bytes = Buffer.from(text, 'base64url')
  // Base64url has several spellings of the same bytes: only the one that was issued counts.
  if (bytes.length < NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== text) return null
  const tag = bytes.subarray(-TAG_BYTES)
  const options = { authTagLength: TAG_BYTES }
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), options).setAuthTag(tag)
  try {
    const claim = [decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]
    return TicketClaim.parse(JSON.parse(Buffer.concat(claim).toString('utf8')))
  } catch {
    return null
  }
}

const refusal = (why: string) =>
  new BelayError('denied', `The permission to start this terminal ${why}. Nothing was started; open a new terminal.`)
