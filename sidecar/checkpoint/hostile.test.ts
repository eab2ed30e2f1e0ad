/** A person's repository is only ever read as files: nothing of git runs, nothing in `.git` changes, and bytes are what they are. */
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CallId, SessionId, TurnId } from '#contract/id'
import { fingerprint } from './fingerprint.case.ts'
import type { Author } from './ledger.ts'
import { defaultLimits } from './prune.ts'
import { type RunningStore, startStore } from './thread.ts'

let home = ''
let root = ''
let store: RunningStore

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'belay-hostile-'))
  root = join(home, 'root')
  await mkdir(root)
  store = startStore({
    ...{ root, folder: join(home, 'store'), instanceId: 'test', leaveOut: [] },
    ...{ leftOut: { allow: [], extra: [] }, limits: defaultLimits, onFull: () => {}, onLines: () => {} },
  })
})
afterEach(async () => {
  await store.shut()
  await rm(home, { recursive: true, force: true })
})

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'ignore' })
const command: Author = {
  by: 'agent',
  via: 'command',
  writer: { sessionId: SessionId.parse('ses_a'), turnId: TurnId.parse('trn_a'), callId: CallId.parse('call_a') },
}

test('hostile settings and attributes run nothing and change no byte; .git stays as it is', async () => {
  git('init', '-q')
  const ran = join(home, 'ran')
  const run = `sh -c 'touch ${ran}; cat'`
  for (const [key, value] of [
    ['core.fsmonitor', `touch ${ran}`],
    ['core.hooksPath', join(root, 'hooks')],
    ['core.autocrlf', 'true'],
    ['filter.evil.clean', run],
    ['filter.evil.smudge', run],
    ['filter.evil.process', run],
    ['diff.evil.textconv', run],
  ] as const)
    git('config', key, value)
  await writeFile(
    join(root, '.gitattributes'),
    '* filter=evil diff=evil text=auto eol=crlf ident working-tree-encoding=UTF-16\n',
  )
  await mkdir(join(root, 'hooks'))
  await writeFile(join(root, 'hooks', 'post-index-change'), `#!/bin/sh\ntouch ${ran}\n`)
  await chmod(join(root, 'hooks', 'post-index-change'), 0o755)
  const crlf = Buffer.from('one\r\ntwo\n$Id$\r\n')
  await writeFile(join(root, 'a.txt'), crlf)
  const before = await fingerprint(join(root, '.git'))

  await store.take()
  const bracket = await store.begin(command)
  await writeFile(join(root, 'a.txt'), 'new\n')
  const { files } = await store.finish(bracket, command, false)
  expect(files.map(({ path }) => path)).toEqual(['a.txt'])
  expect(Buffer.from(files[0]?.beforeBytes ?? [])).toEqual(crlf)
  await expect(stat(ran)).rejects.toThrow(/ENOENT/)
  expect(await fingerprint(join(root, '.git'))).toBe(before)
})

test('a nested repository is seen like any folder, and its .git is not', async () => {
  await mkdir(join(root, 'nested'))
  execFileSync('git', ['init', '-q'], { cwd: join(root, 'nested') })
  await writeFile(join(root, 'nested', 'a.txt'), 'one')
  await store.take()
  const bracket = await store.begin(command)
  await writeFile(join(root, 'nested', 'a.txt'), 'two')
  await writeFile(join(root, 'nested', '.git', 'config'), '[core]\n')
  const { files } = await store.finish(bracket, command, false)
  expect(files.map(({ path }) => path)).toEqual(['nested/a.txt'])
})

test('links are never followed, pipes never waited on, times that were set back do not hide a change', async () => {
  await mkdir(join(home, 'elsewhere'))
  await writeFile(join(home, 'elsewhere', 'secret'), 'secret')
  await symlink(join(home, 'elsewhere'), join(root, 'out'))
  await symlink('.', join(root, 'loop'))
  execFileSync('mkfifo', [join(root, 'pipe')])
  await writeFile(join(root, 'a.txt'), 'one')
  const old = new Date('2001-01-01')
  await utimes(join(root, 'a.txt'), old, old)
  const { id } = await store.take()
  const bracket = await store.begin(command)
  await writeFile(join(root, 'a.txt'), 'two')
  await utimes(join(root, 'a.txt'), old, old)
  await writeFile(join(home, 'elsewhere', 'secret'), 'changed')
  await store.finish(bracket, command, false)
  expect((await store.since(id))?.map(({ path }) => path)).toEqual(['a.txt'])
})

test('what is kept can be read by its person alone', async () => {
  await writeFile(join(root, '.env'), 'KEY=secret')
  await store.take()
  await store.rest()
  const entries = await readdir(join(home, 'store'), { recursive: true, withFileTypes: true })
  const bits = await Promise.all(
    [...entries.map(entry => join(entry.parentPath, entry.name)), join(home, 'store')].map(
      async at => (await stat(at)).mode & 0o077,
    ),
  )
  expect(new Set(bits)).toEqual(new Set([0]))
})
