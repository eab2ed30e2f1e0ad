/** Whatever order screen and bytes arrive in, and whatever is lost, the sink sees each byte once and in order. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TerminalId } from '#contract/id'
import { TERMINAL_ACK_BYTES, type TerminalInfo } from '#contract/terminal'
import type { FollowOptions } from './follow.ts'
import { openTerminalStream, type TerminalLink } from './terminal-stream.ts'

const terminalId = 'ter_1' as TerminalId
const info = { terminalId, number: 1 } as TerminalInfo

/** A pty host whose whole output is known: the text at an offset is a function of it. */
const textAt = (from: number, to: number) =>
  Uint8Array.from({ length: to - from }, (_, index) => ((from + index) * 31) % 251)

function start() {
  let bytesListener: (offset: number, bytes: Uint8Array) => void = () => {}
  let followed: FollowOptions<never, never> | null = null
  const acks: number[] = []
  let answer: (() => void) | null = null
  const seen = { from: 0, bytes: [] as number[], restores: 0 }
  const ask = () => {
    const options = followed as unknown as { open(signal: AbortSignal): Promise<never>; onSnapshot(s: never): void }
    void options.open(new AbortController().signal).then(snapshot => options.onSnapshot(snapshot))
  }
  const link = {
    follow: (options: unknown) => {
      followed = options as never
      queueMicrotask(ask)
      return { reopen: ask, dispose() {} }
    },
    calls: {
      onBytes: (_: number, listener: typeof bytesListener) => {
        bytesListener = listener
        return () => {}
      },
      terminal: {
        attach: () =>
          new Promise(resolve => {
            const offset = host.at
            answer = () => resolve({ info, screen: '', markLines: [], offset })
          }),
        ack: async ({ offset }: { offset: number }) => void acks.push(offset),
        detach: async () => {},
      },
    },
  } as unknown as TerminalLink
  const host = {
    at: 0,
    /** Bytes up to `to` go out; `lost` ones never arrive. */
    send(length: number, lost = false) {
      const from = host.at
      host.at += length
      if (!lost) bytesListener(from, textAt(from, host.at))
    },
    async answer() {
      const now = answer
      answer = null
      now?.()
      await new Promise(resolve => setTimeout(resolve))
    },
  }
  const stream = openTerminalStream(
    {
      terminalId,
      number: 1,
      sink: {
        restore: (_, done) => {
          seen.restores++
          seen.bytes = []
          seen.from = -1
          done()
        },
        write: (bytes, done) => {
          seen.bytes.push(...bytes)
          done()
        },
      },
    },
    link,
  )
  return { host, seen, acks, stream, ask }
}

test('bytes before the answer, twice, and after a loss', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.constantFrom('arrive', 'lost', 'answer', 'ask')), {
        maxLength: 40,
      }),
      async steps => {
        const { host, seen, ask } = start()
        await new Promise(resolve => setTimeout(resolve))
        for (const [length, what] of steps) {
          if (what === 'answer') await host.answer()
          else if (what === 'ask') ask()
          else host.send(length, what === 'lost')
        }
        // Whatever is missing shows with the next byte; then a screen comes.
        host.send(1)
        await host.answer()
        host.send(7)
        await host.answer()
        host.send(9)
        const last = textAt(host.at - 9, host.at)
        expect(seen.bytes.slice(-9)).toEqual([...last])
        // No hole and nothing twice: what it has is one run of the output.
        const run = textAt(host.at - seen.bytes.length, host.at)
        expect(seen.bytes).toEqual([...run])
      },
    ),
    { numRuns: 60 },
  )
})

test('what was taken in is acknowledged in steps', async () => {
  const { host, acks } = start()
  await new Promise(resolve => setTimeout(resolve))
  await host.answer()
  const step = Math.ceil(TERMINAL_ACK_BYTES / 10_000) * 10_000
  for (let sent = 0; sent < 2 * step; sent += 10_000) host.send(10_000)
  expect(acks).toEqual([step, 2 * step])
})
