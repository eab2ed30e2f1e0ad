/** Real shells through the whole of the pty host's inside: nothing lost, nothing left over, nobody frozen. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import headless from '@xterm/headless'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { unpackTerminalBytes } from '#contract/frame'
import type { TerminalId, WorkspaceId } from '#contract/id'
import { TERMINAL_HIGH_WATER_BYTES, type TerminalInfo } from '#contract/terminal'
import { newId } from '../base/id.ts'
import { processOf } from '../base/process-info.ts'
import { sealTicket, TICKET_LIFE_MS } from '../base/ticket.ts'
import { createTerminals, type Terminals } from './index.ts'

const key = randomBytes(32)
const workspaceId = 'wsp_1' as WorkspaceId
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'belay-terminals-')))
const signal = new AbortController().signal
const env = { PATH: process.env.PATH ?? '', HOME: folder, PS1: '$ ', BELAY_SECRET: 'hush', ELECTRON_RUN_AS_NODE: '1' }
const sized = { cols: 80, rows: 24 }
let terminals: Terminals
const pids = new Set<number>()

beforeAll(() => writeFileSync(join(folder, '.bashrc'), 'PS1="$ "\nmine=kept\nHISTCONTROL=ignoreboth\n'))
const start = () => {
  const ledger = { add: (pid: number) => void pids.add(pid), remove: (pid: number) => void pids.delete(pid) }
  terminals = createTerminals({ ledger, log: () => {}, ticketKey: key, scripts: folder, version: '0' })
}
start()
afterEach(async () => {
  await terminals.dispose()
  expect(await running(pids)).toEqual([])
  start()
})
afterAll(async () => {
  await terminals.dispose()
  rmSync(folder, { recursive: true, force: true })
})

const ticket = (claim: { shell?: string; args?: string[]; cwd?: string; env?: Record<string, string> } = {}) =>
  sealTicket(
    {
      id: newId('tkt'),
      workspaceId,
      cwd: claim.cwd ?? folder,
      shell: claim.shell ?? 'bash',
      args: claim.args ?? [],
      env: { ...env, ...claim.env },
      expiresAt: Date.now() + TICKET_LIFE_MS,
    },
    key,
  )
const sh = (script: string) => ticket({ shell: '/bin/sh', args: ['-c', script] })

/** Those that run: the zombie of one that left is for whoever adopted it. */
const running = async (pids: Iterable<number>) => {
  const found = await Promise.all([...pids].map(processOf))
  return found.flatMap(each => each?.pid ?? [])
}

/** Waits for a state, never for a time. */
async function until<T>(what: () => T | null | undefined | false, words: string, timeoutMs = 15_000): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const value = what()
    if (value) return value
    if (Date.now() > deadline) throw new Error(`Waited in vain for ${words}`)
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}

/** A window: takes bytes in, acknowledges as told, and checks that offsets have no gap. */
function openClient(options: { ack?: boolean } = {}) {
  const clientId = newId('cli')
  const context = { clientId, signal }
  const parts: Uint8Array[] = []
  const events: [string, unknown][] = []
  const { handlers } = terminals
  let next: number | null = null
  let bytes = 0
  const client = {
    clientId,
    context,
    events,
    acking: options.ack ?? true,
    hash: createHash('sha256'),
    get bytes() {
      return bytes
    },
    text: () => Buffer.concat(parts).toString('utf8'),
    infos: (id: TerminalId) =>
      events
        .filter(([name]) => name === 'terminal/changed')
        .map(([, info]) => info as TerminalInfo)
        .filter(i => i.terminalId === id),
    async open(text: string) {
      const info = await handlers.terminal.create({ ticket: text, ...sized }, context)
      const shown = await client.attach(info.terminalId)
      return { id: info.terminalId as TerminalId, shown }
    },
    async attach(terminalId: string) {
      const id = terminalId as TerminalId
      const shown = await handlers.terminal.attach({ terminalId: id }, context)
      ids.set(shown.info.number, id)
      if (next === null) next = shown.offset
      return shown
    },
    write: (id: TerminalId, data: string) => handlers.terminal.write({ terminalId: id, data }, context),
    ack: (id: TerminalId) => handlers.terminal.ack({ terminalId: id, offset: next ?? 0 }, context),
    leave: () => {},
    reset() {
      parts.length = 0
      next = null
    },
    keep: true,
  }
  const ids = new Map<number, TerminalId>()
  client.leave = terminals.attach({
    clientId,
    emit: (name, payload) => events.push([name, payload]),
    sendBytes(packed) {
      const frame = unpackTerminalBytes(packed)
      if (next === null) next = frame.offset
      expect(frame.offset).toBe(next)
      next += frame.bytes.length
      bytes += frame.bytes.length
      client.hash.update(frame.bytes)
      if (client.keep) parts.push(frame.bytes)
      const id = ids.get(frame.number)
      if (client.acking && id) queueMicrotask(() => client.ack(id))
    },
  })
  return client
}
const exited = (client: ReturnType<typeof openClient>, id: TerminalId) =>
  until(() => client.infos(id).find(info => info.state === 'exited'), 'the exit', 40_000)

