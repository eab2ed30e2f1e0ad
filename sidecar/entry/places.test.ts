/** Where Belay may be told to live and cannot, or can although it looks odd: every form says so in words, or works. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Disk, mountDisk } from '../../e2e/fixtures/disk.ts'
import { processesOf } from '../../e2e/fixtures/processes.ts'
import { bundled } from '../base/bundled.case.ts'
import { foldersOf } from '../base/folders.ts'
import { refuseUnusableProfile } from '../supervise/profile/usable-profile.ts'

const NOBODY = 65_534
let root = ''
/** The built command with children that do nothing, and a copy that another user may look into. */
let own = ''
let everybodys = ''
const disks: Disk[] = []
const started: ChildProcess[] = []
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'belay-places-')))
  await chmod(root, 0o755)
  const cache = join(import.meta.dirname, '../../.cache')
  await mkdir(cache, { recursive: true })
  own = await mkdtemp(join(cache, 'places-'))
  await mkdir(join(own, 'renderer'))
  await writeFile(join(own, 'renderer', 'index.html'), '<title>Belay</title>')
  const external = ['@vscode/ripgrep', '@anthropic-ai/sandbox-runtime']
  await bundled('belay', `import './sidecar/entry/belay.ts'`, join(own, 'main'), external)
  const child = `process.once('message', () => process.send({ kind: 'ready' }))
    process.once('disconnect', () => process.exit())`
  for (const name of ['sidecar', 'pty-host']) await writeFile(join(own, 'main', `${name}.js`), child)
  everybodys = join(root, 'out')
  await cp(own, everybodys, { recursive: true })
  await chmod(everybodys, 0o755)
}, 120_000)
afterEach(() => {
  for (const each of started.splice(0)) each.kill('SIGKILL')
})
afterAll(async () => {
  for (const each of disks) each.unmount()
  await rm(own, { recursive: true, force: true })
  await rm(root, { recursive: true, force: true, maxRetries: 5 })
})

interface Start {
  readonly child: ChildProcess
  readonly ended: Promise<{ code: number | null; said: string }>
  said(): string
}
function start(env: Record<string, string>, args: string[], uid?: number): Start {
  const out = uid === undefined ? own : everybodys
  const child = spawn(process.execPath, [join(out, 'main', 'belay.mjs'), ...args], {
    env: { PATH: process.env.PATH, PLACE: root, ...env },
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 20_000,
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  started.push(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      said += text
    })
  const ended = new Promise<{ code: number | null; said: string }>(resolve =>
    child.once('close', code => resolve({ code, said })),
  )
  return { child, ended, said: () => said }
}

/** What a start has in its environment there, and as whom it runs. */
type Place = () => Promise<{ env: Record<string, string>; uid?: number; names: string }>

const bad: Record<string, Place> = {
  'on a disk that is mounted for reading alone': async () => {
    const home = join(root, 'read-only')
    const disk = mountDisk(home, '1m')
    disks.push(disk)
    disk.readOnly(true)
    return { env: { HOME: root, BELAY_HOME: home }, names: home }
  },
  'on a full disk': async () => {
    const home = join(root, 'full')
    const disk = mountDisk(home, '64k')
    disks.push(disk)
    disk.fill()
    return { env: { HOME: root, BELAY_HOME: home }, names: home }
  },
  'that is a file': async () => {
    await writeFile(join(root, 'file'), 'mine')
    return { env: { HOME: root, BELAY_HOME: join(root, 'file') }, names: join(root, 'file') }
  },
  'in a home that is a file': async () => {
    await writeFile(join(root, 'home-file'), 'mine')
    return { env: { HOME: join(root, 'home-file') }, names: join(root, 'home-file') }
  },
  'in a home that is not there and cannot be made': async () => ({
    env: { HOME: '/proc/nowhere' },
    names: '/proc/nowhere',
  }),
  'of somebody else': async () => {
    const home = join(root, 'theirs')
    await mkdir(join(home, 'data'), { recursive: true, mode: 0o700 })
    await chmod(home, 0o700)
    return { env: { HOME: root, BELAY_HOME: home }, uid: NOBODY, names: home }
  },
  'of a user who has no home': async () => ({ env: {}, uid: 54_321, names: 'This user has no home folder here' }),
}
const faces = [['web', '0', '--no-open'], ['run', 'x'], ['stream'], ['acp'], ['--plain'], ['rules'], ['sandbox']]

test.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0).each(Object.entries(bad))(
  'a profile %s: every form says so and ends, and nothing of it is left',
  async (_which, place) => {
    const { env, uid, names } = await place()
    // What has a core looks for programs of ours beside it, where another user may not.
    const all = uid === undefined ? faces : faces.slice(0, 1)
    const outcomes = await Promise.all(all.map(async args => ({ args, ...(await start(env, args, uid).ended) })))
    for (const { args, code, said } of outcomes) {
      expect({ args, code }).toEqual({ args, code: 1 })
      expect(said, args.join(' ')).toContain(names)
      expect(said, args.join(' ')).toContain('Nothing was started')
      expect(said, args.join(' ')).not.toMatch(/\n\s+at /)
    }
    await expect.poll(() => processesOf(`PLACE=${root}`), { timeout: 5000 }).toEqual([])
    if (uid === undefined) {
      const folders = foldersOf(env)
      expect(() => refuseUnusableProfile(folders, '0')).toThrow(/cannot write to .*Nothing was started/)
    }
  },
  60_000,
)

