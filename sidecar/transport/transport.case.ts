/** What every carrier must do: one suite, run over each of them with the real server and client on its ends. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Client, createClient } from '../contract/client.ts'
import { event, request } from '../contract/define.ts'
import { BelayError } from '../contract/error.ts'
import type { MessageLink } from '../contract/frame.ts'
import { link as linkDomain, PROTOCOL_VERSION } from '../contract/protocol.ts'
import { type ClientSink, type Service, serve } from '../server/serve.ts'
import { connectOver } from './connection.ts'

const nothing = z.object({})
const demoContract = {
  link: linkDomain,
  demo: {
    echo: request(z.object({ value: z.unknown() }), z.object({ value: z.unknown() })),
    fail: request(nothing, nothing),
    wait: request(nothing, nothing),
    count: request(z.object({ to: z.number() }), nothing),
    bytes: request(z.object({ size: z.number() }), nothing),
    leave: request(nothing, nothing),
    counted: event(z.object({ n: z.number() })),
  },
} as const
type Demo = typeof demoContract

/** `open` gives a fresh pair: the served end and the calling end. */
export interface Carrier {
  readonly name: string
  open(): Promise<{ served: MessageLink; calling: MessageLink; end(): Promise<void> }>
}

function demoService() {
  const clients = new Map<string, ClientSink>()
  const aborted: string[] = []
  const sinkOf = (clientId: string) => clients.get(clientId) as ClientSink
  const service: Service<Demo> = {
    contract: demoContract,
    handlers: {
      demo: {
        echo: ({ value }) => ({ value }),
        fail: () => {
          throw new BelayError('stale', 'The file changed. Read it again.')
        },
        wait: (_, { signal, clientId }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              aborted.push(clientId)
              reject(new Error('aborted'))
            })
          }),
        count: ({ to }, { clientId }) => {
          for (let n = 0; n < to; n++) sinkOf(clientId).emit('demo/counted', { n })
          return {}
        },
        bytes: ({ size }, { clientId }) => {
          sinkOf(clientId).sendBytes(new Uint8Array(size).fill(7))
          return {}
        },
        leave: () => ({}),
      },
    },
    attach(client) {
      clients.set(client.clientId, client)
      return () => void clients.delete(client.clientId)
    },
  }
  return { service, clients, aborted }
}

export function describeTransport(carrier: Carrier): void {
  describe(`over ${carrier.name}`, () => {
    let demo: ReturnType<typeof demoService>
    let client: Client<Demo>
    let ends: Awaited<ReturnType<Carrier['open']>>
    let bytes: Uint8Array[]

    beforeEach(async () => {
      demo = demoService()
      ends = await carrier.open()
      bytes = []
      ends.calling.onBytes = got => bytes.push(got)
      serve(demo.service, ends.served, { epoch: 'e1', version: '0', log: () => {} })
      client = createClient(demoContract, connectOver(ends.calling))
      await client.link.hello({ protocol: PROTOCOL_VERSION, name: 'test', clientId: 'c1' })
    })
    afterEach(() => ends.end())

    it('answers, also with several megabytes, and keeps every character', async () => {
      const value = { text: 'ä😀\u0000\u2028 '.repeat(1_000_000), list: [1, null, { a: true }] }
      const [small, large] = await Promise.all([client.demo.echo({ value: 1 }), client.demo.echo({ value })])
      expect([small.value, JSON.stringify(large.value) === JSON.stringify(value)]).toEqual([1, true])
    })

    it('carries faults by code and words', async () => {
      const fault = await client.demo.fail({}).catch(thrown => ({ code: thrown.code, message: thrown.message }))
      expect(fault).toEqual({ code: 'stale', message: 'The file changed. Read it again.' })
    })

    it('brings 10,000 events in order', async () => {
      const got: number[] = []
      const all = new Promise<void>(resolve => {
        client.on('demo/counted', ({ n }) => {
          got.push(n)
          if (n === 9999) resolve()
        })
      })
      await client.demo.count({ to: 10_000 })
      await all
      expect(got).toEqual(Array.from({ length: 10_000 }, (_, n) => n))
    })

    it('carries bytes beside JSON, in order with it', async () => {
      await client.demo.bytes({ size: 700_000 })
      expect([bytes.length, bytes[0]?.length, bytes[0]?.every(byte => byte === 7)]).toEqual([1, 700_000, true])
    })

    it('cancels what runs', async () => {
      const abort = new AbortController()
      const waiting = client.demo.wait({}, { signal: abort.signal }).catch(thrown => thrown.code)
      await client.link.ping({})
      abort.abort()
      expect([await waiting, demo.aborted]).toEqual(['cancelled', ['c1']])
    })

    it('tells the server that the client closed, and aborts its calls', async () => {
      const waiting = client.demo.wait({}).catch(thrown => thrown.code)
      await client.link.ping({})
      ends.calling.close('the window closed')
      expect(await waiting).toBe('disconnected')
      await expect.poll(() => [demo.clients.size, demo.aborted]).toEqual([0, ['c1']])
      await expect(client.link.ping({})).rejects.toMatchObject({ code: 'disconnected' })
    })

    it('tells the client that the server closed', async () => {
      const waiting = client.demo.wait({}).catch(thrown => thrown.code)
      await client.link.ping({})
      ends.served.close('the process ends')
      expect(await waiting).toBe('disconnected')
      await expect.poll(() => demo.clients.size).toBe(0)
    })
  })
}