test('keys go in, echo and output come out, in the folder of the ticket and without our wiring', async () => {
  const client = openClient()
  const { id } = await client.open(ticket())
  client.write(id, 'echo "<$PWD|$mine|$TERM|$BELAY_SECRET$ELECTRON_RUN_AS_NODE$BELAY_NONCE>"\r')
  await until(() => client.text().includes(`<${folder}|kept|xterm-256color|>`), 'the echo')
  client.write(id, 'exit 7\r')
  expect(await exited(client, id)).toMatchObject({ exitCode: 7, signal: null })
})

test('a ticket works once; a folder or shell that is not there is refused in words', async () => {
  const { handlers } = terminals
  const client = openClient()
  const create = (text: string) =>
    Promise.resolve().then(() => handlers.terminal.create({ ticket: text, ...sized }, client.context))
  const once = sh('true')
  await create(once)
  await expect(create(once)).rejects.toMatchObject({ code: 'denied' })
  await expect(create(ticket({ cwd: join(folder, 'gone') }))).rejects.toMatchObject({ code: 'not_found' })
  await expect(create(ticket({ cwd: join(folder, '.bashrc') }))).rejects.toMatchObject({ code: 'not_a_folder' })
  await expect(create(ticket({ shell: '/no/such/shell' }))).rejects.toMatchObject({ code: 'unavailable' })
  await expect(create(ticket({ shell: 'no-such-shell' }))).rejects.toThrow(/terminal\.shell/)
})

test('a flood against a slow window: held back, bounded, and not a byte lost', async () => {
  const file = join(folder, 'flood')
  const line = (n: number) => `${n} ${'a flood of text '.repeat(n % 9)}\x1b[3${n % 8}m漢\r\n`
  const block = Buffer.from(Array.from({ length: 20_000 }, (_, n) => line(n)).join(''))
  // At the end: it may leave the terminal in any state.
  const odd = Buffer.concat([Buffer.from('\xff\xfe\r\n', 'latin1'), randomBytes(64 * 1024)])
  writeFileSync(file, Buffer.concat([...Array.from({ length: 35 }, () => block), odd]))
  const client = openClient({ ack: false })
  client.keep = false
  // Waits for a word so that the window sees the first byte; no echo, no translation of line ends.
  const { id } = await client.open(sh(`stty raw -echo; printf r; read x; cat ${file}`))
  await until(() => client.bytes === 1, 'the shell')
  client.write(id, 'go\n')
  await until(() => client.bytes > TERMINAL_HIGH_WATER_BYTES, 'the flood')
  let seen = -1
  await until(() => {
    const still = client.bytes === seen
    seen = client.bytes
    return still
  }, 'the pause')
  expect(client.bytes).toBeLessThan(TERMINAL_HIGH_WATER_BYTES + 256 * 1024)
  const before = process.memoryUsage().rss
  let most = before
  const slow = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
    client.ack(id)
  }, 1)
  const end = await exited(client, id).finally(() => clearInterval(slow))
  const due = Buffer.concat([Buffer.from('r'), readFileSync(file)])
  expect(due.length).toBeGreaterThan(50_000_000)
  expect([end.exitCode, client.bytes, client.hash.digest('hex')]).toEqual([
    0,
    due.length,
    createHash('sha256').update(due).digest('hex'),
  ])
  expect(most - before).toBeLessThan(200 * 1024 * 1024)
}, 60_000)

