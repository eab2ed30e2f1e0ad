import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mountDisk } from '../../../e2e/fixtures/disk.ts'
import { processOf } from '../../base/process-info.ts'
import { createSecrets } from './secrets.ts'
import { createShellEnvironment } from './shell-environment.ts'
import { moveToTrash } from './trash.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'belay-machine-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('secrets: kept in a 0600 file, shared by instances, none lost when saved at once', async () => {
  const where = join(folder, 'secrets')
  const [a, b] = [
    createSecrets({ folder: where, instanceId: 'ins_a' }),
    createSecrets({ folder: where, instanceId: 'ins_b' }),
  ]
  await Promise.all(Array.from({ length: 10 }, (_, index) => (index % 2 ? a : b).set(`key${index}`, `value${index}`)))
  expect([await a.get('key3'), await b.get('key8'), await a.get('constructor')]).toEqual(['value3', 'value8', null])
  await a.set('key3', null)
  expect(await b.get('key3')).toBe(null)
  expect((await stat(join(where, 'secrets.json'))).mode & 0o777).toBe(0o600)
  expect((await stat(where)).mode & 0o777).toBe(0o700)
  expect(await readdir(where)).toEqual(['secrets.json'])
})

test('a broken secrets file is an empty one; a cipher seals what is written', async () => {
  const where = join(folder, 'sealed')
  await mkdir(where)
  await writeFile(join(where, 'secrets.json'), '{"a":')
  const cipher = {
    seal: (value: string) => Buffer.from(value).toString('base64'),
    open: (sealed: string) => Buffer.from(sealed, 'base64').toString(),
  }
  const secrets = createSecrets({ folder: where, instanceId: 'ins_a', cipher })
  expect(await secrets.get('a')).toBe(null)
  await secrets.set('a', 'plain words')
  expect(await secrets.get('a')).toBe('plain words')
  expect(await readFile(join(where, 'secrets.json'), 'utf8')).not.toContain('plain')
})

test.runIf(process.platform === 'linux')(
  'trash: names stay apart, the note leads back, links go as links',
  async () => {
    const env = { XDG_DATA_HOME: join(folder, 'share'), HOME: folder, PATH: '/nowhere' }
    const home = join(folder, 'work')
    await mkdir(home)
    for (const text of ['one', 'two']) {
      await writeFile(join(home, 'a b%.txt'), text)
      const place = await moveToTrash(join(home, 'a b%.txt'), env)
      expect(await readFile(place ?? '', 'utf8')).toBe(text)
    }
    await symlink('/no/such/target', join(home, 'dangling'))
    expect(await moveToTrash(join(home, 'dangling'), env)).toMatch(/Trash\/files\/dangling$/)
    const trash = join(folder, 'share', 'Trash')
    expect((await readdir(join(trash, 'files'))).sort()).toEqual(['a b%.2.txt', 'a b%.txt', 'dangling'])
    expect(await readFile(join(trash, 'files', 'a b%.2.txt'), 'utf8')).toBe('two')
    const note = await readFile(join(trash, 'info', 'a b%.txt.trashinfo'), 'utf8')
    expect(decodeURIComponent(/Path=(.*)/.exec(note)?.[1] ?? '')).toBe(join(home, 'a b%.txt'))
    expect(await readdir(home)).toEqual([])
    await expect(moveToTrash(join(home, 'gone'), env)).rejects.toMatchObject({ code: 'not_found' })
    await expect(moveToTrash('relative', env)).rejects.toMatchObject({ code: 'invalid' })
  },
)

test.runIf(process.platform === 'linux')('no trash to be had: said, and the file stays', async () => {
  const kept = join(folder, 'kept.txt')
  await writeFile(kept, 'x')
  await writeFile(join(folder, 'blocked'), 'not a folder')
  expect(await moveToTrash(kept, { XDG_DATA_HOME: join(folder, 'blocked'), HOME: folder })).toBe(null)
  expect(await readFile(kept, 'utf8')).toBe('x')
})

test.runIf(process.platform === 'linux')(
  'another disk has its own trash at its top, with paths from there',
  async () => {
    const top = join(folder, 'disk')
    const disk = mountDisk(top, '1m')
    try {
      await mkdir(join(top, 'in'))
      await writeFile(join(top, 'in', 'a.txt'), 'x')
      const trash = join(top, `.Trash-${process.getuid?.()}`)
      expect(await moveToTrash(join(top, 'in', 'a.txt'), { HOME: folder })).toBe(join(trash, 'files', 'a.txt'))
      expect(await readFile(join(trash, 'info', 'a.txt.trashinfo'), 'utf8')).toContain('Path=in/a.txt\n')
    } finally {
      disk.unmount()
    }
  },
)

async function fakeShell(name: string, body: string): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, `#!/bin/sh\n${body}\n`)
  await chmod(file, 0o755)
  return file
}

test.skipIf(process.platform === 'win32')(
  'login environment: read through noise; who wins depends on where Belay was started',
  async () => {
    const SHELL = await fakeShell('noisy', 'echo "welcome {}"; PATH="/login:$PATH" ONLY_LOGIN=yes exec /bin/sh -c "$4"')
    const env = { SHELL, PATH: process.env.PATH, HOME: folder, MINE: '1', SHLVL: '3' }
    const desktop = await createShellEnvironment({ env, fromTerminal: false }).get()
    expect(desktop).toMatchObject({ ONLY_LOGIN: 'yes', MINE: '1', PATH: `/login:${process.env.PATH}` })
    expect(Object.keys(desktop).filter(key => /BELAY_GROUP|ELECTRON|SHLVL/.test(key))).toEqual([])
    expect((await createShellEnvironment({ env, fromTerminal: true }).get()).PATH).toBe(process.env.PATH)
  },
)

test.skipIf(process.platform === 'win32')(
  'a shell that hangs or is not there: the own environment, in time',
  async () => {
    const hanging = await fakeShell('hanging', 'trap "" TERM; sleep 100')
    const before = Date.now()
    for (const SHELL of [hanging, '/no/such/shell', '/bin/false']) {
      const env = { SHELL, PATH: '/usr/bin:/bin', HOME: folder }
      expect(await createShellEnvironment({ env, fromTerminal: true, timeoutMs: 300 }).get()).toEqual(env)
    }
    expect(Date.now() - before).toBeLessThan(12_000)
  },
)

test.skipIf(process.platform === 'win32')(
  'who ends meanwhile leaves no shell behind, nor what it started',
  async () => {
    const pids = join(folder, 'pids')
    const SHELL = await fakeShell(
      'slow',
      `trap "" TERM; set -m; sleep 100 & echo $! > ${pids}.tmp; echo $$ >> ${pids}.tmp; mv ${pids}.tmp ${pids}; wait`,
    )
    const shell = createShellEnvironment({ env: { SHELL, PATH: '/usr/bin:/bin', HOME: folder }, fromTerminal: true })
    const answer = shell.get()
    const read = () => readFile(pids, 'utf8').catch(() => '')
    await expect.poll(read).not.toBe('')
    await shell.end()
    expect(await answer).toMatchObject({ SHELL })
    for (const pid of (await read()).trim().split('\n')) expect(await processOf(Number(pid))).toBe(null)
  },
)
