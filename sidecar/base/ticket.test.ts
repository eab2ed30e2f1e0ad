/** Tickets: what is sealed is what is redeemed, once, in time, and nothing else. */
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TicketClaim } from '#contract/terminal'
import { redeemTicket, sealTicket, TICKET_LIFE_MS } from './ticket.ts'

const key = randomBytes(32)
const now = 1_800_000_000_000
const claim: TicketClaim = {
  id: 'tkt_1',
  workspaceId: 'wsp_1' as TicketClaim['workspaceId'],
  cwd: '/tmp/地 方',
  shell: '/bin/bash',
  args: ['-l'],
  env: { PATH: '/bin', ODD: 'a.b=c\n"' },
  expiresAt: now + TICKET_LIFE_MS,
}
const verify = (text: string, options: { key?: Uint8Array; used?: Set<string>; at?: number } = {}) =>
  redeemTicket(text, options.key ?? key, options.used ?? new Set(), options.at ?? now)

test('a ticket says what was sealed, and shows its bearer nothing of it', () => {
  const ticket = sealTicket(claim, key)
  expect(verify(ticket)).toEqual(claim)
  const bytes = Buffer.from(ticket, 'base64url')
  for (const word of [claim.cwd, claim.shell, 'PATH', 'ODD', claim.id]) expect(bytes.includes(word)).toBe(false)
})

test('a second use, a late use, another key and a claim that lives too long are refused', () => {
  const used = new Set<string>()
  const ticket = sealTicket(claim, key)
  verify(ticket, { used })
  expect(() => verify(ticket, { used })).toThrow(/used before/)
  expect(() => verify(ticket, { at: now + TICKET_LIFE_MS })).toThrow(/expired/)
  expect(() => verify(ticket, { key: randomBytes(32) })).toThrow(/not issued/)
  expect(() => verify(sealTicket({ ...claim, expiresAt: now + 3 * TICKET_LIFE_MS }, key))).toThrow(/expired/)
})

test('a refused ticket is not remembered as used', () => {
  const used = new Set<string>()
  expect(() => verify(sealTicket(claim, key), { used, at: now + TICKET_LIFE_MS })).toThrow()
  expect(used).toEqual(new Set())
})

test('any change of any character is refused', () => {
  const ticket = sealTicket(claim, key)
  fc.assert(
    fc.property(fc.nat(ticket.length - 1), fc.constantFrom(...'abcXYZ019-_.=+/ \0'), (at, letter) => {
      fc.pre(ticket[at] !== letter)
      const altered = ticket.slice(0, at) + letter + ticket.slice(at + 1)
      expect(() => verify(altered)).toThrow(/not issued/)
    }),
    { numRuns: 500 },
  )
})

test('arbitrary text is refused with words, never with a crash', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String(), fc.constant(`${'a.'.repeat(9)}`)), text => {
      expect(() => verify(text)).toThrow(expect.objectContaining({ code: 'denied' }))
    }),
  )
})

test('a signed claim of the wrong shape is refused', () => {
  const odd = { ...claim, args: 'rm' } as unknown as TicketClaim
  expect(() => verify(sealTicket(odd, key))).toThrow(/not issued/)
})
