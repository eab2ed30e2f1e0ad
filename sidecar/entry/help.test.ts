/** Every subcommand says what it is for when asked, starts nothing for it, and refuses words that it does not know. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundle } from '../../scripts/bundle.mjs'

let belay: string
let home: string
beforeAll(async () => {
  belay = await bundle(fileURLToPath(new URL('belay.ts', import.meta.url)))
  home = await mkdtemp(join(tmpdir(), 'belay-help-'))
}, 60_000)
afterAll(async () => {
  await rm(home, { recursive: true, force: true })
  await rm(dirname(belay), { recursive: true, force: true })
})

const run = (...args: string[]) =>
  new Promise<{ code: unknown; out: string; err: string }>(resolve => {
    const env = { PATH: process.env.PATH, HOME: home, BELAY_HOME: join(home, 'belay') }
    execFile(process.execPath, [belay, ...args], { env, timeout: 30_000 }, (fault, out, err) =>
      resolve({ code: fault ? (fault.code ?? fault.signal) : 0, out, err }),
    )
  })

it('helps with each subcommand that “belay help” lists, and starts nothing', { timeout: 120_000 }, async () => {
  const { out } = await run('help')
  const names = [...out.matchAll(/^ {2}belay ([a-z]+)/gm)].map(([, name]) => name ?? '')
  expect(names).toEqual(expect.arrayContaining(['web', 'run', 'stream', 'acp', 'doctor', 'sandbox', 'completion']))
  for (const name of names) {
    const helped = await run(name, '--help')
    expect({ name, ...helped }).toMatchObject({ code: 0, err: '' })
    expect(helped.out).toContain(`belay ${name}`)
  }
  for (const name of ['doctor', 'acp']) expect(await run(name, '-h')).toEqual(await run(name, '--help'))
  expect(existsSync(join(home, 'belay'))).toBe(false)
})

it('refuses what it does not know, in words', { timeout: 60_000 }, async () => {
  expect(await run('doctor', 'here')).toMatchObject({ code: 1, err: expect.stringContaining('“here”') })
  expect(await run('completion', 'csh')).toMatchObject({ code: 1, err: expect.stringContaining('bash|zsh|fish') })
  expect(await run('sandbox', '--cwd')).toMatchObject({ code: 2, err: expect.stringContaining('--cwd') })
  expect(await run('dokter')).toMatchObject({ code: 1, err: expect.stringContaining('“belay doctor”') })
})
