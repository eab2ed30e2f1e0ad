/** `belay acp` as an editor starts it: a real process on stdin and stdout, real tools in a real folder, and nothing left behind. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { client, ndJsonStream, type SessionUpdate } from '@agentclientprotocol/sdk'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundle } from '../../scripts/bundle.mjs'

let belay: string
let home: string
let folder: string
beforeAll(async () => {
  belay = await bundle(fileURLToPath(new URL('belay.ts', import.meta.url)))
  home = await mkdtemp(join(tmpdir(), 'belay-acp-'))
  folder = join(home, 'project')
  await mkdir(folder)
  await writeFile(join(folder, 'a.txt'), 'one\n')
}, 60_000)
afterAll(async () => {
  await rm(home, { recursive: true, force: true })
  await rm(dirname(belay), { recursive: true, force: true })
})

function start() {
  const env = { PATH: process.env.PATH, BELAY_HOME: join(home, 'belay'), HOME: home }
  const child = spawn(process.execPath, [belay, 'acp', '--model', 'scripted/default'], { env, timeout: 40_000 })
  return {
    child,
    ended: once(child, 'close').then(([code]) => code as number | null),
    /** The protocol on it; for a client that speaks it. */
    get stream() {
      return ndJsonStream(
        Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
        Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
      )
    },
  }
}

it('edits a file after asking, shows its diff, and ends with stdin', { timeout: 60_000 }, async () => {
  const { child, ended, stream } = start()
  const said: SessionUpdate[] = []
  await client({ name: 'editor' })
    .onNotification('session/update', ({ params }) => void said.push(params.update))
    .onRequest('session/request_permission', () => ({ outcome: { outcome: 'selected', optionId: 'once' } }))
    .connectWith(stream, async agent => {
      await agent.request('initialize', { protocolVersion: 1 })
      const { sessionId } = await agent.request('session/new', { cwd: folder, mcpServers: [] })
      const steps = [
        [{ call: 'read', arguments: { path: 'a.txt' } }],
        [{ call: 'edit', arguments: { path: 'a.txt', edits: [{ old: 'one', new: 'two' }] } }],
        [{ text: 'Done.' }],
      ]
      const prompt = [{ type: 'text' as const, text: `script:${JSON.stringify(steps)}` }]
      expect(await agent.request('session/prompt', { sessionId, prompt })).toEqual({ stopReason: 'end_turn' })
    })
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('two\n')
  expect(said).toContainEqual(
    expect.objectContaining({
      status: 'completed',
      content: [{ type: 'diff', path: join(folder, 'a.txt'), oldText: 'one\n', newText: 'two\n' }],
    }),
  )
  child.stdin.end()
  expect(await ended).toBe(0)
})

it('sees what is unsaved in the client’s own editor, and edits on top of it', { timeout: 60_000 }, async () => {
  const { child, ended, stream } = start()
  const file = join(folder, 'b.txt')
  await writeFile(file, 'first\r\nsecond\r\n')
  await writeFile(join(folder, 'latin.txt'), Buffer.from([0x63, 0x61, 0x66, 0xe9]))
  const buffers = new Map([[file, 'first\nsecond, unsaved\n']])
  const written: string[] = []
  const said: SessionUpdate[] = []
  await client({ name: 'editor' })
    .onNotification('session/update', ({ params }) => void said.push(params.update))
    .onRequest('session/request_permission', () => ({ outcome: { outcome: 'selected', optionId: 'once' } }))
    .onRequest('fs/read_text_file', async ({ params: { path } }) => {
      const content = buffers.get(path)
      if (content !== undefined) return { content }
      // An editor shows what it cannot decode as something else.
      return { content: (await readFile(path, 'utf8')).replaceAll('\ufffd', '?') }
    })
    .onRequest('fs/write_text_file', async ({ params: { path, content } }) => {
      written.push(path)
      buffers.delete(path)
      await writeFile(path, content)
      return {}
    })
    .connectWith(stream, async agent => {
      const clientCapabilities = { fs: { readTextFile: true, writeTextFile: true } }
      await agent.request('initialize', { protocolVersion: 1, clientCapabilities })
      const { sessionId } = await agent.request('session/new', { cwd: folder, mcpServers: [] })
      const steps = [
        [
          { call: 'read', arguments: { path: 'b.txt' } },
          { call: 'read', arguments: { path: 'a.txt' } },
          { call: 'read', arguments: { path: 'latin.txt' } },
        ],
        [{ call: 'edit', arguments: { path: 'b.txt', edits: [{ old: 'second, unsaved', new: 'third' }] } }],
        [{ text: 'Done.' }],
      ]
      const prompt = [{ type: 'text' as const, text: `script:${JSON.stringify(steps)}` }]
      expect(await agent.request('session/prompt', { sessionId, prompt })).toEqual({ stopReason: 'end_turn' })
    })
  expect(JSON.stringify(said)).toContain('second, unsaved')
  // Once, when it was first touched; what is not UTF-8 is left alone.
  expect(written).toEqual([file])
  expect(await readFile(file, 'utf8')).toBe('first\r\nthird\r\n')
  child.stdin.end()
  expect(await ended).toBe(0)
})