const LINK = /http:\/\/127\.0\.0\.1:\d+\/\?t=[\w-]+/

async function startsTwice(env: Record<string, string>, folder: string, uid?: number): Promise<void> {
  const first = start(env, ['web', '0', folder, '--no-open'], uid)
  await expect.poll(first.said, { timeout: 20_000 }).toMatch(LINK)
  const second = await start(env, ['web', '0', folder, '--no-open'], uid).ended
  expect(second).toEqual({ code: 0, said: expect.stringMatching(/^Belay runs already;.*\n$/) })
  const elsewhere = await start(env, ['web', folder, '--no-open', '--host', '::1'], uid).ended
  expect(elsewhere.said).toMatch(/^Belay runs already \(where it listens and whom it lets in stay as they are/)
  first.child.kill('SIGINT')
  expect((await first.ended).code).toBe(130)
}

test.skipIf(process.platform === 'win32')(
  'a profile and a folder with spaces, emoji, quotes and 300 characters: starts, is found by a second start, ends',
  async () => {
    const odd = `a place 🧗 with “quotes” 'and' $HOME "more" ${'x'.repeat(120)}`
    const home = join(root, odd, odd)
    const folder = join(root, 'code', odd, odd)
    await mkdir(home, { recursive: true })
    await mkdir(folder, { recursive: true })
    expect(Buffer.byteLength(home)).toBeGreaterThan(300)
    await startsTwice({ HOME: root, BELAY_HOME: home }, folder)
    expect(await readdir(join(home, 'state', 'instances'))).toEqual([])
    expect(JSON.parse(await readFile(join(home, 'data', 'profile.json'), 'utf8')).version).toBe(1)
  },
  60_000,
)

test.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
  'two users at the same time, their profiles closed to each other and too long for a socket: neither meets the other',
  async () => {
    const long = 'y'.repeat(150)
    const of = async (name: string, uid: number) => {
      const home = join(root, name, long)
      await mkdir(home, { recursive: true })
      for (const each of [join(root, name), home]) {
        await chown(each, uid, uid)
        await chmod(each, 0o700)
      }
      return { HOME: join(root, name), BELAY_HOME: home, TMPDIR: '/tmp' }
    }
    const [one, other] = [await of('one', 0), await of('other', NOBODY)]
    await Promise.all([startsTwice(one, root), startsTwice(other, root, NOBODY)])
    expect((await stat(join('/tmp', `belay-${NOBODY}`))).mode & 0o777).toBe(0o700)
    expect((await stat(join(other.BELAY_HOME, 'data'))).uid).toBe(NOBODY)
    // Somebody who took the other's name for it in the folder of all does not get a socket.
    await rm(join('/tmp', `belay-${NOBODY}`), { recursive: true })
    await mkdir(join('/tmp', `belay-${NOBODY}`), { mode: 0o777 })
    try {
      const { code, said } = await start(other, ['web', '0', '--no-open'], NOBODY).ended
      expect({ code, said }).toEqual({
        code: 1,
        said: expect.stringMatching(/belongs to someone else.*set BELAY_HOME/),
      })
    } finally {
      await rm(join('/tmp', `belay-${NOBODY}`), { recursive: true })
    }
    await expect.poll(() => processesOf(`PLACE=${root}`), { timeout: 5000 }).toEqual([])
  },
  60_000,
)