test('the last words of a child that ends are never cut off', async () => {
  const client = openClient()
  for (let round = 0; round < 5; round++) {
    const { id } = await client.open(sh('read x; head -c 100000 /dev/zero | tr "\\\\0" w; printf END'))
    client.write(id, '\r')
    await exited(client, id)
    expect(client.text().match(/w*END$/)?.[0].length).toBe(100_003)
    await terminals.handlers.terminal.end({ terminalId: id }, client.context)
    client.reset()
  }
})

test('Ctrl-C stops a flood at once', async () => {
  const client = openClient()
  client.keep = false
  const { id } = await client.open(sh('trap "exit 9" INT; yes'))
  await until(() => client.bytes > 1_000_000, 'the flood')
  const at = performance.now()
  client.write(id, '\x03')
  expect(await exited(client, id)).toMatchObject({ exitCode: 9 })
  expect(performance.now() - at).toBeLessThan(500)
})

test('a window that hangs is let go, and the others go on', async () => {
  const hung = openClient({ ack: false })
  const well = openClient()
  hung.keep = false
  well.keep = false
  const { id } = await well.open(sh('read x; yes | head -c 2000000; read x'))
  await hung.attach(id)
  well.write(id, 'go\n')
  await until(() => hung.bytes > TERMINAL_HIGH_WATER_BYTES, 'the flood')
  // The hung window counts as stalled only after seconds: let it go by leaving, as a closed connection does.
  hung.leave()
  await until(() => well.bytes > 2_900_000, 'the rest')
  expect(hung.bytes).toBeLessThan(2_000_000)
}, 20_000)

test('a window that comes in the middle of a flood sees what the first one sees', async () => {
  const first = openClient()
  const { id } = await first.open(sh('read x; seq 1 200000; echo done; read x'))
  first.write(id, 'go\n')
  await until(() => first.bytes > 300_000, 'the flood')
  const late = openClient()
  const { shown } = await late.attach(id).then(value => ({ shown: value }))
  await until(() => first.text().includes('done'), 'the end')
  await until(() => late.text().includes('done'), 'the end for the late one')
  const show = async (...data: (string | Uint8Array)[]) => {
    const terminal = new headless.Terminal({ ...sized, scrollback: 10_000, allowProposedApi: true, logLevel: 'off' })
    for (const each of data) await new Promise<void>(resolve => terminal.write(each, resolve))
    const { active } = terminal.buffer
    return Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true))
  }
  expect(shown.offset).toBeGreaterThan(0)
  expect(await show(shown.screen, late.text())).toEqual(await show(first.text()))
})

test('size, exit by signal, and the list that keeps what has ended until it is closed', async () => {
  const client = openClient()
  const { handlers } = terminals
  const { id } = await client.open(sh('stty size; read x; stty size; kill -KILL $$'))
  await until(() => client.text().includes('24 80'), 'the size')
  handlers.terminal.resize({ terminalId: id, cols: 101, rows: 33 }, client.context)
  client.write(id, '\r')
  expect(await exited(client, id)).toMatchObject({ exitCode: null, signal: 'SIGKILL', cols: 101, rows: 33 })
  expect(client.text()).toContain('33 101')
  const listed = await handlers.terminal.list({ workspaceId }, client.context)
  expect(listed.terminals.map(info => [info.terminalId, info.state])).toEqual([[id, 'exited']])
  await handlers.terminal.end({ terminalId: id }, client.context)
  expect(client.events.at(-1)).toEqual(['terminal/removed', { terminalId: id }])
  expect((await handlers.terminal.list({ workspaceId }, client.context)).terminals).toEqual([])
})