it('an editor that is behind the disk is not saved over it, and one that does not answer holds nothing up', {
  timeout: 60_000,
}, async () => {
  const { child, ended, stream } = start()
  const file = join(folder, 'behind.txt')
  await writeFile(file, 'one\n')
  await writeFile(join(folder, 'silent.txt'), 'one\n')
  const written: string[] = []
  let asked = 0
  await client({ name: 'editor' })
    .onRequest('session/request_permission', () => ({ outcome: { outcome: 'selected', optionId: 'once' } }))
    // It shows for ever what it opened first, as one does that does not look at the disk by itself.
    .onRequest('fs/read_text_file', ({ params: { path } }) => {
      if (path.endsWith('behind.txt')) return { content: 'one\n' }
      asked += 1
      return new Promise<never>(() => {})
    })
    .onRequest('fs/write_text_file', ({ params: { path } }) => {
      written.push(path)
      return {}
    })
    .connectWith(stream, async agent => {
      const clientCapabilities = { fs: { readTextFile: true, writeTextFile: true } }
      await agent.request('initialize', { protocolVersion: 1, clientCapabilities })
      const { sessionId } = await agent.request('session/new', { cwd: folder, mcpServers: [] })
      const edit = (path: string, old: string, now: string) => [
        { call: 'edit', arguments: { path, edits: [{ old, new: now }] } },
      ]
      const turns = [
        [
          [{ call: 'read', arguments: { path: 'behind.txt' } }],
          edit('behind.txt', 'one', 'two'),
          edit('behind.txt', 'two', 'three'),
        ],
        [edit('behind.txt', 'three', 'four')],
        [
          [{ call: 'bash', arguments: { command: 'echo two > fresh.txt' } }],
          [{ call: 'read', arguments: { path: 'fresh.txt' } }],
        ],
        [[{ call: 'read', arguments: { path: 'silent.txt' } }], edit('silent.txt', 'one', 'two')],
      ]
      for (const steps of turns) {
        const prompt = [{ type: 'text' as const, text: `script:${JSON.stringify([...steps, [{ text: 'Done.' }]])}` }]
        expect(await agent.request('session/prompt', { sessionId, prompt })).toEqual({ stopReason: 'end_turn' })
      }
    })
  expect(written).toEqual([])
  expect(await readFile(file, 'utf8')).toBe('four\n')
  expect(await readFile(join(folder, 'silent.txt'), 'utf8')).toBe('two\n')
  expect(asked).toBe(1)
  child.stdin.end()
  expect(await ended).toBe(0)
})

it('answers bad lines with errors and goes on; a client that vanishes mid-turn leaves nothing running', {
  timeout: 60_000,
}, async () => {
  const { child, ended } = start()
  let output = ''
  child.stdout.on('data', piece => {
    output += piece
  })
  const lines = () =>
    output
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
  const until = async (fits: (line: { id?: unknown; error?: unknown }) => boolean) => {
    while (!lines().some(fits)) await once(child.stdout, 'data')
    return lines().find(fits)
  }
  child.stdin.write('not json\n')
  expect(await until(({ error }) => error !== undefined)).toMatchObject({ error: { code: -32700 } })
  child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}\n')
  await until(({ id }) => id === 1)
  child.stdin.write('{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"nobody","prompt":[]}}\n')
  expect(await until(({ id }) => id === 2)).toMatchObject({ error: { code: -32002 } })
  child.stdin.write(
    `${JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'session/new', params: { cwd: folder, mcpServers: [] } })}\n`,
  )
  const { sessionId } = (await until(({ id }) => id === 3)).result
  const text = `script:${JSON.stringify([[{ text: 'half' }, { delayMs: 600_000 }]])}`
  const params = { sessionId, prompt: [{ type: 'text', text }] }
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 4, method: 'session/prompt', params })}\n`)
  while (!output.includes('half')) await once(child.stdout, 'data')
  child.stdin.destroy()
  expect(await ended).toBe(0)
})
