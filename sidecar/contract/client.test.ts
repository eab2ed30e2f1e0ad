/** The caller's end: typed calls, ordered events, and faults that are always a BelayError with a code. */
import { describe, expect, it } from 'vitest'
import { type CancellationToken, createMessageConnection, ResponseError } from 'vscode-jsonrpc/node'
import { z } from 'zod'
import { createClient } from './client.ts'
import { event, request } from './define.ts'
import { createFrameLink, type FrameLink } from './frame.ts'
import { linkStreams } from './link-streams.ts'

const contract = {
  demo: {
    double: request(z.object({ n: z.number() }), z.object({ n: z.number() })),
    wait: request(z.object({}), z.object({})),
    refuse: request(z.object({ code: z.string().nullable() }), z.object({})),
    told: event(z.object({ n: z.number() })),
  },
} as const

function setUp() {
  const near: FrameLink = createFrameLink(frame => queueMicrotask(() => far.receive(frame)))
  const far: FrameLink = createFrameLink(frame => queueMicrotask(() => near.receive(frame)))
  const open = (link: FrameLink) => {
    const { reader, writer } = linkStreams(link)
    const connection = createMessageConnection(reader, writer)
    connection.onClose(() => queueMicrotask(() => connection.dispose()))
    connection.listen()
    return connection
  }
  const server = open(far)
  server.onRequest('demo/double', ({ n }: { n: number }) => ({ n: n * 2 }))
  server.onRequest('demo/wait', (_: unknown, token: CancellationToken) => {
    const stopped = new ResponseError(-32_000, 'stopped')
    if (token.isCancellationRequested) return stopped
    return new Promise((_resolve, reject) => token.onCancellationRequested(() => reject(stopped)))
  })
  server.onRequest(
    'demo/refuse',
    ({ code }: { code: string | null }) => new ResponseError(-32_000, 'No.', code ? { code } : undefined),
  )
  return { client: createClient(contract, open(near)), server, near }
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    thrown => [thrown.name, thrown.code],
  )

describe('a client', () => {
  it('has a function for each request and none for events', async () => {
    const { client } = setUp()
    expect([Object.keys(client), Object.keys(client.demo)]).toEqual([
      ['demo', 'on'],
      ['double', 'wait', 'refuse'],
    ])
    expect(await client.demo.double({ n: 21 })).toEqual({ n: 42 })
  })

  it('rejects with our code, `cancelled`, or `disconnected`', async () => {
    const { client, near } = setUp()
    expect(await codeOf(client.demo.refuse({ code: 'stale' }))).toEqual(['BelayError', 'stale'])
    expect(await codeOf(client.demo.refuse({ code: null }))).toEqual(['BelayError', 'disconnected'])
    const abort = new AbortController()
    const waiting = codeOf(client.demo.wait({}, { signal: abort.signal }))
    abort.abort()
    expect(await waiting).toEqual(['BelayError', 'cancelled'])
    expect(await codeOf(client.demo.wait({}, { signal: AbortSignal.abort() }))).toEqual(['BelayError', 'cancelled'])
    const lost = codeOf(client.demo.wait({}))
    near.close('gone')
    expect([await lost, await codeOf(client.demo.double({ n: 1 }))]).toEqual([
      ['BelayError', 'disconnected'],
      ['BelayError', 'disconnected'],
    ])
  })

  it('tells listeners in their order until they stop, also when one ends another', async () => {
    const { client, server } = setUp()
    const heard: string[] = []
    const stopA = client.on('demo/told', ({ n }) => heard.push(`a${n}`))
    client.on('demo/told', ({ n }) => {
      heard.push(`b${n}`)
      stopA()
    })
    for (const n of [1, 2]) void server.sendNotification('demo/told', { n })
    await client.demo.double({ n: 0 })
    expect(heard).toEqual(['a1', 'b1', 'b2'])
  })
})
