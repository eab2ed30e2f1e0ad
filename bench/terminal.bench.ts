/**
 * Terminals. First the pty host alone, over its socket, with a window that acknowledges: 200 MB, not a byte lost, against a
 * bare node-pty that reads the same. Then the built product in a headless browser: `seq 1 5000000` (bar 5 s), 50 MB of text
 * (bar 10 MB/s), Ctrl-C in a flood (bar 100 ms until nothing more comes). Arguments: folder of the build, megabytes.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { spawn as spawnPty } from 'node-pty'
import { foldersOf } from '../sidecar/base/folders.ts'
import { sealTicket } from '../sidecar/base/ticket.ts'
import { createClient } from '../sidecar/contract/client.ts'
import { unpackTerminalBytes } from '../sidecar/contract/frame.ts'
import type { WorkspaceId } from '../sidecar/contract/id.ts'
import { ptyContract } from '../sidecar/contract/index.ts'
import { PROTOCOL_VERSION } from '../sidecar/contract/protocol.ts'
import { TERMINAL_ACK_BYTES } from '../sidecar/contract/terminal.ts'
import { connectOver } from '../sidecar/transport/connection.ts'
import { connectLocal, localSocketPath } from '../sidecar/transport/local-socket.ts'
import { openQuietPage, type QuietPage } from './quiet-page.ts'

const out = resolve(process.argv[2] ?? 'out')
const megabytes = Number(process.argv[3] ?? 200)
const BROWSER_MB = 50
const SEQ_BAR_S = 5
const RATE_BAR = 10
const STOP_BAR_MS = 100
const size = { cols: 120, rows: 30 }

const home = await mkdtemp(join(tmpdir(), 'belay-bench-terminal-'))
const text = join(home, 'text')
const busy = join(home, 'busy')
const fill = async (file: string, line: (n: number) => string, mb: number) => {
  const block = Array.from({ length: 8000 }, (_, n) => line(n)).join('')
  await writeFile(file, block.repeat(Math.ceil((mb * 1e6) / block.length)))
}
await fill(text, n => `${n} \x1b[3${n % 8}m${'some text of a build '.repeat(n % 6)}\x1b[m\r\n`, 10)
await fill(busy, n => `\x1b[${1 + (n % 30)};${1 + (n % 90)}H${n} a word\x1b[K`, 10)

/** `cat` of the same 10 MB over and over, untouched by the line discipline; it waits for a word. */
const catOf = (file: string, mb: number) =>
  `stty raw -echo; printf r; read x; for i in $(seq ${Math.ceil(mb / 10)}); do cat ${file}; done; printf end; read y`

/** CPU time of a process in ms; Linux only. */
const cpuOf = (pid: number | undefined): number => {
  const fields = /\) (.+)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}
const rate = (bytes: number, ms: number) => `${(bytes / 1000 / ms).toFixed(1)} MB/s`

async function bare(file: string): Promise<number> {
  const pty = spawnPty('/bin/sh', ['-c', catOf(file, megabytes)], { ...size, encoding: null })
  let bytes = 0
  const began = performance.now()
  await new Promise<void>(done => {
    pty.onData(data => {
      bytes += data.length
      if (bytes === 1) pty.write('go\n')
      if (data.length >= 3 && Buffer.from(data).subarray(-3).toString() === 'end') done()
    })
  })
  pty.kill()
  return bytes / 1000 / (performance.now() - began)
}

async function startHost() {
  const folders = foldersOf({ BELAY_HOME: join(home, 'host') })
  const ticketKey = randomBytes(32)
  const socketPath = localSocketPath(folders.state, 'bench', 'pty-host')
  const child: ChildProcess = fork(join(out, 'main/pty-host.js'))
  child.send({
    kind: 'start',
    folders,
    instanceId: 'bench',
    epoch: 'e',
    version: '0',
    socketPath,
    token: 't',
    ticketKey: ticketKey.toString('base64'),
  })
  await once(child, 'message')
  const link = await connectLocal({ path: socketPath, token: 't', timeoutMs: 5000 })
  let onBytes: (packed: Uint8Array) => void = () => {}
  link.onBytes = packed => onBytes(packed)
  const client = createClient(ptyContract, connectOver(link))
  await client.link.hello({ protocol: PROTOCOL_VERSION, name: 'window', clientId: 'bench' })
  const run = async (file: string) => {
    const claim = {
      id: randomBytes(8).toString('hex'),
      workspaceId: 'wsp_bench' as WorkspaceId,
      cwd: home,
      shell: '/bin/sh',
      args: ['-c', catOf(file, megabytes)],
      env: { PATH: process.env.PATH ?? '' },
      expiresAt: Date.now() + 20_000,
    }
    const { terminalId } = await client.terminal.create({ ticket: sealTicket(claim, ticketKey), ...size })
    const hash = createHash('sha256')
    let next = 0
    let acked = 0
    let ready = () => {}
    let ended = () => {}
    onBytes = packed => {
      const { offset, bytes } = unpackTerminalBytes(packed)
      if (offset !== next) throw new Error(`A hole: ${next} expected, ${offset} came`)
      next += bytes.length
      hash.update(bytes)
      if (next - acked >= TERMINAL_ACK_BYTES) {
        acked = next
        void client.terminal.ack({ terminalId, offset: next })
      }
      ready()
      if (Buffer.from(bytes.subarray(-3)).toString() === 'end') ended()
    }
    const shown = new Promise<void>(resolve => {
      ready = resolve
    })
    const done = new Promise<void>(resolve => {
      ended = resolve
    })
    // The first letter may be in the screen already.
    const { offset } = await client.terminal.attach({ terminalId })
    next = Math.max(next, offset)
    if (offset > 0) hash.update('r')
    else await shown
    const cpu = cpuOf(child.pid)
    const began = performance.now()
    void client.terminal.write({ terminalId, data: 'go\n' })
    await done
    const ms = performance.now() - began
    const bytes = next
    const due = createHash('sha256').update('r')
    for (let n = 0; n < Math.ceil(megabytes / 10); n++)
      for await (const chunk of createReadStream(file)) due.update(chunk)
    const same = hash.digest('hex') === due.update('end').digest('hex')
    await client.terminal.end({ terminalId })
    return { bytes, ms, cpuMs: cpuOf(child.pid) - cpu, same }
  }
  return { run, stop: () => new Promise(resolve => child.once('exit', resolve).kill('SIGTERM')) }
}

