/** Consent, as every face of words asks for it: where to, once, and never for what was named or needs none. */
import { expect, it } from 'vitest'
import type { Client } from '#contract/client'
import type { BelayContract } from '#contract/index'
import { consentFor, turnsIn } from './verbs.ts'

const given: string[] = []
const client = {
  model: {
    list: async () => ({
      providers: [
        { provider: 'far', label: 'Far', baseUrl: 'https://far.example', consented: false },
        { provider: 'near', label: 'Near', baseUrl: null, consented: true },
      ],
    }),
    consent: async ({ provider }: { provider: string }) => void given.push(provider),
  },
} as unknown as Client<BelayContract>

it('asks with the address, and only where nobody has said yes', async () => {
  const consent = await consentFor(client, 'far/away', null)
  expect(consent?.question).toBe('Send your words and files to Far (https://far.example)?')
  await consent?.give()
  expect(given).toEqual(['far'])
  expect(await consentFor(client, 'near/by', null)).toBeNull()
  expect(await consentFor(client, 'guide/guide', null)).toBeNull()
})

it('a model that a command line named is agreed to, another of its provider is not', async () => {
  expect(await consentFor(client, 'far/away', 'far/away')).toBeNull()
  expect(await consentFor(client, 'far/other', 'far/away')).not.toBeNull()
})

it('takes whole numbers of turns', () => {
  expect([turnsIn(''), turnsIn('3')]).toEqual([1, 3])
  for (const odd of ['0', '-1', '1.5', 'two']) expect(() => turnsIn(odd)).toThrow(`“${odd}” is none`)
})
