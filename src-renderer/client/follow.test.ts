/** The law of follow: whatever dies, lags or comes late, what one holds in the end is what the server holds. */
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { event, request } from '#contract/define'
import { BelayError, type ErrorCode, type Fault } from '#contract/error'
import { link } from '#contract/protocol'
import { type Channel, createChannel } from './channel.ts'
import { createFakeServer } from './fake-server.case.ts'
import { createFollow, type Following, HELD_EVENTS, type Taken } from './follow.ts'

const Entry = z.object({ seq: z.number(), text: z.string() })
const contract = {
  link,
  log: {
    open: request(z.object({}), z.object({ entries: z.array(Entry) })),
    happened: event(Entry),
  },
} as const

const running: { channel: Channel<typeof contract>; following: Following }[] = []
afterEach(() => {
  for (const { channel, following } of running.splice(0)) {
    following.dispose()
    channel.stop()
  }
})

/** A log on a server, and a mirror of it kept by `follow`. */
function setUp() {
  const server = createFakeServer()
  const entries: { seq: number; text: string }[] = []
  let answers: (() => void)[] = []
  const late = { on: false, failing: null as ErrorCode | null }
  server.handlers.set('log/open', async () => {
    if (late.failing) throw new BelayError(late.failing, 'No.')
    const snapshot = { entries: [...entries] }
    if (late.on) await new Promise<void>(resolve => answers.push(resolve))
    return snapshot
  })
  const channel = createChannel({ contract, channel: 'sidecar', wire: server.wire, clientId: 'w', random: () => 0 })
  const mirror: { seq: number; text: string }[] = []
  const doubled: number[] = []
  const faults: [Fault, boolean][] = []
  let opens = 0
  const following = createFollow(channel)({
    open: signal => channel.client.log.open({}, { signal }),
    onSnapshot: snapshot => {
      opens++
      mirror.splice(0, mirror.length, ...snapshot.entries)
    },
    events: {
      'log/happened': (entry): Taken => {
        const last = mirror.at(-1)?.seq ?? 0
        if (entry.seq <= last) return
        if (entry.seq > last + 1) return 'reopen'
        if (mirror.some(each => each.seq === entry.seq)) doubled.push(entry.seq)
        mirror.push(entry)
      },
    },
    onFailed: (fault, retrying) => faults.push([fault, retrying]),
  })
  running.push({ channel, following })
  const append = (text: string, heard = true) => {
    const entry = { seq: entries.length + 1, text }
    entries.push(entry)
    if (heard) server.emit('log/happened', entry)
  }
  const answerAll = () => {
    for (const answer of answers.splice(0)) answer()
    answers = []
  }
  return { server, entries, mirror, doubled, faults, following, channel, late, append, answerAll, opens: () => opens }
}

const turn = (ms = 0) => new Promise(resolve => setTimeout(resolve, ms))

describe('follow', () => {
  it('ends equal to the server after any mixture of appends, kills, restarts, lag and late answers', async () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ do: fc.constant('append' as const), text: fc.string({ maxLength: 4 }) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('kill' as const, 'start' as const, 'lag' as const) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('late' as const, 'prompt' as const) }) },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('turn' as const), ms: fc.nat(3) }) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async steps => {
        const it_ = setUp()
        it_.server.start()
        it_.channel.start()
        for (const each of steps) {
          if (each.do === 'append') it_.append(each.text)
          if (each.do === 'kill') it_.server.kill()
          if (each.do === 'start') it_.server.start()
          if (each.do === 'late') it_.late.on = true
          if (each.do === 'prompt') it_.late.on = false
          if (each.do === 'turn') await turn(each.ms)
          if (each.do === 'lag') {
            it_.append('unheard', false)
            it_.server.emit('link/lagged', {})
          }
        }
        it_.late.on = false
        it_.answerAll()
        it_.server.start()
        it_.append('last')
        it_.channel.retryNow()
        await expect.poll(() => it_.mirror, { interval: 2, timeout: 5000 }).toEqual(it_.entries)
        it_.append('after')
        await expect.poll(() => it_.mirror, { interval: 2, timeout: 5000 }).toEqual(it_.entries)
        expect(it_.doubled).toEqual([])
        it_.following.dispose()
        it_.channel.stop()
      }),
      { numRuns: 60 },
    )
  })

  it('holds what comes before the snapshot, with a bound', async () => {
    const { server, channel, late, append, answerAll, mirror, entries, opens } = setUp()
    late.on = true
    server.start()
    channel.start()
    await expect.poll(() => server.greeted).toBe(1)
    await turn(20)
    for (let i = 0; i < 10; i++) append(`${i}`)
    await turn(20)
    expect(mirror).toEqual([])
    answerAll()
    await expect.poll(() => mirror.length).toBe(10)
    expect(opens()).toBe(1)
    server.emit('link/lagged', {})
    await turn(20)
    for (let i = 0; i < HELD_EVENTS + 10; i++) append('x')
    await expect.poll(() => channel.status.state).toBe('ready')
    await channel.client.link.ping({})
    late.on = false
    answerAll()
    await expect.poll(() => mirror.length).toBe(entries.length)
    expect(opens()).toBe(3)
  })

  it('tries a failed open again while it can mend, and says so', async () => {
    const { server, channel, late, append, mirror, faults } = setUp()
    late.failing = 'busy'
    server.start()
    channel.start()
    await expect.poll(() => faults.length).toBeGreaterThan(1)
    expect(faults[0]).toEqual([expect.objectContaining({ code: 'busy' }), true])
    append('a')
    late.failing = null
    await expect.poll(() => mirror.length).toBe(1)
  })

  it('does not ask in vain, but asks again on a new connection', async () => {
    const { server, channel, late, faults, opens } = setUp()
    late.failing = 'not_found'
    server.start()
    channel.start()
    await expect.poll(() => faults.length).toBe(1)
    await turn(300)
    expect(faults).toEqual([[expect.objectContaining({ code: 'not_found' }), false]])
    late.failing = null
    server.kill()
    server.start()
    await expect.poll(opens).toBe(1)
  })

  it('mends a gap by a new snapshot, and is silent once disposed of', async () => {
    const { server, channel, following, append, mirror, entries, opens } = setUp()
    server.start()
    channel.start()
    await expect.poll(opens).toBe(1)
    append('unheard', false)
    append('heard')
    await expect.poll(() => mirror).toEqual(entries)
    following.dispose()
    append('late')
    server.emit('link/lagged', {})
    await turn(20)
    expect([mirror.length, opens()]).toEqual([2, 2])
  })
})
