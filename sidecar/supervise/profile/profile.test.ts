import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundled } from '../../base/bundled.case.ts'
import { type Folders, foldersOf } from '../../base/folders.ts'
import { PROFILE_VERSION } from '../../base/profile.ts'
import { openInstance } from '../instance.ts'
import { doubled } from './doubled.case.ts'
import { openProfile } from './open-profile.ts'
import { upgradesFolder } from './upgrade.ts'

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'belay-profile-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

const place = async () => foldersOf({ BELAY_HOME: await mkdtemp(join(root, 'home-')) })
const profileOf = async ({ data }: Folders) => JSON.parse(await readFile(join(data, 'profile.json'), 'utf8'))
const put = async (file: string, content: string) => {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
}

/** Every name, kind, mode and byte. */
async function hashOf(folder: string): Promise<string> {
  const hash = createHash('sha256')
  for (const each of (await readdir(folder, { recursive: true })).sort()) {
    const facts = await stat(join(folder, each))
    hash.update(`${each} ${facts.mode} ${facts.mtimeMs}\n`)
    if (facts.isFile()) hash.update(await readFile(join(folder, each)))
  }
  return hash.digest('hex')
}

test('a new profile is stamped, once; one of before there were versions too; a broken stamp is kept aside', async () => {
  const folders = await place()
  await openProfile(folders, '0.1.0')
  const first = await stat(join(folders.data, 'profile.json'))
  await openProfile(folders, '0.2.0')
  expect(await profileOf(folders)).toEqual({ version: PROFILE_VERSION, belay: '0.1.0' })
  expect((await stat(join(folders.data, 'profile.json'))).mtimeMs).toBe(first.mtimeMs)
  expect((await readdir(folders.data)).sort()).toEqual(['profile.json'])

  for (const broken of ['', '{"version', 'null', '{"version":"2"}', '{"version":-1}', '\0\0\0']) {
    const other = await place()
    await put(join(other.data, 'profile.json'), broken)
    await openProfile(other, '0.1.0')
    expect(await profileOf(other)).toEqual({ version: PROFILE_VERSION, belay: '0.1.0' })
    const [kept] = (await readdir(other.data)).filter(name => name.startsWith('profile.json.unreadable-'))
    expect(await readFile(join(other.data, kept ?? ''), 'utf8')).toBe(broken)
  }
})

test('a profile that a newer Belay made is refused in words, and not one byte of it is touched', async () => {
  const folders = await place()
  await put(join(folders.data, 'profile.json'), JSON.stringify({ version: 7, belay: '9.4.1', more: true }))
  await put(join(folders.data, 'trust.json'), 'in a form of its own')
  const before = await hashOf(dirname(folders.data))
  const words =
    /Belay 9\.4\.1 keeps .* newer form \(7\) than this Belay 0\.1\.0 .*Nothing was started and nothing was touched\. Start the newer Belay, or set BELAY_HOME/
  await expect(openProfile(folders, '0.1.0')).rejects.toMatchObject({
    code: 'unsupported',
    message: expect.stringMatching(words),
  })
  expect(await hashOf(dirname(folders.data))).toBe(before)
})

test.each([
  ['web', '0', '--no-open'],
  ['serve', '0'],
  ['run', 'x'],
  ['stream'],
  ['acp'],
  [],
  ['rules'],
  ['sandbox'],
  ['doctor'],
  ['run', 'x', '--attach'],
])('refused by every form: belay %s %s', async (...args) => {
  const folders = await place()
  await put(join(folders.data, 'profile.json'), JSON.stringify({ version: 7, belay: '9.4.1' }))
  const before = await hashOf(dirname(folders.data))
  const { code, said } = await start(dirname(folders.data), args)
  expect({ code, said }).toEqual({
    code: 1,
    said: expect.stringContaining('Nothing was started and nothing was touched'),
  })
  expect(await hashOf(dirname(folders.data))).toBe(before)
})

let belay = ''
beforeAll(async () => {
  // The command's own boot: what follows a refusal is never loaded, so nothing of it is bundled either.
  belay = await bundled('belay', `import './sidecar/entry/belay.ts'`, undefined, [])
}, 120_000)

async function start(home: string, args: string[]): Promise<{ code: number | null; said: string }> {
  const env = { PATH: process.env.PATH, HOME: root, BELAY_HOME: home }
  const running = spawn(process.execPath, [belay, ...args], {
    env,
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 15_000,
  })
  let said = ''
  for (const stream of [running.stdout, running.stderr]) stream.setEncoding('utf8').on('data', text => (said += text))
  return new Promise(resolve => running.once('close', code => resolve({ code, said })))
}

