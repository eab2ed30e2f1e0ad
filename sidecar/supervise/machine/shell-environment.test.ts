import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { processOf } from '../../base/process-info.ts'
import { createShellEnvironment, type ShellEnvironment } from './shell-environment.ts'
import { questionFor } from './shell-question.ts'

let home = ''
const living: ShellEnvironment[] = []
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'belay-shell-'))
})
afterAll(async () => {
  await Promise.all(living.map(each => each.end()))
  await rm(home, { recursive: true, force: true })
})

async function fakeShell(name: string, body: string): Promise<string> {
  const file = join(home, name)
  await writeFile(file, `#!/bin/sh\n${body}\n`)
  await chmod(file, 0o755)
  return file
}
type Options = Partial<Parameters<typeof createShellEnvironment>[0]>
function asked(SHELL: string, { env, ...options }: Options = {}): ShellEnvironment {
  const shell = createShellEnvironment({
    env: { SHELL, PATH: '/usr/bin:/bin', HOME: home, ...env },
    fromTerminal: false,
    ...options,
  })
  living.push(shell)
  return shell
}
const answers = 'exec /bin/sh -c "$4"'
const unix = process.platform !== 'win32'

describe.runIf(unix)('a real login shell', () => {
  const files: Record<string, [file: string, line: (name: string, value: string) => string]> = {
    '/bin/bash': ['.bash_profile', (name, value) => `export ${name}='${value}'`],
    '/bin/dash': ['.profile', (name, value) => `export ${name}='${value}'`],
    '/usr/bin/zsh': ['.zprofile', (name, value) => `export ${name}='${value}'`],
    '/usr/bin/fish': ['.config/fish/config.fish', (name, value) => `set -x ${name} '${value}'`],
    '/usr/bin/tcsh': ['.tcshrc', (name, value) => `setenv ${name} '${value}'`],
  }
  it.each(Object.entries(files).filter(([shell]) => existsSync(shell)))(
    '%s has read its files, whatever they print and ask',
    async (shell, [file, line]) => {
      const own = await mkdtemp(join(home, 'of-'))
      const path = join(own, file)
      await mkdir(join(path, '..'), { recursive: true })
      const lines = [
        'echo "Welcome {} to this machine"',
        line('PATH', '/login/bin:/usr/bin:/bin'),
        line('TOLD', 'a "b" $c'),
      ]
      await writeFile(path, `${lines.join('\n')}\n`)
      const env = await asked(shell, { env: { HOME: own, XDG_CONFIG_HOME: join(own, '.config'), ZDOTDIR: own } }).get()
      expect(env).toMatchObject({ PATH: '/login/bin:/usr/bin:/bin', TOLD: 'a "b" $c', HOME: own })
    },
  )
})

test.runIf(unix)('read through noise; who wins depends on where Belay was started', async () => {
  const SHELL = await fakeShell(
    'noisy',
    `echo "welcome {}"; read -r never; PATH="/login:$PATH" LANG=login EVIL="a
b" ${answers}`,
  )
  const env = { MINE: '1', LANG: 'mine', SHLVL: '3' }
  const desktop = asked(SHELL, { env })
  expect(await desktop.get()).toMatchObject({ LANG: 'login', MINE: '1', PATH: '/login:/usr/bin:/bin', EVIL: 'a\nb' })
  expect(desktop.report).toMatchObject({ state: 'read', reason: null, path: '/login:/usr/bin:/bin' })
  const foreign = /BELAY_GROUP|BELAY_RESOLVING|ELECTRON|SHLVL/
  expect(Object.keys(await desktop.get()).filter(key => foreign.test(key))).toEqual([])
  expect(await asked(SHELL, { env, fromTerminal: true }).get()).toMatchObject({ LANG: 'mine', PATH: '/usr/bin:/bin' })
})

