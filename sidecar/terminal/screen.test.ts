/** Whoever attaches at any moment sees what one that saw every byte sees, now and after more bytes. */
import headless from '@xterm/headless'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createScreen } from './screen.ts'

type Xterm = InstanceType<typeof headless.Terminal>
const size = { cols: 40, rows: 10 }
const open = () => new headless.Terminal({ ...size, scrollback: 10_000, allowProposedApi: true, logLevel: 'off' })
const write = (terminal: Xterm, data: Uint8Array | string) =>
  new Promise<void>(resolve => terminal.write(data, resolve))
const screenOf = () => createScreen({ ...size, reply() {}, titled() {}, marked() {}, parsed() {} })

function look(terminal: Xterm) {
  const { active } = terminal.buffer
  const lines = Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true) ?? '')
  return { type: active.type, lines, x: active.cursorX, y: active.cursorY, modes: terminal.modes }
}

const piece = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abc  xyz漢é😀'), maxLength: 60 }),
  fc.constantFrom(
    '\r\n',
    '\r\n\r\n',
    '\t',
    '\b',
    '\x1b[K',
    '\x1b[2J\x1b[H',
    '\x1b[A',
    '\x1b[5;7H',
    '\x1b[31;1m',
    '\x1b[m',
  ),
  fc.constantFrom(
    '\x1b[?1049h',
    '\x1b[?1049l',
    '\x1b[2;6r',
    '\x1b[r',
    '\x1b[?25l',
    '\x1b[?2004h',
    '\x1b[?1000h\x1b[?1006h',
  ),
  fc.constantFrom('\x1b]0;title\x07', '\x1bPq..\x1b\\', '\x1b[L', '\x1b[M', '\x1b[3S'),
)

test('attach at any byte, then go on', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { maxLength: 25 }),
      fc.array(piece, { maxLength: 8 }),
      fc.nat(),
      async (a, b, n) => {
        // A cut at the right edge waits to wrap, which no escape sequence can say: it is left out here.
        const first = Buffer.from(`${a.join('')}\x1b[3G${'y'.repeat(n % 5)}`)
        const later = Buffer.from(`\x1b[G${b.join('')}`)
        const all = Buffer.concat([first, later])
        const cut = first.length - (n % 2)
        const screen = screenOf()
        screen.write(all.subarray(0, Math.floor(cut / 2)))
        screen.write(all.subarray(Math.floor(cut / 2), cut))
        const shown = await screen.snapshot(() => null)
        const whole = open()
        await write(whole, all.subarray(0, shown.offset))
        const late = open()
        await write(late, shown.screen)
        expect(look(late)).toEqual(look(whole))
        for (const terminal of [late, whole]) await write(terminal, all.subarray(shown.offset))
        expect(Buffer.concat(shown.rest)).toEqual(Buffer.from(all.subarray(shown.offset, cut)))
        expect(look(late)).toEqual(look(whole))
        for (const each of [late, whole, screen]) each.dispose()
      },
    ),
    { numRuns: 120 },
  )
})

test('a snapshot in the middle of a flood answers at once and says which bytes are still to come', async () => {
  const screen = screenOf()
  const chunk = Buffer.from('0123456789abcdef\r\n'.repeat(4000))
  const chunks = Array.from({ length: 30 }, () => Buffer.from(chunk))
  for (const each of chunks) screen.write(each)
  const shown = await screen.snapshot(() => null)
  const rest = shown.rest.reduce((sum, bytes) => sum + bytes.length, 0)
  expect(shown.offset).toBeLessThan(chunk.length * chunks.length)
  expect(shown.offset + rest).toBe(chunk.length * chunks.length)
  screen.dispose()
})

test.each([
  ['short lines', (n: number) => `${n}\r\n`],
  ['long and wide lines', (n: number) => `${n} ${'漢é '.repeat(n % 40)}\r\n`],
  ['coloured lines', (n: number) => `\x1b[3${n % 8}m${n}\x1b[48;5;${n % 200}m ok${n % 3 ? '\x1b[m' : ''}\r\n`],
  ['a function among the lines', (n: number) => (n % 30_000 === 29_000 ? '\x1b[2A\x07' : `${n}\tx\r\n`)],
])('a flood of %s is not parsed in full and looks the same', async (_, line) => {
  const text = Buffer.from(Array.from({ length: 60_000 }, (_, n) => line(n)).join(''))
  const screen = screenOf()
  screen.write(Buffer.from('before\r\n\x1b[7m'))
  for (let at = 0; at < text.length; at += 50_001) screen.write(text.subarray(at, at + 50_001))
  const whole = open()
  await write(whole, 'before\r\n\x1b[7m')
  await write(whole, text)
  let shown = await screen.snapshot(() => null)
  while (shown.rest.length > 0) {
    await new Promise(resolve => setTimeout(resolve, 10))
    shown = await screen.snapshot(() => null)
  }
  const late = open()
  await write(late, shown.screen)
  for (const terminal of [late, whole]) await write(terminal, 'after')
  expect(look(late)).toEqual(look(whole))
  const last = (terminal: Xterm) => {
    const cell = terminal.buffer.active.getLine(terminal.buffer.active.length - 1)?.getCell(0)
    return [cell?.getFgColor(), cell?.getBgColor(), cell?.isInverse()]
  }
  expect(last(late)).toEqual(last(whole))
  for (const each of [late, whole, screen]) each.dispose()
})
