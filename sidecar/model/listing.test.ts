import { expect, test } from 'vitest'
import { listingUrl, readListing } from './listing.ts'

const read = (form: Parameters<typeof readListing>[0], value: unknown) =>
  readListing(form, JSON.stringify(value))?.map(each => JSON.parse(JSON.stringify(each)) as unknown)

test('each provider in its own form; what it leaves out is left out', () => {
  expect(
    read('openrouter', {
      data: [
        {
          id: 'a/b',
          name: 'B',
          context_length: 200_000,
          pricing: { prompt: '0.000003', completion: '0.000015', input_cache_read: '0.0000003' },
          architecture: { input_modalities: ['text', 'image', 'file'] },
          supported_parameters: ['tools'],
          top_provider: { max_completion_tokens: 64_000 },
        },
        { id: 'auto', pricing: { prompt: '-1', completion: '-1' }, top_provider: { max_completion_tokens: null } },
      ],
    }),
  ).toEqual([
    {
      id: 'a/b',
      label: 'B',
      contextTokens: 200_000,
      outputTokens: 64_000,
      input: ['image', 'pdf'],
      tools: true,
      price: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3 },
    },
    { id: 'auto' },
  ])
  expect(
    read('gemini', {
      models: [
        {
          name: 'models/g',
          displayName: 'G',
          inputTokenLimit: 10,
          outputTokenLimit: 5,
          supportedGenerationMethods: ['generateContent'],
        },
        { name: 'models/embed', supportedGenerationMethods: ['embedContent'] },
      ],
    }),
  ).toEqual([{ id: 'g', label: 'G', contextTokens: 10, outputTokens: 5 }])
  expect(read('ollama', { models: [{ name: 'q:7b' }, { name: 'v', capabilities: ['tools', 'vision'] }] })).toEqual([
    { id: 'q:7b' },
    { id: 'v', tools: true, input: ['image'] },
  ])
  expect(
    read('lmstudio', {
      data: [
        { id: 'v', type: 'vlm', max_context_length: 8192, loaded_context_length: 4096 },
        { id: 'e', type: 'embeddings' },
      ],
    }),
  ).toEqual([{ id: 'v', contextTokens: 4096, input: ['image'] }])
  expect(read('anthropic', { data: [{ id: 'c', display_name: 'C' }] })).toEqual([{ id: 'c', label: 'C' }])
  expect(
    read('openai', {
      data: [
        { id: 'v', max_model_len: 32_768 },
        { id: 'g', context_window: 131_072, active: true },
        { id: 'off', active: false },
        {
          id: 'm',
          max_context_length: 5,
          capabilities: { function_calling: true, vision: false, completion_chat: true },
        },
        { id: 'odd', context_length: 'many' },
        null,
        'text',
      ],
    }),
  ).toEqual([
    { id: 'v', contextTokens: 32_768 },
    { id: 'g', contextTokens: 131_072 },
    { id: 'm', contextTokens: 5, tools: true, input: [] },
    { id: 'odd' },
  ])
  expect(read('openai', { object: 'error' })).toBeUndefined()
})

test('where a list is asked for', () => {
  expect(listingUrl('ollama', 'http://127.0.0.1:11434/v1/')).toBe('http://127.0.0.1:11434/api/tags')
  expect(listingUrl('lmstudio', 'http://127.0.0.1:1234/v1')).toBe('http://127.0.0.1:1234/api/v0/models')
  const gemini = 'https://generativelanguage.googleapis.com'
  for (const base of [gemini, `${gemini}/v1beta`, `${gemini}/v1beta/openai`])
    expect(listingUrl('gemini', base)).toBe(`${gemini}/v1beta/models?pageSize=1000`)
  expect(listingUrl('anthropic', 'https://api.anthropic.com')).toBe('https://api.anthropic.com/v1/models?limit=1000')
})
