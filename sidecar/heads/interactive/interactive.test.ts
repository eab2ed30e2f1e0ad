/** The terminal face on a terminal that keeps its screen: what a person reads, what keys do, and how little is written for it. */
import type { Terminal } from '@earendil-works/pi-tui'
import headless from '@xterm/headless'
import { expect, it } from 'vitest'
import { nearest } from '../../base/nearest.ts'
import { connect, script, workspaceId } from '../headless/harness.case.ts'
import { parseOptions } from '../headless/options.ts'
import { interactive } from './interactive.ts'

/** A terminal of 80 by 24 with its scrollback, that counts what is written to it. */
function createScreen() {
  const xterm = new headless.Terminal({ cols: 80, rows: 24, scrollback: 1000, allowProposedApi: true })
  let input: (data: string) => void = () => {}
  let resized = () => {}
  let bytes = 0
  let clears = 0
  const lookers = new Set<() => void>()
  const terminal: Terminal = {
    start(onInput, onResize) {
      input = onInput
      resized = onResize
    },
    stop() {},
    drainInput: async () => {},
    write(data) {
      bytes += data.length
      if (data.includes('\x1b[2J')) clears += 1
      xterm.write(data, () => {
        for (const look of lookers) look()
      })
    },
    get columns() {
      return xterm.cols
    },
    get rows() {
      return xterm.rows
    },
    kittyProtocolActive: false,
    moveBy() {},
    hideCursor() {},
    showCursor() {},
    clearLine() {},
    clearFromCursor() {},
    clearScreen() {},
    setTitle() {},
    setProgress() {},
  }
  const text = () => {
    const { active } = xterm.buffer
    const lines = Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true) ?? '')
    return lines.join('\n')
  }
  return {
    terminal,
    text,
    counted: () => ({ bytes, clears }),
    resize(columns: number, rows: number) {
      xterm.resize(columns, rows)
      resized()
    },
    type: (data: string) => input(data),
    until: (fits: (text: string) => boolean) =>
      new Promise<string>(resolve => {
        const look = () => {
          if (!fits(text())) return
          lookers.delete(look)
          resolve(text())
        }
        lookers.add(look)
        look()
      }),
  }
}

async function open(...args: string[]) {
  const parsed = parseOptions('terminal', ['--model', 'scripted/default', ...args], nearest)
  if ('problem' in parsed) throw new Error(parsed.problem)
  const screen = createScreen()
  const stop = new AbortController()
  const ended = interactive({
    ...(await connect('terminal')),
    ...{ workspaceId, options: parsed.options, folder: '/project', signal: stop.signal },
    ...{ terminal: screen.terminal, colours: false },
  })
  return { ...screen, ended, stop: () => stop.abort() }
}

const send = (screen: Awaited<ReturnType<typeof open>>, words: string) => {
  // As a paste: the field may complete while it is typed.
  screen.type(`\x1b[200~${words}\x1b[201~`)
  screen.type('\r')
}

it('shows a turn: thoughts folded, words, calls with how they went; Ctrl+O opens them', async () => {
  const screen = await open()
  await screen.until(text => text.includes('/help says what one can do'))
  const steps = script(
    [{ reasoning: 'Secret musings.' }, { text: 'Looking **closely**.' }, { call: 'look', arguments: { path: 'a' } }],
    [{ text: 'The end.' }],
  )
  send(screen, steps)
  const shown = await screen.until(text => text.includes('The end.') && text.includes('ready'))
  expect(shown).toContain('∴ Thought')
  expect(shown).not.toMatch(/^ {2}Secret musings\.$/m)
  expect(shown).toContain('Looking closely.')
  expect(shown).toContain('● look a')
  screen.type('\x0f')
  await screen.until(text => /^ {2}Secret musings\.$/m.test(text))
  screen.stop()
  await screen.ended
})

const change = script([{ call: 'change', arguments: { path: 'a' } }], [{ text: 'Over.' }])

