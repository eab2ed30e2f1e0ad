import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import type { Model, ModelRequest } from '../agent/ports.ts'
import { candidatesIn } from '../base/json-in-text.ts'
import { createScripted } from './scripted.ts'
import { answerAs } from './structured.ts'
import { titleFor } from './title.ts'

const Point = z.object({ x: z.number(), note: z.string() })
const request = {
  name: 'point',
  model: 'scripted/x',
  effort: 'auto',
  system: 'S',
  messages: [],
  maxOutputTokens: null,
} as const
const never = new AbortController().signal
const said = async (text: string, schema: z.ZodType = Point) =>
  answerAs(
    createScripted({ script: [[{ text }]] }),
    { ...request, messages: [{ role: 'user', text: 'q', images: [] }] },
    schema,
    never,
  )

describe('JSON is found', () => {
  const point = { x: 1, note: 'a } in "quotes"' }
  const json = JSON.stringify(point)
  it.each([
    ['alone', json],
    ['in a fence', `Here:\n\`\`\`json\n${json}\n\`\`\`\nand {braces} after.`],
    ['in a fence without a language', `\`\`\`\n${json}\n\`\`\``],
    ['among words with braces', `I use {x} and ${json} and {more}`],
    ['behind an opening that is never closed', `{ ${json}`],
    ['behind JSON that does not fit', `{"x":"no"} ${json}`],
    ['with raw line breaks in strings', json.replace('a }', 'a }\\n').replace('\\n', '\n')],
  ])('%s', async (_, text) => {
    const answer = await said(text)
    expect(answer).toMatchObject({ ok: true, value: { x: 1 }, usage: { known: true } })
  })
  test('and where there is none, long answers of brackets are read in no time', () => {
    const before = process.cpuUsage()
    for (const text of ['{'.repeat(100_000), '[{"'.repeat(30_000), '{"a":['.repeat(20_000)])
      expect([...candidatesIn(text)]).toContain(text)
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(3000)
  })
  test('any value, in a fence, among words, by itself', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, words) => {
        const json = JSON.stringify(value)
        const prose = words.replace(/[`{}[\]"]/g, '')
        for (const text of [json, `${prose}\n\`\`\`json\n${json}\n\`\`\`\n${prose}`]) {
          const first = [...candidatesIn(text)].find(each => {
            try {
              return JSON.stringify(JSON.parse(each)) === json
            } catch {
              return false
            }
          })
          if (!json.includes('```')) expect(first).toBeDefined()
        }
      }),
    )
  })
})

describe('no JSON is a failure in words', () => {
  it.each([
    ['cut off', '{"x": 1, "note": "and so', /without whole JSON.*and so/],
    ['none', 'I would rather not.', /without whole JSON/],
    ['unfit', '{"x":"one","note":""}', /does not fit: .*number/],
    ['nothing', '', /without whole JSON/],
  ])('%s', async (_, text, words) => {
    const answer = await said(text)
    expect(answer).toMatchObject({ ok: false, failure: { code: 'protocol', message: expect.stringMatching(words) } })
  })
})

test('a provider that refuses the schema is asked without it, in words', async () => {
  const asked: ModelRequest[] = []
  const refusing = createScripted({
    script: [
      [{ error: 'bad_request', message: 'response_format is not supported', times: 1 }, { text: '{"x":2,"note":""}' }],
    ],
  })
  const model: Model = {
    ...refusing,
    stream: (each, signal) => {
      asked.push(each)
      return refusing.stream(each, signal)
    },
  }
  const answer = await answerAs(
    model,
    { ...request, messages: [{ role: 'user', text: 'q', images: [] }] },
    Point,
    never,
  )
  expect(answer).toMatchObject({ ok: true, value: { x: 2 } })
  expect(asked.map(each => Boolean(each.answer))).toEqual([true, false])
  expect(asked[1]?.system).toContain('"additionalProperties":false')
})

test('other failures and a cancelled call are told as what they are', async () => {
  const failing = createScripted({ script: [[{ error: 'auth', message: 'No.' }]] })
  const messages = [{ role: 'user' as const, text: 'q', images: [] }]
  expect(await answerAs(failing, { ...request, messages }, Point, never)).toMatchObject({
    ok: false,
    failure: { code: 'auth' },
  })
  const stop = new AbortController()
  const waiting = answerAs(
    createScripted({ script: [[{ delayMs: 60_000 }]] }),
    { ...request, messages },
    Point,
    stop.signal,
  )
  stop.abort()
  expect(await waiting).toMatchObject({ ok: false, failure: { code: 'cancelled' } })
})

test('a title is one line without quotes; anything else is none', async () => {
  const titled = async (title: string) =>
    (
      await titleFor(
        createScripted({ script: [[{ text: JSON.stringify({ title }) }]] }),
        's/m',
        { prompt: 'p', answer: 'a' },
        never,
      )
    ).title
  expect(await titled('“Fix the\n parser.”')).toBe('Fix the parser')
  expect(await titled('')).toBe(null)
  expect(await titled('x'.repeat(200))).toBe(null)
})
