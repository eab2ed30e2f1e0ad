/** Frames: whatever is sent arrives whole and in order, within credit; whatever is malformed closes. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  closedFrame,
  createFrameLink,
  type FrameLink,
  isClosedFrame,
  isOpenFrame,
  openFrame,
  packTerminalBytes,
  unpackTerminalBytes,
} from './frame.ts'
import { CHANNEL_CREDIT_BYTES, MAX_FRAME_BYTES } from './protocol.ts'

type Sent = { json: unknown } | { bytes: number[] }

/** Two ends with a wire between them that holds every frame until `deliver` lets one through. */
function pair() {
  const wires: { aToB: Uint8Array[]; bToA: Uint8Array[] } = { aToB: [], bToA: [] }
  const ended: string[] = []
  const a = createFrameLink(
    frame => wires.aToB.push(frame),
    reason => ended.push(`a: ${reason}`),
  )
  const b = createFrameLink(
    frame => wires.bToA.push(frame),
    reason => ended.push(`b: ${reason}`),
  )
  const deliver = (which: 'aToB' | 'bToA') => {
    const frame = wires[which].shift()
    if (frame) (which === 'aToB' ? b : a).receive(frame)
    return frame !== undefined
  }
  const settle = () => {
    while (deliver('aToB') || deliver('bToA')) {}
  }
  return { a, b, wires, deliver, settle, ended }
}

function record(link: FrameLink): Sent[] {
  const got: Sent[] = []
  link.onJson = json => got.push({ json })
  link.onBytes = bytes => got.push({ bytes: [...bytes] })
  return got
}

const send = (link: FrameLink, sent: Sent) =>
  'json' in sent ? link.sendJson(sent.json) : link.sendBytes(Uint8Array.from(sent.bytes))

const message: fc.Arbitrary<Sent> = fc.oneof(
  fc.record({ json: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()).map(v => JSON.parse(JSON.stringify(v))) }),
  fc.record({ bytes: fc.array(fc.nat(255), { maxLength: 40 }) }),
  // Around the sizes at which something changes.
  fc
    .record({
      near: fc.constantFrom(0, MAX_FRAME_BYTES, 2 * MAX_FRAME_BYTES, CHANNEL_CREDIT_BYTES),
      by: fc.integer({ min: -3, max: 3 }),
    })
    .map(({ near, by }) => ({ json: 'x'.repeat(Math.max(0, near + by)) })),
)

describe('a frame link', () => {
  it('brings every message whole and in order, both ways, under any interleaving', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constantFrom('a' as const, 'b' as const), message }),
      fc.record({ do: fc.constantFrom('aToB' as const, 'bToA' as const) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), steps => {
        const { a, b, deliver, settle } = pair()
        const got = { a: record(a), b: record(b) }
        const sent: { a: Sent[]; b: Sent[] } = { a: [], b: [] }
        for (const each of steps) {
          if (each.do === 'a' || each.do === 'b') {
            const what = (each as { message: Sent }).message
            sent[each.do].push(what)
            send(each.do === 'a' ? a : b, what)
          } else deliver(each.do)
        }
        settle()
        expect(got).toEqual({ a: sent.b, b: sent.a })
        expect([a.backlogBytes, b.backlogBytes]).toEqual([0, 0])
      }),
      { numRuns: 150 },
    )
  })

  it('keeps at most 256 KB in flight, and lets everything through in the end', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(400_000), { minLength: 1, maxLength: 8 }), fc.array(fc.boolean()), (sizes, order) => {
        const { a, b, wires, deliver, settle } = pair()
        const got: number[] = []
        b.onBytes = bytes => got.push(bytes.length)
        for (const size of sizes) a.sendBytes(new Uint8Array(size))
        for (const forward of order) {
          deliver(forward ? 'aToB' : 'bToA')
          expect(wires.aToB.reduce((sum, frame) => sum + frame.length, 0)).toBeLessThanOrEqual(CHANNEL_CREDIT_BYTES)
        }
        settle()
        expect(got).toEqual(sizes)
      }),
      { numRuns: 50 },
    )
  })

  it('survives a carrier that delivers at once, from inside the sending', () => {
    const a: FrameLink = createFrameLink(frame => b.receive(frame))
    const b: FrameLink = createFrameLink(frame => a.receive(frame))
    const got = record(b)
    const big = 'y'.repeat(3_000_000)
    for (const json of [1, big, 2]) a.sendJson(json)
    expect(got).toEqual([{ json: 1 }, { json: big }, { json: 2 }])
  })

  it.each([
    ['an empty frame', Uint8Array.of()],
    ['an unknown flag', Uint8Array.of(32)],
    ['an open, which is a relay’s', openFrame()],
    ['credit of a wrong size', Uint8Array.of(4, 0, 0, 1)],
    ['credit for what was never sent', Uint8Array.of(4, 0, 0, 0, 1)],
    ['a frame above the limit', Uint8Array.from({ length: MAX_FRAME_BYTES + 1 }, (_, i) => (i ? 32 : 1))],
    ['a short part', Uint8Array.of(0, 32)],
    ['text that is not JSON', Uint8Array.of(1, 123)],
    ['text that is not UTF-8', Uint8Array.of(1, 34, 255, 34)],
  ])('closes on %s, and tells the other end', (_, frame) => {
    const { a, wires, ended } = pair()
    const reasons: string[] = []
    a.onClose = reason => reasons.push(reason)
    a.receive(frame)
    expect([reasons.length, ended.length, wires.aToB.map(isClosedFrame)]).toEqual([1, 1, [true]])
    a.receive(Uint8Array.of(1, 49))
    a.sendJson('late')
    a.close('again')
    expect([reasons.length, wires.aToB.length]).toEqual([1, 1])
  })

  it('closes on a message of another kind within a message, and on any random frame or reads it', () => {
    const { a } = pair()
    let closed = ''
    a.onClose = reason => {
      closed = reason
    }
    a.receive(new Uint8Array(MAX_FRAME_BYTES))
    a.receive(Uint8Array.of(3, 1))
    expect(closed).toBe('a message within a message')
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 12 }), { maxLength: 6 }), frames => {
        const { b } = pair()
        for (const frame of frames) b.receive(frame)
      }),
    )
  })

  it('tells the other end of a close, drops what waits, and says nothing back', () => {
    const { a, b, wires, settle, ended } = pair()
    const got = record(b)
    a.sendJson(1)
    a.close('done')
    a.sendJson(2)
    settle()
    expect([got, ended, wires]).toEqual([[{ json: 1 }], ['a: done', 'b: the other end closed'], { aToB: [], bToA: [] }])
  })

  it('knows its two control frames', () => {
    expect([isOpenFrame(openFrame()), isClosedFrame(closedFrame()), isOpenFrame(closedFrame())]).toEqual([
      true,
      true,
      false,
    ])
  })
})

it('terminal bytes carry their number and offset', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 32 - 1), fc.maxSafeNat(), fc.uint8Array(), (number, offset, bytes) => {
      expect(unpackTerminalBytes(packTerminalBytes(number, offset, bytes))).toEqual({ number, offset, bytes })
    }),
  )
})