it('asks with a key for each answer, also for a no with words', async () => {
  const screen = await open()
  await screen.until(text => text.includes('/help'))
  send(screen, change)
  const asked = await screen.until(text => text.includes('▌ change'))
  expect(asked).toContain('y yes, once')
  expect(asked).toContain('n no')
  screen.type('y')
  await screen.until(text => text.includes('● change a') && text.includes('ready'))
  send(screen, change)
  await screen.until(text => text.includes('▌ change'))
  screen.type('w')
  await screen.until(text => text.includes('What should it do instead?'))
  for (const letter of 'not that') screen.type(letter)
  screen.type('\r')
  await screen.until(text => text.includes('○ change a') && text.includes('ready'))
  expect(screen.text()).toContain('not that')
  screen.stop()
  await screen.ended
})

it('says what is no command, completes what is one, and Ctrl+C stops first and leaves then', async () => {
  const screen = await open()
  await screen.until(text => text.includes('/help'))
  send(screen, '/hepl')
  await screen.until(text => text.includes('Did you mean /help?'))
  for (const letter of '\x15/mo') screen.type(letter)
  await screen.until(text => text.includes('/model') && text.includes('which model answers'))
  screen.type('\x1b')
  screen.type('\x15')
  send(screen, '/mode acceptEdits')
  await screen.until(text => text.includes('acceptEdits ·'))
  send(screen, script([{ text: 'half' }, { delayMs: 60_000 }]))
  await screen.until(text => text.includes('half'))
  screen.type('\x03')
  await screen.until(text => text.includes('Stopped. What was done is kept.'))
  screen.type('\x03')
  await screen.ended
})

it('takes several lines, has its history, and steers what runs', async () => {
  const screen = await open()
  await screen.until(text => text.includes('/help'))
  for (const key of ['f', 'i', 'r', 's', 't', '\x1b\r', 's', 'e', 'c', 'o', 'n', 'd', '\r']) screen.type(key)
  await screen.until(text => text.includes('You said: first') && text.includes('ready'))
  expect(screen.text()).toMatch(/^› first\n {2}second$/m)
  // The last words again, by a key.
  screen.type('\x1b[A')
  screen.type('\r')
  await screen.until(text => text.split('You said: first').length === 3 && text.includes('ready'))
  send(screen, script([{ call: 'slow', arguments: {} }], [{ text: 'On.' }]))
  await screen.until(text => text.includes('● slow'))
  send(screen, 'mind the gap')
  await screen.until(text => text.includes('1 on the way'))
  screen.type('\x03')
  await screen.until(text => text.includes('Stopped. What was done is kept.'))
  screen.stop()
  await screen.ended
})

it('streams without drawing anew: a screen is never cleared, and little is written for each piece', async () => {
  const screen = await open()
  await screen.until(text => text.includes('/help'))
  const pieces = Array.from({ length: 400 }, (_, at) => `word${at} `)
  const { bytes: before } = screen.counted()
  send(screen, script([{ text: pieces }]))
  await screen.until(text => text.includes('word399') && text.includes('ready'))
  const { bytes, clears } = screen.counted()
  expect(clears).toBe(0)
  const streamed = pieces.join('').length
  expect((bytes - before) / streamed).toBeLessThan(40)
  screen.resize(50, 20)
  await screen.until(text => text.includes('word399'))
  expect(
    Math.max(
      ...screen
        .text()
        .split('\n')
        .map(line => line.length),
    ),
  ).toBeLessThanOrEqual(50)
  screen.stop()
  await screen.ended
})

it('what strangers write is shown as text: no escape of theirs reaches the terminal', async () => {
  const screen = await open()
  await screen.until(text => text.includes('/help'))
  send(screen, script([{ text: 'evil \u001b[2J\u001b]0;owned\u0007 end' }]))
  await screen.until(text => text.includes('evil [U+001B][2J[U+001B]]0;owned[U+0007] end'))
  expect(screen.counted().clears).toBe(0)
  screen.stop()
  await screen.ended
})
