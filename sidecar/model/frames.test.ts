/** Bytes to frames: wherever they are cut, however long they are, and what they are when they are something else. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEmitter } from '../base/emitter.ts'
import { createFramer, type Frame, type Framing, postForFrames } from './frames.ts'
import { budgetsFor } from './pace.ts'
import { names, piecesOfAnswer } from './server/talk.case.ts'

function framesOf(framing: Framing, pieces: readonly Uint8Array[]): Frame[] {
  const framer = createFramer(framing)
  const decoder = new TextDecoder()
  return [...pieces.flatMap(piece => framer.feed(decoder.decode(piece, { stream: true }))), ...framer.end()]
}
const text = (framing: Framing, ...pieces: string[]) =>
  framesOf(
    framing,
    pieces.map(piece => Buffer.from(piece)),
  )
const data = (...all: string[]): Frame[] => all.map(each => ({ event: null, data: each }))

describe.each(names)('%s', name => {
  const framing = name === 'ollama' ? 'lines' : 'sse'
  const ends = name === 'ollama' ? (['\n', '\r\n'] as const) : (['\n', '\r\n', '\r'] as const)
  it.each(ends)('the same frames, whichever byte they are cut at (line end %j)', lineEnd => {
    const said = [{ text: 'wö🙂' }, { call: 'read', id: 'c', arguments: { path: 'ä' } }]
    const [bytes = Buffer.alloc(0)] = piecesOfAnswer(name, {
      said,
      sending: { lineEnd, byteOrderMark: true, comments: true },
    })
    const plain = JSON.stringify(framesOf(framing, [bytes]))
    expect(plain).toContain('wö🙂')
    for (let at = 1; at < bytes.length; at++) {
      const cut = framesOf(framing, [bytes.subarray(0, at), bytes.subarray(at)])
      if (JSON.stringify(cut) !== plain) expect(cut, `cut at ${at}`).toEqual(JSON.parse(plain))
    }
  })
})

describe('events', () => {
  it('several in one piece, and the last without its end', () =>
    expect(text('sse', 'data: 1\n\ndata: 2\n\nevent: x\ndata: 3')).toEqual([
      ...data('1', '2'),
      { event: 'x', data: '3' },
    ]))
  it('data on several lines is one', () => expect(text('sse', 'data: a\ndata: b\n\n')).toEqual(data('a\nb')))
  it('comments and fields without data are none', () =>
    expect(text('sse', ': hi\n\nretry: 5\n\nid: 1\n\n')).toEqual([]))
  it('a JSON document is one frame, whatever it is called', () =>
    expect(text('sse', '\uFEFF \n {"a":\n', '1}\n')).toEqual(data('{"a":\n1}')))
  it('any text in any pieces: what it is whole', () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('data: ', '{"a":1}', '\n', '\r', '\r\n', ':', 'event: x', 'ü'), { maxLength: 20 }),
        parts => {
          // A piece that ends in the middle of a line end cannot be told from one that does not.
          expect(text('sse', ...parts)).toEqual(text('sse', parts.join('')))
        },
      ),
    ))
})

describe('lines', () => {
  it('empty ones are none, the last needs no end', () =>
    expect(text('lines', '{"a":1}\n\n  \r\n{"b"', ':2}')).toEqual(data('{"a":1}', '{"b":2}')))
})

it('one line of ten megabytes in small pieces is read in one go', () => {
  const value = 'x'.repeat(10_000_000)
  for (const framing of ['sse', 'lines'] as const) {
    const bytes = Buffer.from(framing === 'sse' ? `data: "${value}"\n\n` : `"${value}"\n`)
    const pieces = Array.from({ length: Math.ceil(bytes.length / 4096) }, (_, i) =>
      bytes.subarray(i * 4096, (i + 1) * 4096),
    )
    const before = process.cpuUsage()
    expect(framesOf(framing, pieces)[0]?.data.length).toBe(value.length + 2)
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000)
  }
})

describe('a budget', () => {
  it('of the first frame grows with the request, those of a gap and of the whole are bounded', () => {
    const [s, chars] = [1000, 100_000]
    expect(budgetsFor(chars)).toEqual({ firstMs: 120 * s, idleMs: 60 * s, totalMs: 1200 * s })
    expect([chars + 1, 9 * chars].map(each => budgetsFor(each).firstMs)).toEqual([240 * s, 600 * s])
    expect(budgetsFor(9 * chars, 2 * s)).toEqual({ firstMs: 10 * s, idleMs: 2 * s, totalMs: 600 * s })
    expect(budgetsFor(1, 900 * s)).toEqual({ firstMs: 600 * s, idleMs: 60 * s, totalMs: 1500 * s })
  })
  it('of the whole ends an answer that never does, though it never falls silent', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const again = setInterval(() => response.write('data: {}\n\n'), 20)
      response.on('close', () => clearInterval(again))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const budgets = { firstMs: 60_000, idleMs: 60_000, totalMs: 300 }
    const request = { provider: 'Mine', url, headers: {}, body: '{}', framing: 'sse' as const, budgets }
    const all = []
    for await (const each of postForFrames(request, new AbortController().signal)) all.push(each)
    expect(all.length).toBeGreaterThan(1)
    expect(all.at(-1)).toMatchObject({
      failure: { code: 'timeout', message: expect.stringContaining('did not finish') },
    })
    server.close()
  })
})

describe('after this machine has slept', () => {
  it('the other end has a moment to be heard of; a request that nobody answers then is one of the network', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/goes-on') {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {"a":1}\n\n')
        resumed.emit()
        response.end('data: {"b":2}\n\n')
      } else resumed.emit()
    }).listen(0, '127.0.0.1')
    const resumed = createEmitter<void>()
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const ask = async (path: string) => {
      const budgets = { firstMs: 60_000, idleMs: 60_000, totalMs: 60_000, awakeMs: 200 }
      const request = { provider: 'Mine', headers: {}, body: '{}', framing: 'sse' as const, budgets, resumed }
      const frames = postForFrames({ ...request, url: `http://127.0.0.1:${port}${path}` }, new AbortController().signal)
      const all = []
      for await (const each of frames) all.push('failure' in each ? each.failure.code : each.frame.data)
      return all
    }
    expect(await ask('/goes-on')).toEqual(['{"a":1}', '{"b":2}'])
    expect(await ask('/is-gone')).toEqual(['network'])
    expect(resumed.listeners).toBe(0)
    server.closeAllConnections()
    server.close()
  })
})