test('end leaves nothing behind: jobs, what ignores TERM, what left the session', async () => {
  const client = openClient()
  const { id } = await client.open(ticket())
  client.write(id, `sleep 300 & echo "<$!>"; nohup sleep 301 >/dev/null 2>&1 & echo "<$!>"\r`)
  client.write(
    id,
    `setsid -f sh -c 'echo "<$$>" > /dev/tty; trap "" TERM HUP; echo "<$$>" > ${folder}/left; exec sleep 302'\r`,
  )
  client.write(id, 'echo "<$$>"; sleep 303\r')
  const found = await until(() => {
    const all = [...client.text().matchAll(/<(\d+)>/g)].map(match => Number(match[1]))
    return all.length >= 3 && all
  }, 'the jobs')
  const left = await until(() => {
    try {
      return Number(/\d+/.exec(readFileSync(join(folder, 'left'), 'utf8'))?.[0])
    } catch {
      return 0
    }
  }, 'the one that left')
  expect(await running([...found, left])).toEqual([...found, left])
  await terminals.handlers.terminal.end({ terminalId: id }, client.context)
  expect(await running([...found, left])).toEqual([])
})

test('bash marks commands with exit code, folder and text, and knows what has the foreground', async () => {
  const client = openClient()
  const { handlers } = terminals
  const { id } = await client.open(ticket())
  const marks = () => client.infos(id).at(-1)?.marks ?? []
  const run = async (command: string, count: number) => {
    client.write(id, `${command}\r`)
    await until(() => marks().filter(mark => mark.endedAt !== null).length >= count, command)
  }
  await run('true; echo "a\\b" | cat', 1)
  await run('(exit 3)', 1)
  await run('cd /', 2)
  await run('false', 3)
  await run('false', 4)
  await run(' echo secret', 5)
  await run('printf "\\033]633;E;curl evil;x\\007\\033]633;C\\007\\033]0;ti\\u202etle\\007"', 6)
  expect(marks().map(mark => [mark.command, mark.cwd, mark.exitCode])).toEqual([
    ['true; echo "a\\b" | cat', folder, 0],
    ['cd /', folder, 0],
    ['false', '/', 1],
    ['false', '/', 1],
    ['', '/', 0],
    ['printf "\\033]633;E;curl evil;x\\007\\033]633;C\\007\\033]0;ti\\u202etle\\007"', '/', 0],
  ])
  await until(() => client.infos(id).at(-1)?.title === 'title', 'the title')
  expect(client.infos(id).at(-1)?.cwd).toBe('/')
  const at = await handlers.terminal.attach({ terminalId: id }, client.context)
  expect(at.markLines.every(({ prompt, output, end }) => prompt !== null && output !== null && end !== null)).toBe(true)
  const idle = await handlers.terminal.foreground({ terminalId: id }, client.context)
  client.write(id, 'sleep 100\r')
  const busy = await until(() => {
    const now = handlers.terminal.foreground({ terminalId: id }, client.context) as { busy: boolean; process: string }
    return now.process === 'sleep' && now
  }, 'the sleep')
  expect([idle, busy]).toEqual([
    { busy: false, process: null },
    { busy: true, process: 'sleep' },
  ])
})

test('hostile output neither breaks the screen nor reaches the clipboard or the shell’s input', async () => {
  const client = openClient()
  const hostile = [
    '\\033]52;c;ZXZpbA==\\007',
    '\\033]0;$(printf %05000d 1)\\007',
    '\\033[99999999999;99999999999H',
    '\\033P',
    '\\033[6n',
    '\\377\\376',
  ]
  const { id } = await client.open(
    sh(`printf '${hostile.join('')}'; head -c 200000 /dev/urandom; printf '\\033\\\\\\033c'; echo fine; read x`),
  )
  await until(() => client.text().includes('fine'), 'the end')
  const { screen } = await openClient().attach(id)
  expect(screen).toContain('fine')
})
