import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { CallId, SessionId, WorkspaceId } from '#contract/id'
import type { Action, Settled } from '../agent/ports.ts'
import { createAudit } from './audit.ts'

let folder: string
let now = Date.UTC(2026, 10, 30, 12)
beforeEach(async () => {
  now = Date.UTC(2026, 10, 30, 12)
  folder = join(await mkdtemp(join(tmpdir(), 'belay-audit-')), 'audit')
})
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }))

const make = (log = () => {}) => createAudit({ folder, log, folderOf: () => '/w', now: () => now })
const settled = (action: Action, more: Partial<Settled> = {}): Settled => ({
  request: { callId: CallId.parse('call_1'), tool: action.kind === 'command' ? 'bash' : 'write', action },
  authority: {
    sessionId: SessionId.parse('ses_1'),
    workspaceId: WorkspaceId.parse('wsp_1'),
    mode: 'default',
    rules: [],
    persona: null,
  },
  kind: 'decision',
  verdict: 'allow',
  by: 'rule',
  rule: 'allow bash(ls) [user]',
  reason: 'A rule allows it.',
  ...more,
})
const run = (command: string): Action => ({ kind: 'command', command, cwd: '/w', background: false, exact: command })

it('keeps each decision for the person alone, newest first, and never what was written', async () => {
  const audit = make()
  const heard: string[] = []
  audit.recorded.on(({ subject }) => heard.push(subject))
  audit.record(settled(run('ls')))
  now += 1
  audit.record(settled({ kind: 'write', path: '/w/a', creates: true, exact: 'THE CONTENT' }, { verdict: 'ask' }))
  now += 1
  audit.record(settled(run('ls'), { kind: 'answer', verdict: 'deny', by: 'person', reason: 'not now' }))
  const { entries, more } = await audit.find({ limit: 10 })
  expect(entries.map(({ kind, verdict, by, subject }) => [kind, verdict, by, subject].join(' '))).toEqual([
    'answer deny person ls',
    'decision ask rule /w/a',
    'decision allow rule ls',
  ])
  expect({ more, heard, text: JSON.stringify(entries).includes('THE CONTENT') }).toEqual({
    more: false,
    heard: ['ls', '/w/a', 'ls'],
    text: false,
  })
  const [name = ''] = await readdir(folder)
  if (process.platform !== 'win32') expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
})

it('is searched by all that it says, in pages, over days', async () => {
  const audit = make()
  for (let day = 0; day < 3; day++) {
    for (let i = 0; i < 3; i++) {
      audit.record(settled(run(`echo ${day}-${i}`), { verdict: i === 0 ? 'deny' : 'allow' }))
      now += 1000
    }
    await audit.settled()
    now += 86_400_000
  }
  const first = await audit.find({ limit: 4 })
  expect(first.entries.map(({ subject }) => subject)).toEqual(['echo 2-2', 'echo 2-1', 'echo 2-0', 'echo 1-2'])
  expect(first.more).toBe(true)
  const next = await audit.find({ limit: 100, before: first.entries.at(-1)?.at })
  expect(next.entries.map(({ subject }) => subject)).toEqual([
    'echo 1-1',
    'echo 1-0',
    'echo 0-2',
    'echo 0-1',
    'echo 0-0',
  ])
  expect((await audit.find({ limit: 9, verdict: 'deny' })).entries).toHaveLength(3)
  expect((await audit.find({ limit: 9, query: 'ECHO 1' })).entries).toHaveLength(3)
  expect((await audit.find({ limit: 9, folder: '/other' })).entries).toEqual([])
})

it('passes over lines that nobody can read, and cuts long subjects', async () => {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, '2026-11-30.jsonl'), '{"at": half\n\u0000\n{}\n')
  const audit = make()
  audit.record(settled(run('x'.repeat(5000))))
  const { entries } = await audit.find({ limit: 10 })
  expect(entries.map(({ subject }) => subject.length)).toEqual([2001])
})

it('forgets the oldest days, and a folder that cannot be written holds nobody up', async () => {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, '2026-01-01.jsonl'), '')
  await writeFile(join(folder, '2026-11-01.jsonl'), '')
  const audit = make()
  audit.record(settled(run('ls')))
  await audit.settled()
  await expect.poll(() => readdir(folder)).toEqual(['2026-11-01.jsonl', '2026-11-30.jsonl'])

  const said: string[] = []
  await rm(folder, { recursive: true })
  await writeFile(folder, 'a file stands here')
  const other = createAudit({ folder, log: (_, text) => said.push(text), folderOf: () => '', now: () => now })
  other.record(settled(run('ls')))
  await other.settled()
  await expect.poll(() => said).toContain('the record of decisions could not be written')
  await chmod(folder, 0o600)
})
