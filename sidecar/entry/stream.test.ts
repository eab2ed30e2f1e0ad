/** `belay stream` as a program meets it: a real process, one JSON object a line, signals, and a reader that goes away. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundle } from '../../scripts/bundle.mjs'

let belay: string
let home: string
beforeAll(async () => {
  belay = await bundle(fileURLToPath(new URL('belay.ts', import.meta.url)))
  home = await mkdtemp(join(tmpdir(), 'belay-stream-'))
  await mkdir(join(home, 'project'))
}, 60_000)
afterAll(async () => {
  await rm(home, { recursive: true, force: true })
  await rm(dirname(belay), { recursive: true, force: true })
})

const user = (content: string) => `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`
const endless = user(`script:${JSON.stringify([[{ text: 'half' }, { delayMs: 600_000 }]])}`)

function start(...args: string[]) {
  const env = { PATH: process.env.PATH, BELAY_HOME: join(home, 'belay'), HOME: home }
  const all = [belay, 'stream', '--model', 'scripted/default', '--cwd', join(home, 'project'), ...args]
  const child = spawn(process.execPath, all, { env, stdio: 'pipe', timeout: 30_000 })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return { child, ended, next: async () => JSON.parse((await lines.next()).value ?? 'null') }
}

it('speaks in turns until stdin ends', { timeout: 40_000 }, async () => {
  const { child, ended, next } = start()
  expect(await next()).toMatchObject({ type: 'system', subtype: 'init', tools: expect.arrayContaining(['bash']) })
  child.stdin.write(user('one'))
  expect(await next()).toMatchObject({ type: 'result', result: 'You said: one' })
  child.stdin.write('{"type":"control_request","request_id":"r","request":{"subtype":"initialize"}}\n')
  expect(await next()).toMatchObject({ type: 'control_response', response: { subtype: 'success', request_id: 'r' } })
  child.stdin.end(user('two'))
  expect(await next()).toMatchObject({ type: 'result', result: expect.stringContaining('You said: two') })
  expect(await ended).toBe(0)
})

it('a signal ends the turn with its result; a reader that goes away ends everything', { timeout: 40_000 }, async () => {
  const signalled = start('--verbose')
  await signalled.next()
  signalled.child.stdin.write(endless)
  // What it said so far is told when the turn is stopped.
  signalled.child.stdin.write(
    '{"type":"control_request","request_id":"r","request":{"subtype":"set_permission_mode","mode":"plan"}}\n',
  )
  expect(await signalled.next()).toMatchObject({ type: 'control_response' })
  signalled.child.kill('SIGTERM')
  const after: { type: string }[] = []
  for (let line = await signalled.next(); line !== null; line = await signalled.next()) after.push(line)
  expect(after.at(-1)).toMatchObject({ type: 'result', is_error: true, interrupted: true })
  expect(await signalled.ended).toBe(143)

  const left = start('--verbose')
  await left.next()
  left.child.stdout.destroy()
  for (let round = 0; round < 3; round++) left.child.stdin.write(user('hello'))
  left.child.stdin.on('error', () => {})
  expect(await left.ended).not.toBeNull()
})
