/** A fresh parser, told what the scan says is open at any cut, goes on exactly as one that saw every byte. */
import headless from '@xterm/headless'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEscapeScan } from './escape-scan.ts'

const pieces = [
  'plain text',
  '\r\n',
  'é漢字😀',
  '\u00ab\u00bb',
  '\x1b[31m',
  '\x1b[1;38;2;1;2;3m',
  '\x1b[?25l',
  '\x1b[ q',
  '\x1b[1>2x',
  '\x1b[12;5H',
  '\u009b32m',
  '\x1b]0;a title; ü\x07',
  '\x1b]0;other\x1b\\',
  '\u009d0;c1 title\u009c',
  '\x1bPq#0;2;0;0;0\x1b\\',
  '\x1bP1$r0m\x1b\\',
  '\x1bP1;2<3x\x1b\\',
  '\x1b_apc text\x1b\\',
  '\x1b^pm\u009c',
  '\x1b]8;;http://x\x07link\x1b]8;;\x07',
  '\x1b(B\x1b)0',
  '\x1b[3\x18m',
  '\x1b]0;x\x1a',
  '\x1b\x1b[4m',
  '\x1b]unfinished',
  '\x1b[é',
  '\x1b_né',
]
const stream = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...pieces).map(text => Buffer.from(text)) },
      { weight: 1, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 3 }).map(bytes => Buffer.from(bytes)) },
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map(parts => Buffer.concat(parts))

/** What a parser makes of the bytes, as a log of what it would do: printed text, functions, titles. */
async function behaviour(chunks: readonly (Uint8Array | string)[], mute: number): Promise<string[]> {
  const terminal = new headless.Terminal({ cols: 200, rows: 50, allowProposedApi: true, logLevel: 'off' })
  const log: string[] = []
  terminal.onTitleChange(title => log.push(`title ${title}`))
  for (const final of 'mxHlq') {
    for (const prefix of ['', '?']) {
      terminal.parser.registerCsiHandler({ ...(prefix ? { prefix } : {}), final }, params => {
        log.push(`csi ${prefix}${JSON.stringify(params)}${final}`)
        return true
      })
    }
  }
  const write = (data: Uint8Array | string) => new Promise<void>(resolve => terminal.write(data, resolve))
  for (const chunk of chunks.slice(0, mute)) await write(chunk)
  log.length = 0
  const before = text(terminal)
  for (const chunk of chunks.slice(mute)) await write(chunk)
  log.push(text(terminal).slice(before.length))
  terminal.dispose()
  return log
}

function text(terminal: InstanceType<typeof headless.Terminal>): string {
  const buffer = terminal.buffer.active
  return Array.from(
    { length: buffer.cursorY + 1 },
    (_, row) => buffer.getLine(row)?.translateToString(true) ?? '',
  ).join('\n')
}

test('titles and functions after any cut are the same', async () => {
  await fc.assert(
    fc.asyncProperty(stream, fc.nat(), fc.nat(), async (bytes, cutAt, splitAt) => {
      const cut = cutAt % (bytes.length + 1)
      const split = splitAt % (cut + 1)
      const scan = createEscapeScan()
      scan.push(bytes.subarray(0, split))
      scan.push(bytes.subarray(split, cut))
      const { tail, introducer } = scan.open()
      const whole = await behaviour([bytes.subarray(0, cut), bytes.subarray(cut)], 1)
      const resumed = await behaviour([introducer, tail, bytes.subarray(cut)], 2)
      expect(resumed.filter(line => /^(title|csi)/.test(line))).toEqual(whole.filter(line => /^(title|csi)/.test(line)))
    }),
    { numRuns: 150 },
  )
})

test('a string too long to keep is opened again by its kind', () => {
  for (const [start, introducer] of [
    ['\x1b]0;', '\x1b]'],
    ['\x1bPq', '\x1bPz'],
    ['\x1b_', '\x1bX'],
  ] as const) {
    const scan = createEscapeScan()
    scan.push(Buffer.from(start + 'x'.repeat(100_000)))
    expect(scan.open()).toEqual({ tail: new Uint8Array(0), introducer })
    scan.push(Buffer.from('\x1b\\done'))
    expect(scan.open()).toEqual({ tail: new Uint8Array(0), introducer: '' })
  }
})

test('a character cut in any place is kept until it is whole', () => {
  const bytes = Buffer.from('a漢😀')
  const open = Array.from({ length: bytes.length + 1 }, (_, cut) => {
    const scan = createEscapeScan()
    for (const byte of bytes.subarray(0, cut)) scan.push(Uint8Array.of(byte))
    return scan.open().tail.length
  })
  expect(open).toEqual([0, 0, 1, 2, 0, 1, 2, 3, 0])
})

test('time grows with the bytes, not with the bytes times the sequences in them', () => {
  // Searching to the end for a byte that never comes, once for each sequence, would take a minute here.
  const bytes = new Uint8Array(Buffer.from('\x1b[31msome text\x1b[m\r\n'.repeat(100_000)))
  const began = performance.now()
  const scan = createEscapeScan()
  scan.push(bytes)
  expect(scan.open()).toEqual({ tail: new Uint8Array(0), introducer: '' })
  expect(performance.now() - began).toBeLessThan(2000)
})
