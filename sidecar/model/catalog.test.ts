import { expect, test } from 'vitest'
import { z } from 'zod'
import { DialectName } from '#contract/provider-settings'
import { costOf, effortLevels, factsOf, knownModel, knownModels } from './catalog.ts'
import { catalogue } from './catalogue-file.ts'
import { splitModel } from './provider.ts'

const dollars = z.number().nonnegative()
const tokens = z.number().int().positive().nullable()
const rates = { input: dollars, output: dollars, cacheRead: dollars.optional(), cacheWrite: dollars.optional() }
const level = z.union([z.string().min(1), z.number().int().positive()])
const Table = z.strictObject({
  date: z.iso.date(),
  providers: z.array(
    z.strictObject({
      id: z.string().regex(/^[a-z0-9]+$/),
      label: z.string().min(1),
      dialect: DialectName,
      baseUrl: z.url({ protocol: /^https?$/ }).nullable(),
      keyVariable: z
        .string()
        .regex(/^[A-Z_]+$/)
        .nullable(),
      baseUrlVariable: z
        .string()
        .regex(/^[A-Z_]+$/)
        .nullable(),
      auth: z.enum(['api-key']).nullable(),
      local: z.boolean(),
      listing: z.enum(['openai', 'openrouter', 'anthropic', 'gemini', 'ollama', 'lmstudio']).nullable(),
      docs: z.url({ protocol: /^https$/ }),
      example: z.string().optional(),
      path: z.string().startsWith('/').optional(),
    }),
  ),
  models: z.array(
    z.strictObject({
      provider: z.string(),
      id: z.string().min(1),
      label: z.string().min(1),
      contextTokens: tokens,
      outputTokens: tokens,
      input: z.array(z.enum(['image', 'pdf'])).nullable(),
      tools: z.boolean().nullable(),
      reasoning: z
        .strictObject({
          control: z.enum(['budget', 'effort']),
          levels: z.strictObject({ low: level, medium: level, high: level, max: level }).partial(),
        })
        .nullable(),
      price: z
        .strictObject({ ...rates, above: z.strictObject({ tokens: z.number().int().positive(), ...rates }).optional() })
        .nullable(),
    }),
  ),
})

test('every entry of the table parses, and none is there twice', () => {
  const { date, providers, models } = Table.parse(catalogue)
  expect(Date.parse(date)).toBeLessThanOrEqual(Date.now())
  const ids = providers.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(new Set(knownModels).size).toBe(knownModels.length)
  for (const { provider, contextTokens, outputTokens, reasoning } of models) {
    expect(ids).toContain(provider)
    if (contextTokens && outputTokens) expect(outputTokens).toBeLessThanOrEqual(contextTokens)
    const words = reasoning?.control === 'effort' ? 'string' : 'number'
    for (const each of Object.values(reasoning?.levels ?? {})) expect(typeof each).toBe(words)
  }
  for (const { local, baseUrl, example, keyVariable } of providers) {
    expect(baseUrl ?? example).toBeTruthy()
    expect(local).toBe(keyVariable === null)
    if (!local && baseUrl) expect(baseUrl).toMatch(/^https:/)
  }
})

test('all providers of the issue are there', () => {
  expect(catalogue.providers.map(({ id }) => id)).toEqual(
    expect.arrayContaining(
      'anthropic openai gemini deepseek openrouter mistral xai groq moonshot dashscope azure bedrock vertex ollama lmstudio llamacpp vllm'.split(
        ' ',
      ),
    ),
  )
})

test('a dated name is the same model, another name is not', () => {
  const window = (model: string) => factsOf(model)?.contextTokens ?? null
  const sonnet = window('anthropic/claude-sonnet-4-5')
  expect(sonnet).toBeGreaterThan(0)
  expect(window('anthropic/claude-sonnet-4-5-20250929')).toBe(sonnet)
  expect(window('openai/gpt-5-2025-08-07')).toBe(window('openai/gpt-5'))
  for (const other of ['openai/gpt-5-enormous', 'anthropic/claude-sonnet-4-52', 'openai/gpt-5.99', 'other/gpt-5'])
    expect(factsOf(other)).toBe(null)
  for (const name of knownModels) expect(knownModel(name).label, name).not.toBe('')
})

const usage = { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, known: true }

test('what a call costs; nothing where nobody knows', () => {
  const facts = { price: { input: 2, output: 8, cacheRead: 0.5, cacheWrite: 2 } }
  const few = { ...usage, input: 1000, output: 500, cacheRead: 2000, cacheWrite: 100 }
  expect(costOf('x/y', few, facts)).toBeCloseTo((2000 + 4000 + 1000 + 200) / 1e6)
  const above = { ...facts.price, input: 4, tokens: 200_000 }
  expect(costOf('x/y', usage, { price: { ...facts.price, above } })).toBe(4)
  expect(costOf('x/y', { ...usage, input: 200_000 }, { price: { ...facts.price, above } })).toBeCloseTo(0.4)
  expect(costOf('x/unknown', usage)).toBe(null)
  expect(costOf('x/y', { ...usage, known: false }, facts)).toBe(null)
})

test('what a provider lists lies over the table, and what neither says stays unknown', () => {
  expect(knownModel('x/y')).toMatchObject({ contextTokens: null, input: null, tools: null, price: null, asOf: null })
  expect(knownModel('x/y', { id: 'y', label: 'Y' }, '2026-11-30')).toMatchObject({ label: 'Y', asOf: null })
  expect(factsOf('x/y', { id: 'y' })).toBe(null)
  expect(knownModel('x/y', { id: 'y', contextTokens: 8192 }, '2026-11-30')).toMatchObject({
    contextTokens: 8192,
    input: null,
    asOf: '2026-11-30',
  })
  // Where nobody said what it takes, an image is tried.
  expect(factsOf('x/y', { id: 'y', contextTokens: 8192 })?.input).toEqual(['image', 'pdf'])
  const { id } = splitModel(knownModels[0] ?? '')
  const known = knownModel(knownModels[0] ?? '', { id, contextTokens: 5 }, '2026-11-30')
  expect(known).toMatchObject({ contextTokens: 5, asOf: '2026-11-30' })
  expect(known.outputTokens).toBe(factsOf(knownModels[0] ?? '')?.outputTokens)
})

test('efforts that are one and the same are offered once', () => {
  const reasoning = { control: 'effort', levels: { low: 'low', high: 'high', max: 'high' } } as const
  expect(effortLevels({ reasoning })).toEqual(['low', 'high'])
  expect(effortLevels({ reasoning: null })).toEqual([])
})
