import { expect, test } from 'vitest'
import type { ProviderInfo } from '#contract/model'
import { CustomProvider } from '#contract/provider-settings'
import { draftOf, providerOf } from './provider-draft.ts'

const info = (custom: CustomProvider, more: Partial<ProviderInfo> = {}): ProviderInfo => ({
  provider: custom.id,
  label: custom.label ?? custom.id,
  source: 'settings',
  note: '',
  baseUrl: custom.baseUrl ?? null,
  state: 'ready',
  lastFour: null,
  consented: false,
  dialect: custom.dialect ?? 'openai-chat',
  custom,
  ...more,
})
const full = CustomProvider.parse({
  id: 'work',
  label: 'At work',
  dialect: 'anthropic',
  baseUrl: 'https://models.example.com/v1',
  headers: { 'X-Team': 'tools: all', Authorization: 'env:TOKEN' },
  keyVariable: 'WORK_KEY',
  certificate: { certFile: '/c.pem', keyFile: '~/k.pem' },
  proxy: '',
  models: ['a', 'b/c'],
})

test('what is edited and saved unchanged is unchanged', () => {
  expect(CustomProvider.parse(providerOf(draftOf(info(full))))).toEqual(full)
  const small = CustomProvider.parse({ id: 'work', dialect: 'openai-chat', baseUrl: 'http://127.0.0.1:1/v1' })
  expect(CustomProvider.parse(providerOf(draftOf(info(small))))).toEqual(small)
})

test('one that ships keeps its name and protocol', () => {
  const changed = CustomProvider.parse({ id: 'azure', baseUrl: 'https://x.openai.azure.com/openai/v1' })
  const draft = draftOf(info(changed, { shipped: true }))
  expect(CustomProvider.parse(providerOf(draft, true))).toEqual(changed)
})

test('a new one is empty but for its protocol', () => {
  expect(providerOf(draftOf(null))).toEqual({ dialect: 'openai-chat' })
})