const COUNT = 8
const numbers = async ({ data }: Folders) =>
  Promise.all(
    (await readdir(join(data, 'numbers')))
      .filter(name => /^\d+$/.test(name))
      .sort()
      .map(name => readFile(join(data, 'numbers', name), 'utf8')),
  )
async function oldProfile(): Promise<Folders> {
  const folders = await place()
  for (let n = 0; n < COUNT; n++) await put(join(folders.data, 'numbers', String(n)), String(n))
  await put(join(folders.config, 'old.json'), 'old')
  return folders
}
const upgraded = (was: string[]) => was.map(each => `${2 * Number(each)}`)

test('an older profile is brought up to date, and what was there is kept beside it', async () => {
  const folders = await oldProfile()
  const was = await numbers(folders)
  await openProfile(folders, '0.2.0', { known: 2, through: [doubled] })
  expect(await numbers(folders)).toEqual(upgraded(was))
  expect(await readdir(folders.config)).toEqual(['new.json'])
  expect(await profileOf(folders)).toEqual({ version: 2, belay: '0.2.0' })
  const [kept = ''] = await readdir(upgradesFolder(folders))
  const { changes } = JSON.parse(await readFile(join(upgradesFolder(folders), kept, 'changes.json'), 'utf8'))
  expect(changes).toHaveLength(COUNT + 2)
  expect(await readFile(join(upgradesFolder(folders), kept, 'old', String(COUNT + 1)), 'utf8')).toBe('old')
  await openProfile(folders, '0.2.0', { known: 2, through: [doubled] })
  expect(await numbers(folders)).toEqual(upgraded(was))
  await expect(openProfile(folders, '0.1.0')).rejects.toMatchObject({ code: 'unsupported' })
})

test('nothing is brought up to date under a Belay that works on it', async () => {
  const folders = await oldProfile()
  const other = await openInstance({ stateDir: folders.state, kind: 'web', version: '0.1.0' })
  const was = await numbers(folders)
  await expect(openProfile(folders, '0.2.0', { known: 2, through: [doubled] })).rejects.toMatchObject({
    code: 'busy',
    message: expect.stringMatching(/Belay 0\.1\.0 \(process \d+\) works on it\. Nothing was touched/),
  })
  expect(await numbers(folders)).toEqual(was)
  await other.close()
})

test('killed at any moment and started again it is the old one or the new one, and no older Belay takes the half for the whole', {
  timeout: 60_000,
}, async () => {
  const victim = await bundled(
    'upgrade',
    `import { openProfile } from './sidecar/supervise/profile/open-profile.ts'
     import { doubled } from './sidecar/supervise/profile/doubled.case.ts'
     console.log('begins')
     await openProfile(JSON.parse(process.argv[2]), '0.2.0', { known: 2, through: [doubled] })`,
  )
  const run = async (folders: Folders, killAfterMs: number | null) => {
    const running = spawn(process.execPath, [victim, JSON.stringify(folders)], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = new Promise(resolve => running.once('close', resolve))
    await new Promise(resolve => running.stdout.once('data', resolve))
    const began = performance.now()
    if (killAfterMs !== null) setTimeout(() => running.kill('SIGKILL'), killAfterMs)
    await ended
    return performance.now() - began
  }
  const wholeMs = await run(await oldProfile(), null)
  const was = await numbers(await oldProfile())
  for (let round = 0; round < 14; round++) {
    const own = await oldProfile()
    await run(own, (wholeMs * round) / 12)
    const made = await profileOf(own).catch(() => null)
    if (made === null) expect(await numbers(own)).toEqual(was)
    else await expect(openProfile(own, '0.1.0', { known: 1 })).rejects.toMatchObject({ code: 'unsupported' })
    // As a kill between the two halves of a write leaves it.
    if (made?.version !== 2 || 'upgrading' in made)
      await writeFile(join(own.config, '.new.json.0123456789ab.tmp'), 'ne')
    await openProfile(own, '0.2.0', { known: 2, through: [doubled] })
    expect(await numbers(own)).toEqual(upgraded(was))
    expect(await readdir(own.config)).toEqual(['new.json'])
    expect(await profileOf(own)).toEqual({ version: 2, belay: '0.2.0' })
  }
})
