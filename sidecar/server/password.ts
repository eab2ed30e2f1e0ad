/**
 * A password for a person's other devices. Promise: comparing it tells nothing by time, and after a few wrong ones everybody
 * waits, longer each time; a printed link works meanwhile.
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { BelayError } from '#contract/error'

const MIN_PASSWORD = 12
/** What a form can carry, whatever its characters (login.ts). */
const MAX_PASSWORD = 900
/** Wrong ones before anybody waits. */
const FREE = 5
const LONGEST_WAIT_MS = 60_000

export type PasswordAnswer = { right: boolean } | { waitMs: number }

export interface Password {
  check(given: string): Promise<PasswordAnswer>
}

const derive = promisify(scrypt) as (text: string, salt: Buffer, bytes: number) => Promise<Buffer>

/** Throws `invalid` when it is too short to hold, or could never be entered. */
export async function createPassword(text: string, now: () => number = Date.now): Promise<Password> {
  const password = text.replace(/^\ufeff/, '').replace(/\r?\n$/, '')
  if (password.length < MIN_PASSWORD)
    throw new BelayError(
      'invalid',
      `The password has ${password.length} characters; it needs ${MIN_PASSWORD}. Nothing was started.`,
    )
  if (password.length > MAX_PASSWORD || /[\r\n]/.test(password))
    throw new BelayError(
      'invalid',
      `A password is one line of at most ${MAX_PASSWORD} characters. Nothing was started.`,
    )
  const salt = randomBytes(16)
  const known = await derive(password, salt, 32)
  let wrong = 0
  let waitsUntil = 0
  let busy = false
  return {
    async check(given) {
      const waitMs = waitsUntil - now()
      // One at a time: reckoning is dear, and a crowd of guesses is to cost the guessers, not us.
      if (waitMs > 0 || busy) return { waitMs: Math.max(waitMs, 1000) }
      busy = true
      try {
        const right = timingSafeEqual(await derive(given, salt, 32), known)
        wrong = right ? 0 : wrong + 1
        if (wrong >= FREE) waitsUntil = now() + Math.min(1000 * 2 ** (wrong - FREE), LONGEST_WAIT_MS)
        return { right }
      } finally {
        busy = false
      }
    },
  }
}