const host = await startHost()
for (const [name, file] of [
  ['text', text],
  ['cursor moves', busy],
] as const) {
  const peer = await bare(file)
  const { bytes, ms, cpuMs, same } = await host.run(file)
  const ratio = bytes / 1000 / ms / peer
  console.log(
    `pty host, ${name.padEnd(13)} ${(bytes / 1e6).toFixed(0)} MB: ${rate(bytes, ms)} (node-pty alone ${peer.toFixed(1)} MB/s, ratio ${ratio.toFixed(2)}), ${rate(bytes, cpuMs)} of its own CPU time, ${same ? 'every byte arrived' : 'BYTES LOST'}`,
  )
}
await host.stop()

// --- the window

const work = join(home, 'work')
await mkdir(work)
const belay = spawn(process.execPath, [join(out, 'main/belay.js'), 'web', '0', work, '--no-open'], {
  env: { ...process.env, BELAY_HOME: join(home, 'belay'), SHELL: '/bin/bash' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const url = await new Promise<string>((found, failed) => {
  let said = ''
  belay.stdout.on('data', chunk => {
    said += chunk
    const link = /http:\S+/.exec(said)?.[0]
    if (link) found(link)
  })
  belay.on('exit', code => failed(new Error(`Belay ended with ${code}: ${said}`)))
})
/** Types a command; milliseconds until what it prints last is painted. Looked for rarely: to 20 ms. */
async function timed(page: QuietPage, command: string, last: RegExp): Promise<number> {
  await page.type(command)
  const began = performance.now()
  await page.enter()
  await page.shows(last, { everyMs: 20 })
  return performance.now() - began
}
const tasks = async (page: QuietPage) => {
  const all = await page.longTasks()
  return `${all.length} tasks of the page over 50 ms${all.length ? `, longest ${Math.max(...all)} ms` : ''}`
}

let page: QuietPage | null = null
try {
  page = await openQuietPage(url, async setUp => {
    await setUp.getByRole('button', { name: 'Trust this folder' }).first().click({ timeout: 60_000 })
    await setUp.getByRole('dialog').getByRole('button', { name: 'Trust this folder' }).click()
    await setUp.keyboard.press('Control+`')
    await setUp.locator('.xterm-rows').waitFor({ timeout: 60_000 })
  })
  await timed(page, 'PS1="> "; clear; echo rea""dy', /ready/)
  await page.longTasks()
  const seq = await timed(page, 'seq 1 5000000; echo do""ne', /5000000\s+done/)
  console.log(`window, seq 1 5000000   ${(seq / 1000).toFixed(1)} s (bar ${SEQ_BAR_S} s), ${await tasks(page)}`)
  const repeat = `for i in $(seq ${BROWSER_MB / 10}); do cat ${text}; done; echo fini""shed`
  const cat = await timed(page, `clear; ${repeat}`, /\nfinished/)
  const speed = rate(BROWSER_MB * 1e6, cat)
  console.log(`window, ${BROWSER_MB} MB of text    ${speed} (bar ${RATE_BAR} MB/s), ${await tasks(page)}`)
  const stops: number[] = []
  for (let round = 0; round < 5; round++) {
    await page.type('clear; yes a flood')
    await page.enter()
    await page.shows(/a flood\na flood/)
    await new Promise(resolve => setTimeout(resolve, 500))
    const began = performance.now()
    await Promise.all([page.control('c'), page.shows(/\^C\n> /)])
    stops.push(performance.now() - began)
  }
  const middle = stops.sort((a, b) => a - b)[2] ?? Number.NaN
  console.log(`window, Ctrl-C in a flood  ${middle.toFixed(0)} ms to the prompt (bar ${STOP_BAR_MS} ms)`)
} finally {
  await page?.close()
  belay.kill('SIGTERM')
  await once(belay, 'exit')
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
}
