/** In Electron the app's own executable is the Node of everything in JavaScript: each way of starting such a thing, with an executable that opens a window otherwise. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { becomeApp, OPENED_A_WINDOW } from './base/app-executable.case.ts'
import { forgetNodeProgram, nodeProgram, outsideArchive } from './base/node-program.ts'
import { startAskProgram } from './git/ask/program.ts'
import { createLanguageRig } from './language/rig.case.ts'
import { nodeFork } from './supervise/fork.ts'
import { createShellEnvironment } from './supervise/machine/shell-environment.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'belay-node-program-'))
let app: ReturnType<typeof becomeApp>
beforeEach(() => {
  app = becomeApp()
})
afterEach(() => app.restore())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the executable is Node only where it is told so, and plain Node is told nothing', async () => {
  const { command, env } = nodeProgram()
  expect({ command, env }).toEqual({ command: app.executable, env: { ELECTRON_RUN_AS_NODE: '1' } })
  const asked = ['-p', 'process.versions.electron + " " + (process.execPath === process.argv0)']
  await expect(run(command, asked)).rejects.toMatchObject({ code: OPENED_A_WINDOW })
  expect((await run(command, asked, { env: { ...process.env, ...env } })).stdout).toMatch(/^45[.]5[.]0 /)
  app.restore()
  expect(nodeProgram()).toEqual({ command: process.execPath, env: {} })
})

test('a child of the supervisor runs, and can see to it that what it starts is no Node by accident', async () => {
  const file = join(folder, 'child.mjs')
  writeFileSync(file, 'process.send(process.env.ELECTRON_RUN_AS_NODE)\nprocess.disconnect()\n')
  const child = nodeFork({ sidecar: file, 'pty-host': file })('sidecar')
  const told = await new Promise((resolve, reject) => {
    child.onMessage(resolve)
    child.onExit(how => reject(new Error(how)))
  })
  expect(told).toBe('1')
  const env = { ELECTRON_RUN_AS_NODE: '1', PATH: '/bin' }
  forgetNodeProgram(env)
  expect(env).toEqual({ PATH: '/bin' })
})

test('a language server runs', async () => {
  const rig = await createLanguageRig()
  try {
    await rig.put('a.json', '{ "b": }')
    await expect.poll(async () => (await rig.verdict('a.json', '{ "b": }'))?.state, { timeout: 15_000 }).toBe('errors')
  } finally {
    await rig.end()
  }
})

test('what git asks is answered', async () => {
  const asks = await startAskProgram(join(folder, 'state'), async (token, prompt) => `${token}, ${prompt}`)
  try {
    const { GIT_ASKPASS: program = '', ...env } = asks.environment('token')
    const { stdout } = await run(program, ['Password:'], { env: { ...env, PATH: process.env.PATH } })
    expect(stdout).toBe('token, Password:\n')
  } finally {
    await asks.close()
  }
})

test('the login shell answers, and its environment is a terminal’s', async () => {
  const shell = createShellEnvironment({ env: { SHELL: '/bin/sh', HOME: folder, MINE: 'yes' }, fromTerminal: false })
  const env = await shell.get()
  await shell.end()
  expect(env).toMatchObject({ MINE: 'yes' })
  // A shell adds a PATH of its own: it was asked.
  expect(env.PATH).toBeTruthy()
  expect(env.ELECTRON_RUN_AS_NODE).toBeUndefined()
})

test('a file of the archive is looked for beside it, once', () => {
  const outside = (path: string) => outsideArchive(outsideArchive(path))
  expect(outside('/opt/Belay/resources/app.asar/node_modules/x/rg')).toBe(
    '/opt/Belay/resources/app.asar.unpacked/node_modules/x/rg',
  )
  expect(outside('C:\\B\\resources\\app.asar\\x.exe')).toBe('C:\\B\\resources\\app.asar.unpacked\\x.exe')
  expect(outside('/resources/app.asar')).toBe('/resources/app.asar.unpacked')
  for (const own of ['/home/ann/myapp.asar/x', '/home/ann/app.asarx/y', '/usr/lib/rg']) expect(outside(own)).toBe(own)
})

test('nothing starts JavaScript in another way', () => {
  const sources = ['sidecar', 'src-main', 'src-preload'].flatMap(room =>
    readdirSync(join(import.meta.dirname, '..', room), { recursive: true, encoding: 'utf8' }).map(file =>
      join(room, file),
    ),
  )
  const own = sources.sort().filter(file => /(?<![.](test|case))[.]ts$/.test(file))
  expect(own.length).toBeGreaterThan(300)
  const text = (file: string) => readFileSync(join(import.meta.dirname, '..', file), 'utf8')
  const found = (words: RegExp) => own.filter(file => words.test(text(file)))
  expect(found(/\bexecPath\b/)).toEqual([
    'sidecar/base/node-program.ts',
    'sidecar/supervise/fork.ts',
    // These name the app as an app: to be started anew, in a list of Windows, for a link.
    'src-main/menu/recent.ts',
    'src-main/open/link-claim.ts',
    'src-main/quit.ts',
  ])
  expect(found(/app\\?[.]asar/)).toEqual(['sidecar/base/node-program.ts'])
  // The other only takes it away.
  expect(found(/RUN_AS_NODE/)).toEqual([
    'sidecar/base/node-program.ts',
    'sidecar/supervise/machine/shell-environment.ts',
  ])
})
