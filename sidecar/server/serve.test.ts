/** What no handler has to think of: hello first, checked parameters, faults as answers, the end of a client. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createClient } from '../contract/client.ts'
import { event, request } from '../contract/define.ts'
import { BelayError } from '../contract/error.ts'
import { link as linkDomain, PROTOCOL_VERSION } from '../contract/protocol.ts'
import { connectOver } from '../transport/connection.ts'
import { loopback } from '../transport/loopback.ts'
import { type ClientSink, type Service, serve } from './serve.ts'

const contract = {
  link: linkDomain,
  demo: {
    add: request(
      z.object({ parts: z.array(z.object({ text: z.string() })), times: z.number().default(2) }),
      z.object({ text: z.string() }),
    ),
    break: request(z.object({ how: z.string() }), z.object({})),
    happened: event(z.object({})),
  },
} as const

function setUp() {
  const story: string[] = []
  const logged: string[] = []
  const sinks: ClientSink[] = []
  const service: Service<typeof contract> = {
    contract,
    handlers: {
      demo: {
        add: ({ parts, times }) => ({
          text: parts
            .map(part => part.text)
            .join('')
            .repeat(times),
        }),
        break: ({ how }) => {
          if (how === 'fault') throw new BelayError('not_found', 'There is no such thing.')
          if (how === 'system') throw Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC' })
          if (how === 'text') throw 'only text'
          throw new Error('broken, api_key=sk-verysecret123')
        },
      },
    },
    attach(client) {
      sinks.push(client)
      story.push(`+${client.clientId}`)
      return () => story.push(`-${client.clientId}`)
    },
  }
  const connect = () => {
    const [served, calling] = loopback()
    serve(service, served, {
      epoch: 'epoch',
      version: '1.2.3',
      log: (level, message, facts) => logged.push(JSON.stringify({ level, message, facts })),
    })
    const connection = connectOver(calling)
    return { client: createClient(contract, connection), connection, calling }
  }
  return { story, logged, sinks, connect }
}

const hello = { protocol: PROTOCOL_VERSION, name: 'test', clientId: 'c1' }
const faultOf = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    thrown => `${thrown.code}: ${thrown.message}`,
  )

describe('serve', () => {
  it('answers nothing before the hello, and one hello only', async () => {
    const { connect } = setUp()
    const { client } = connect()
    expect(await faultOf(client.demo.add({ parts: [] }))).toMatch(/^protocol: Say hello/)
    expect(await faultOf(client.link.hello({ ...hello, protocol: 99 }))).toMatch(
      /^protocol: This window speaks version 99/,
    )
    expect(await client.link.hello(hello)).toEqual({
      protocol: PROTOCOL_VERSION,
      epoch: 'epoch',
      version: '1.2.3',
      pid: process.pid,
    })
    expect(await faultOf(client.link.hello(hello))).toMatch(/^protocol/)
    expect(await client.demo.add({ parts: [{ text: 'a' }] })).toEqual({ text: 'aa' })
  })

  it('names the parameter that is wrong', async () => {
    const { client, connection } = setUp().connect()
    await client.link.hello(hello)
    const wrong = faultOf(client.demo.add({ parts: [{ text: 'a' }, { text: 3 as unknown as string }] }))
    expect(await wrong).toMatch(/^invalid: demo\/add was refused, nothing was done. “parts.1.text”: .*string/)
    for (const params of [undefined, [1], null]) {
      const answer = connection.sendRequest('demo/add', ...(params === undefined ? [] : [params]))
      await expect(answer).rejects.toMatchObject({ data: { code: 'invalid' } })
    }
  })

  it.each([
    'demo/none',
    'none/add',
    'demo/happened',
    'demo/constructor',
    'constructor/name',
    '__proto__/toString',
    '',
    '/',
  ])('does not know %s', async method => {
    const { client, connection } = setUp().connect()
    await client.link.hello(hello)
    await expect(connection.sendRequest(method, {})).rejects.toMatchObject({ data: { code: 'unsupported' } })
  })

  it('makes every throw an answer, and logs only what it does not know, without secrets', async () => {
    const { connect, logged } = setUp()
    const { client } = connect()
    await client.link.hello(hello)
    expect(await faultOf(client.demo.break({ how: 'fault' }))).toBe('not_found: There is no such thing.')
    expect(await faultOf(client.demo.break({ how: 'system' }))).toBe('disk_full: ENOSPC: no space')
    expect(logged).toEqual([])
    expect(await faultOf(client.demo.break({ how: 'text' }))).toBe('internal: only text')
    expect(await faultOf(client.demo.break({ how: 'x' }))).toBe('internal: broken, [hidden]')
    expect([logged.length, logged.join().includes('verysecret')]).toEqual([2, false])
  })

  it('replaces an older connection of the same client, in this order', async () => {
    const { connect, story, sinks } = setUp()
    const first = connect()
    await first.client.link.hello(hello)
    const second = connect()
    await second.client.link.hello(hello)
    expect(story).toEqual(['+c1', '-c1', '+c1'])
    expect(await faultOf(first.client.link.ping({}))).toMatch(/^disconnected/)
    sinks[0]?.emit('demo/happened', {})
    second.calling.close('done')
    await expect.poll(() => story).toEqual(['+c1', '-c1', '+c1', '-c1'])
  })
})