test.runIf(unix)('every way to fail: the own environment, in time, and the reason with what was said', async () => {
  const bodies = {
    late: 'trap "" TERM; echo "one moment" >&2; sleep 100',
    flood: 'yes "a banner without end"',
    ended: 'echo "no license" >&2; exit 1',
    unreadable: '/bin/sh -c "$4" | sed "s/{/[/"',
  }
  const shells = await Promise.all(Object.entries(bodies).map(([name, body]) => fakeShell(name, body)))
  const before = Date.now()
  const reports = await Promise.all(
    [...shells, '/no/such/shell', home].map(async SHELL => {
      const shell = asked(SHELL, { timeoutMs: 700 })
      expect(await shell.get()).toEqual({ SHELL, PATH: '/usr/bin:/bin', HOME: home })
      return [shell.report.state, shell.report.reason, shell.report.said.split('\n')[0]?.slice(0, 22)]
    }),
  )
  expect(reports).toEqual([
    ['failed', 'late', 'one moment'],
    ['failed', 'late', expect.stringMatching(/banner|without/)],
    ['failed', 'ended', 'no license'],
    ['failed', 'unreadable', expect.any(String)],
    ['failed', 'missing', '/no/such/shell could n'],
    ['failed', 'missing', expect.stringContaining(home.slice(0, 10))],
  ])
  expect(Date.now() - before).toBeLessThan(12_000)
})

test.runIf(unix)('once mended it is asked again, and who listens hears of it', async () => {
  const SHELL = await fakeShell('mended', 'exit 3')
  const shell = asked(SHELL)
  const told: string[] = []
  shell.changed.on(({ state }) => told.push(state))
  await shell.get()
  await fakeShell('mended', `NEW=1 ${answers}`)
  expect((await shell.get()).NEW).toBe(undefined)
  shell.askAgain()
  expect((await shell.get()).NEW).toBe('1')
  shell.askAgain()
  expect((await shell.get()).NEW).toBe('1')
  expect(told).toEqual(['asking', 'failed', 'unasked', 'asking', 'read'])
})

test.runIf(unix)(
  'what an answered shell left running lives as long as Belay; a shell that lingers keeps nobody waiting',
  async () => {
    const note = join(home, 'agent')
    const SHELL = await fakeShell('agent', `sleep 100 & AGENT=$! /bin/sh -c "$4"; echo $! > ${note}; sleep 100`)
    const shell = asked(SHELL)
    const { AGENT } = await shell.get()
    expect(await processOf(Number(AGENT))).not.toBe(null)
    await shell.end()
    expect(await processOf(Number(AGENT))).toBe(null)
  },
)

test.runIf(unix)('who ends meanwhile leaves no shell behind, nor what it started', async () => {
  const pids = join(home, 'pids')
  const SHELL = await fakeShell(
    'slow',
    `trap "" TERM; set -m; sleep 100 & echo $! > ${pids}.tmp; echo $$ >> ${pids}.tmp; mv ${pids}.tmp ${pids}; wait`,
  )
  const shell = asked(SHELL)
  const answer = shell.get()
  const read = () => readFile(pids, 'utf8').catch(() => '')
  await expect.poll(read).not.toBe('')
  await shell.end()
  expect(await answer).toMatchObject({ SHELL })
  for (const pid of (await read()).trim().split('\n')) expect(await processOf(Number(pid))).toBe(null)
})

test('Windows has no login shell: nothing is started', async () => {
  const shell = asked('C:\\no\\such.exe', { platform: 'win32' })
  expect(await shell.get()).toMatchObject({ PATH: '/usr/bin:/bin' })
  expect(shell.report.state).toBe('own')
})

test.each([
  ['/usr/bin/pwsh', ['-Login', '-Command'], "& '/opt/my ''app' -e"],
  ['/usr/bin/nu', ['-i', '-l', '-c'], "^'/opt/my 'app' -e"],
  ['/bin/tcsh', ['-ic'], "'/opt/my '\\''app' -e"],
  ['/usr/bin/fish', ['-i', '-l', '-c'], "'/opt/my \\'app' -e"],
  ['/opt/oddsh', ['-i', '-l', '-c'], "'/opt/my '\\''app' -e"],
])('%s is asked in its own way', (shell, options, begin) => {
  const { args, mark } = questionFor(shell, "/opt/my 'app")
  expect(args.slice(0, -1)).toEqual(options)
  expect(args.at(-1)?.startsWith(begin)).toBe(true)
  expect(args.join(' ')).not.toContain(mark)
})
