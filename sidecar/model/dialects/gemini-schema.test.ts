/** A schema that Gemini takes, with nothing lost but what cannot be said. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { geminiSchema } from './gemini-schema.ts'

const converted = (schema: Record<string, unknown>) => {
  const lost: string[] = []
  return { schema: geminiSchema(schema, words => lost.push(words)), lost }
}
const property = (schema: Record<string, unknown>) =>
  (converted({ type: 'object', properties: { a: schema } }).schema?.properties as Record<string, unknown> | undefined)
    ?.a

describe('what it has another word for', () => {
  const cases: [string, Record<string, unknown>, unknown][] = [
    ['a constant', { const: 'x' }, { type: 'string', enum: ['x'] }],
    ['perhaps null', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
    ['one of types', { type: ['string', 'number'] }, { anyOf: [{ type: 'string' }, { type: 'number' }] }],
    ['null or a thing', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, { type: 'integer', nullable: true }],
    [
      'one of',
      { oneOf: [{ type: 'string' }, { type: 'boolean' }] },
      { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
    ],
    [
      'more than',
      { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10 },
      { type: 'integer', minimum: 1, maximum: 9 },
    ],
    [
      'closed objects',
      { type: 'object', properties: { b: { type: 'string' } }, additionalProperties: false },
      { type: 'object', properties: { b: { type: 'string' } } },
    ],
    ['lists of anything', { type: 'array' }, { type: 'array', items: { anyOf: expect.any(Array) } }],
    [
      'all of',
      {
        allOf: [
          { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] },
          { properties: { c: { type: 'number' } } },
        ],
      },
      { type: 'object', properties: { b: { type: 'string' }, c: { type: 'number' } }, required: ['b'] },
    ],
  ]
  it.each(cases)('%s', (_, schema, expected) => expect(property(schema)).toEqual(expected))
})

it('what it has no word for is told in the description', () => {
  expect(property({ type: 'number', multipleOf: 5, exclusiveMinimum: 0, description: 'How much.' })).toEqual({
    type: 'number',
    description: 'How much. Also, as JSON Schema: {"multipleOf":5,"exclusiveMinimum":0}',
  })
  expect(property({ type: 'string', format: 'uri' })).toEqual({
    type: 'string',
    description: 'Also, as JSON Schema: {"format":"uri"}',
  })
  expect(property({ enum: [1, 2] })).toEqual({ type: 'number', description: 'Also, as JSON Schema: {"enum":[1,2]}' })
})

it('references are filled in; only what holds itself is lost, and that is said', () => {
  const $defs = { leaf: { type: 'string' }, tree: { type: 'object', properties: { child: { $ref: '#/$defs/tree' } } } }
  const { schema, lost } = converted({
    type: 'object',
    $defs,
    properties: { leaf: { $ref: '#/$defs/leaf', description: 'A leaf.' }, tree: { $ref: '#/$defs/tree' } },
  })
  expect(schema).toEqual({
    type: 'object',
    properties: {
      leaf: { type: 'string', description: 'A leaf.' },
      tree: { type: 'object', properties: { child: { type: 'object' } } },
    },
  })
  expect(lost).toEqual(['the part that holds itself (#/$defs/tree)'])
})

it('references that stand in an allOf, as some generators write them, are filled in too', () => {
  const $defs = {
    colour: { type: 'string', enum: ['red', 'blue'] },
    tree: { allOf: [{ $ref: '#/$defs/tree' }], type: 'object', properties: { leaf: { type: 'string' } } },
  }
  const { schema, lost } = converted({
    type: 'object',
    $defs,
    properties: {
      colour: { allOf: [{ $ref: '#/$defs/colour' }], default: 'red', description: 'Which.' },
      tree: { $ref: '#/$defs/tree' },
    },
  })
  expect(schema?.properties).toEqual({
    colour: { type: 'string', enum: ['red', 'blue'], default: 'red', description: 'Which.' },
    tree: { type: 'object', properties: { leaf: { type: 'string' } } },
  })
  expect(lost).toEqual(['the part that holds itself (#/$defs/tree)'])
})

it('an object without properties is none', () =>
  expect(converted({ type: 'object', properties: {} }).schema).toBeUndefined())

it('what zod makes has nothing left that is refused', () => {
  const schema = z.strictObject({
    path: z.string().min(1).describe('Where.'),
    mode: z.enum(['a', 'b']).default('a'),
    limit: z.number().int().positive().optional(),
    edits: z.array(z.strictObject({ old: z.string(), new: z.string().nullable() })),
    kind: z.discriminatedUnion('type', [
      z.object({ type: z.literal('x') }),
      z.object({ type: z.literal('y'), n: z.number() }),
    ]),
    map: z.record(z.string(), z.unknown()),
  })
  const { schema: out, lost } = converted(z.toJSONSchema(schema) as Record<string, unknown>)
  const keys = new Set<string>()
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) walk(each)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    for (const [key, each] of Object.entries(value)) {
      if (key === 'properties') for (const inner of Object.values(each as object)) walk(inner)
      else {
        keys.add(key)
        walk(each)
      }
    }
  }
  walk(out)
  const taken = [
    'type',
    'properties',
    'required',
    'description',
    'enum',
    'default',
    'items',
    'anyOf',
    'nullable',
    'minLength',
    'minimum',
    'maximum',
  ]
  expect([...keys].filter(key => !taken.includes(key))).toEqual([])
  expect(lost).toEqual([])
})
