/** What a terminal shows behind the queue, its scrollback included, is what parsing every byte shows; and a flood is not parsed in full. */
import headless from '@xterm/headless'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { createOutputQueue, type OutputQueueOptions } from './output-queue.ts'

type Xterm = InstanceType<typeof headless.Terminal>
const size = { cols: 30, rows: 6, scrollback: 300 }
const open = () => new headless.Terminal({ ...size, allowProposedApi: true, logLevel: 'off' })

/** A terminal behind a queue, and what was written to it. */
function start(more: Partial<OutputQueueOptions> = {}) {
  const terminal = open()
  const wrote: Uint8Array[] = []
  const queue = createOutputQueue({
    write(bytes, parsed) {
      wrote.push(bytes)
      terminal.write(bytes, parsed)
    },
    scrollsFreely: () => terminal.buffer.active.type === 'normal',
    lines: () => size.scrollback + 2 * size.rows,
    pauseMs: 2,
    maxWaitMs: 20,
    ...more,
  })
  const drained = async () => {
    while (queue.backlogBytes > 0) await new Promise(resolve => setTimeout(resolve, 2))
  }
  return { terminal, queue, wrote, drained }
}

function look(terminal: Xterm) {
  const { active } = terminal.buffer
  const lines = Array.from({ length: active.length }, (_, at) => {
    const line = active.getLine(at)
    const cells = [0, 1, 5].map(x => line?.getCell(x)).map(cell => [cell?.getFgColor(), cell?.getBgColor()])
    return `${line?.isWrapped} ${JSON.stringify(cells)} ${line?.translateToString(true)}`
  })
  return { type: active.type, lines, x: active.cursorX, y: active.cursorY, modes: terminal.modes }
}

const lineKinds: readonly ((n: number) => string)[] = [
  n => `${n}\r\n`,
  n => `${n}\n`,
  n => `${n} ${'wide 漢 é '.repeat(n % 9)}\r\n`,
  n => `\x1b[3${n % 8}m${n}\x1b[48;5;${n % 200}m ok${n % 3 ? '\x1b[m' : ''}\r\n`,
  n => `${'='.repeat(n % 61)}\r`,
  n => (n % 700 === 0 ? '\x1b[2A\x07' : `${n}\tx\r\n`),
  n => (n % 900 === 0 ? '\x1b[?1049h' : n % 900 === 450 ? '\x1b[?1049l' : `${n}\r\n`),
]
const block = fc.record({ kind: fc.nat(lineKinds.length - 1), lines: fc.integer({ min: 1, max: 5000 }) })

test('any flood, cut anywhere, looks as if every byte had been parsed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(block, { minLength: 2, maxLength: 5 }),
      fc.integer({ min: 8000, max: 70_000 }),
      async (blocks, step) => {
        const text = blocks.map(({ kind, lines }) =>
          Array.from({ length: lines }, (_, n) => lineKinds[kind]?.(n)).join(''),
        )
        const bytes = Buffer.from(text.join(''))
        const { terminal, queue, drained } = start({ holdsDrawing: () => !terminal.modes.synchronizedOutputMode })
        for (let at = 0; at < bytes.length; at += step) {
          queue.push(bytes.subarray(at, at + step))
          // Now and then it has the time to parse.
          if (at % 5 === 0) await new Promise(resolve => setImmediate(resolve))
        }
        await drained()
        const whole = open()
        await new Promise<void>(resolve => whole.write(bytes, resolve))
        expect(look(terminal)).toEqual(look(whole))
        for (const each of [queue, terminal, whole]) each.dispose()
      },
    ),
    { numRuns: 12 },
  )
})

test('of a flood only the lines that stay are parsed, and every piece is taken at once', async () => {
  const { terminal, queue, wrote, drained } = start({ pauseMs: 30, maxWaitMs: 60_000 })
  const line = 'a line of a flood\r\n'
  const chunk = Buffer.from(line.repeat(3000))
  let taken = 0
  for (let n = 0; n < 60; n++) queue.push(Buffer.from(chunk), () => taken++)
  expect(taken).toBe(60)
  await drained()
  const parsed = wrote.reduce((sum, bytes) => sum + bytes.length, 0)
  expect(parsed).toBeLessThanOrEqual((size.scrollback + 2 * size.rows + 1) * line.length)
  for (const each of [queue, terminal]) each.dispose()
})

test('what waits stays bounded while nobody parses: the text that has scrolled away goes first', () => {
  const { terminal, queue } = start({ pauseMs: 60_000, maxWaitMs: 60_000 })
  const chunk = Buffer.from('a line of a flood\r\n'.repeat(3000))
  queue.push(Buffer.from(chunk))
  let most = 0
  for (let n = 0; n < 300; n++) {
    queue.push(Buffer.from(chunk))
    most = Math.max(most, queue.backlogBytes)
  }
  expect(most).toBeLessThan(4.2 * 1024 * 1024)
  for (const each of [queue, terminal]) each.dispose()
})

test('a flood is drawn once for all that is parsed together, and never against a program that holds the drawing itself', async () => {
  const text = (wrote: readonly Uint8Array[]) =>
    wrote
      .map(bytes =>
        Buffer.from(bytes)
          .toString()
          .replace(/(a line\r\n)+/g, '~')
          .replaceAll('\x1b', '^'),
      )
      .join('|')
  const chunk = Buffer.from('a line\r\n'.repeat(8000))
  const run = async (held: boolean) => {
    const { terminal, queue, wrote, drained } = start({
      holdsDrawing: () => !terminal.modes.synchronizedOutputMode,
      lines: () => 48_000,
    })
    if (held) {
      queue.push(Buffer.from('\x1b[?2026h'))
      await drained()
    }
    for (let n = 0; n < 6; n++) queue.push(Buffer.from(chunk))
    queue.push(Buffer.from('\x1b]0;title\x07> '))
    await drained()
    const state = terminal.modes.synchronizedOutputMode
    for (const each of [queue, terminal]) each.dispose()
    return { wrote: text(wrote), state }
  }
  const free = await run(false)
  expect(free.state).toBe(false)
  expect(free.wrote).toMatch(/\^\[\?2026h\|~(\|~)*\|\^\[\?2026l\|\^\]0;title/)
  const own = await run(true)
  expect(own.state).toBe(true)
  expect(own.wrote.match(/2026/g)).toHaveLength(1)
})

test('a steady flood in small pieces is parsed as rarely as one in large pieces; what is typed after it at once', () => {
  vi.useFakeTimers()
  try {
    const terminal = { fed: 0, wrote: 0 }
    const queue = createOutputQueue({
      write(bytes, parsed) {
        terminal.wrote += bytes.length
        parsed()
      },
      scrollsFreely: () => true,
      lines: () => 100,
      pauseMs: 100,
      maxWaitMs: 2000,
    })
    const piece = Buffer.from('a line\r\n'.repeat(600))
    for (let ms = 0; ms < 6000; ms += 5) {
      const before = terminal.wrote
      queue.push(Buffer.from(piece))
      vi.advanceTimersByTime(5)
      if (terminal.wrote > before) terminal.fed++
    }
    // The first ones, before it is known to be a flood; then one look every two seconds.
    expect(terminal.fed).toBeLessThanOrEqual(10)
    vi.advanceTimersByTime(500)
    const before = terminal.wrote
    queue.push(Buffer.from('echo\r\n'))
    expect(terminal.wrote - before).toBe(6)
    queue.dispose()
  } finally {
    vi.useRealTimers()
  }
})
