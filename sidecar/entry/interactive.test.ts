/** `belay` as a person starts it: in a real pseudo-terminal, and as plain lines where there is none. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import headless from '@xterm/headless'
import { spawn as spawnPty } from 'node-pty'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundle } from '../../scripts/bundle.mjs'

let belay: string
let home: string
let folder: string
beforeAll(async () => {
  belay = await bundle(fileURLToPath(new URL('belay.ts', import.meta.url)))
  home = await mkdtemp(join(tmpdir(), 'belay-terminal-'))
  folder = join(home, 'project')
  await mkdir(folder)
}, 60_000)
afterAll(async () => {
  await rm(home, { recursive: true, force: true })
  await rm(dirname(belay), { recursive: true, force: true })
})
const environment = () => ({
  PATH: process.env.PATH ?? '',
  BELAY_HOME: join(home, 'belay'),
  HOME: home,
  TERM: 'xterm-256color',
  LANG: 'C.UTF-8',
})
const script = (...steps: object[][]) => `script:${JSON.stringify(steps)}`

it('runs in a terminal: an answer by one key writes the file, Ctrl+C twice leaves', { timeout: 60_000 }, async () => {
  const xterm = new headless.Terminal({ cols: 100, rows: 30, allowProposedApi: true })
  const options = { cols: 100, rows: 30, cwd: folder, env: environment() }
  const pty = spawnPty(process.execPath, [belay, '--model', 'scripted/default'], options)
  const ended = new Promise<number>(resolve => pty.onExit(({ exitCode }) => resolve(exitCode)))
  const lookers = new Set<() => void>()
  pty.onData(data =>
    xterm.write(data, () => {
      for (const look of lookers) look()
    }),
  )
  // What a program asks of a terminal is answered as a terminal would.
  xterm.onData(answer => pty.write(answer))
  const text = () =>
    Array.from({ length: xterm.buffer.active.length }, (_, at) =>
      xterm.buffer.active.getLine(at)?.translateToString(true),
    ).join('\n')
  const until = (fits: (text: string) => boolean) =>
    new Promise<void>(resolve => {
      const look = () => {
        if (!fits(text())) return
        lookers.delete(look)
        resolve()
      }
      lookers.add(look)
      look()
    })
  await until(shown => shown.includes('/help says what one can do') && shown.includes('ready'))
  const write = { call: 'write', arguments: { path: 'made.txt', content: 'made\n' } }
  pty.write(`\x1b[200~${script([write], [{ text: 'It is made.' }])}\x1b[201~`)
  pty.write('\r')
  await until(shown => shown.includes('▌ write'))
  pty.write('y')
  await until(shown => /^It is made\.\s*$/m.test(shown) && shown.includes('+1 −0'))
  expect(await readFile(join(folder, 'made.txt'), 'utf8')).toBe('made\n')
  pty.write('\x03')
  await until(shown => shown.includes('Ctrl+C again leaves'))
  pty.write('\x03')
  expect(await ended).toBe(0)
  xterm.dispose()
})

it('speaks plain lines without a terminal, takes answers as lines, and ends with its input', {
  timeout: 60_000,
}, async () => {
  const child = spawn(process.execPath, [belay, '--model', 'scripted/default'], {
    cwd: folder,
    env: environment(),
    timeout: 40_000,
  })
  let output = ''
  child.stdout.on('data', piece => {
    output += piece
  })
  const until = async (fits: () => boolean) => {
    while (!fits()) await once(child.stdout, 'data')
  }
  await until(() => output.includes('Write to the agent'))
  child.stdin.write(
    `${script([{ call: 'write', arguments: { path: 'plain.txt', content: 'x\n' } }], [{ text: 'Done so.' }])}\n`,
  )
  await until(() => output.includes('Answer: yes'))
  child.stdin.write('yes\n')
  await until(() => output.includes('Done so.'))
  child.stdin.end('/help\nlast words\n')
  const [code] = await once(child, 'close')
  expect(code).toBe(0)
  expect(output).toContain('/rewind [n]')
  expect(output).toContain('You said: last words')
  expect(output).not.toContain('\u001b')
  expect(await readFile(join(folder, 'plain.txt'), 'utf8')).toBe('x\n')
})

it('takes a prompt from the line or from a pipe, and is over when that is answered and its input has ended', {
  timeout: 60_000,
}, async () => {
  for (const [args, piped, answer] of [
    [['words of a prompt'], '', 'You said: words of a prompt'],
    [[], 'words of a pipe\n', 'You said: words of a pipe'],
  ] as const) {
    const all = [belay, ...args, '--model', 'scripted/default']
    const child = spawn(process.execPath, all, { cwd: folder, env: environment(), timeout: 40_000 })
    let output = ''
    child.stdout.on('data', piece => {
      output += piece
    })
    child.stdin.end(piped)
    expect((await once(child, 'close'))[0]).toBe(0)
    expect(output).toContain(answer)
  }
})

it('refuses what is no option, and says what there is', { timeout: 30_000 }, async () => {
  const child = spawn(process.execPath, [belay, '--modle', 'x/y'], { env: environment(), timeout: 20_000 })
  let words = ''
  child.stderr.on('data', piece => {
    words += piece
  })
  expect((await once(child, 'close'))[0]).toBe(1)
  expect(words).toContain('--modle is no option of belay. Did you mean --model?')
})
