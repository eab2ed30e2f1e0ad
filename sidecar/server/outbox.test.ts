/** The law of the outbox: what a client folds is what was emitted, or it was told that it lags. */
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createOutbox, LAG_LIMIT_BYTES } from './outbox.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Sent = { name: string; payload: Record<string, unknown> }
type Delta = { itemId: string; kind: string; offset: number; text: string }

function outboxWith(snapshot = () => ({})) {
  const backlog = { bytes: 0 }
  const sent: Sent[] = []
  let cut = 0
  const outbox = createOutbox({
    send: (name, payload) => {
      const carried = name === 'link/lagged' ? snapshot() : structuredClone(payload as Record<string, unknown>)
      sent.push({ name, payload: carried })
    },
    backlogBytes: () => backlog.bytes,
    cutOff: () => cut++,
  })
  return { outbox, sent, backlog, cutOffs: () => cut }
}

const live = (sessionId: string, ...deltas: Delta[]) => ({ sessionId, deltas })
const delta = (offset: number, text: string, itemId = 'i1', kind = 'text'): Delta => ({ itemId, kind, offset, text })

describe('the outbox', () => {
  it('sends the first piece at once and joins what follows for 16 ms', () => {
    const { outbox, sent } = outboxWith()
    vi.advanceTimersByTime(100)
    outbox.emit('session/live', live('s', delta(0, 'a')))
    for (const [offset, text] of [
      [1, 'b'],
      [2, 'c'],
    ] as const)
      outbox.emit('session/live', live('s', delta(offset, text)))
    outbox.emit('session/live', live('s', delta(0, 'x', 'i2')))
    outbox.emit('session/live', live('s', delta(3, 'd')))
    expect(sent.length).toBe(1)
    vi.advanceTimersByTime(16)
    expect(sent.map(each => each.payload)).toEqual([
      live('s', delta(0, 'a')),
      live('s', delta(1, 'bcd'), delta(0, 'x', 'i2')),
    ])
  })

  it('lets nothing overtake: a durable or any other event first sends what was being joined', () => {
    const { outbox, sent } = outboxWith()
    outbox.emit('session/live', live('s', delta(0, 'a')))
    outbox.emit('session/live', live('s', delta(1, 'b')))
    outbox.emit('session/happened', { sessionId: 's', from: 1, to: 1, events: [] })
    outbox.emit('background/output', { backgroundId: 'b', offset: 0, text: '1' })
    outbox.emit('background/output', { backgroundId: 'b', offset: 1, text: '2' })
    outbox.emit('settings/changed', {})
    expect(sent.map(each => each.name)).toEqual([
      'session/live',
      'session/live',
      'session/happened',
      'background/output',
      'settings/changed',
    ])
    expect(sent[3]?.payload).toEqual({ backgroundId: 'b', offset: 0, text: '12' })
  })

  it('does not change what it was given', () => {
    const { outbox } = outboxWith()
    const shared = delta(1, 'b')
    outbox.emit('session/live', live('s', delta(0, 'a')))
    outbox.emit('session/live', live('s', shared))
    outbox.emit('session/live', live('s', delta(2, 'c')))
    outbox.flush()
    expect(shared).toEqual(delta(1, 'b'))
  })

  it('cuts off a client that does not read at all', () => {
    const { outbox, backlog, cutOffs } = outboxWith()
    backlog.bytes = LAG_LIMIT_BYTES + 1
    outbox.emit('session/happened', { sessionId: 's', from: 1, to: 1, events: [] })
    expect(cutOffs()).toBe(1)
  })

  it('keeps a big answer on its way from counting as lag', () => {
    const { outbox, sent, backlog } = outboxWith()
    backlog.bytes = 30_000_000
    outbox.emit('settings/changed', { n: 1 })
    backlog.bytes = 0
    vi.advanceTimersByTime(1000)
    expect(sent.map(each => each.name)).toEqual(['settings/changed'])
  })

  it('brings every durable event once and in order, and every text whole unless it says lagged', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('live' as const), item: fc.nat(2), text: fc.string({ maxLength: 5 }) }),
      fc.record({ do: fc.constant('flood' as const), item: fc.nat(2) }),
      fc.record({ do: fc.constant('durable' as const) }),
      fc.record({ do: fc.constant('other' as const) }),
      fc.record({ do: fc.constant('wait' as const), ms: fc.nat(40) }),
      fc.record({ do: fc.constant('backlog' as const), bytes: fc.constantFrom(0, 400_000, 2_000_000) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), steps => {
        const texts = ['', '', '']
        const { outbox, sent, backlog } = outboxWith(() => ({ texts: [...texts] }))
        let durable = 0
        let others = 0
        const emitText = (item: number, text: string) => {
          outbox.emit('session/live', live('s', delta(texts[item]?.length ?? 0, text, `${item}`)))
          texts[item] += text
        }
        for (const each of steps) {
          if (each.do === 'live') emitText(each.item, each.text)
          if (each.do === 'flood') emitText(each.item, 'z'.repeat(1_500_000))
          if (each.do === 'durable') outbox.emit('session/happened', { seq: ++durable })
          if (each.do === 'other') outbox.emit('settings/changed', { n: ++others })
          if (each.do === 'wait') vi.advanceTimersByTime(each.ms)
          if (each.do === 'backlog') backlog.bytes = each.bytes
        }
        backlog.bytes = 0
        vi.advanceTimersByTime(1000)
        outbox.dispose()
        check(sent, { texts, durable, others })
      }),
      { numRuns: 100 },
    )
  })
})

/** Folds as a client does, which opens again (here: takes the snapshot of that moment) when it is told that it lags. */
function check(sent: Sent[], emitted: { texts: string[]; durable: number; others: number }) {
  const seqs = sent.filter(each => each.name === 'session/happened').map(each => each.payload.seq)
  expect(seqs).toEqual(Array.from({ length: emitted.durable }, (_, i) => i + 1))
  let folded = ['', '', '']
  let gap = false
  for (const each of sent) {
    if (each.name === 'link/lagged') {
      folded = [...(each.payload.texts as string[])]
      gap = false
    }
    if (each.name !== 'session/live') continue
    for (const { itemId, offset, text } of each.payload.deltas as Delta[]) {
      const known = folded[Number(itemId)] ?? ''
      if (offset > known.length) gap = true
      else folded[Number(itemId)] = known + text.slice(known.length - offset)
    }
  }
  expect({ gap, folded }).toEqual({ gap: false, folded: emitted.texts })
  const lagged = sent.some(each => each.name === 'link/lagged')
  const others = sent.filter(each => each.name === 'settings/changed').length
  if (!lagged) expect(others).toBe(emitted.others)
}
