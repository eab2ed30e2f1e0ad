/** Forks over the real core, its tools, git, log and disk: branches in one folder and in worktrees of their own, side by side. */
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Client } from '#contract/client'
import type { ItemId, RequestId, SessionId, WorkspaceId } from '#contract/id'
import type { BelayContract } from '#contract/index'
import type { SessionSnapshot } from '#contract/session-state'
import { openWindow, startCore } from './core.case.ts'
import type { Core } from './core.ts'

let home: string
let folder: string
let core: Core
let client: Client<BelayContract>
let workspaceId: WorkspaceId
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', args, { cwd, env: { PATH: process.env.PATH, HOME: home }, encoding: 'utf8', timeout: 20_000 })

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'belay-forks-')))
  folder = join(home, 'project')
  await mkdir(folder)
  await writeFile(join(home, '.gitconfig'), '[user]\n\tname = Tess\n\temail = tess@example.org\n')
  git(folder, 'init', '-q', '-b', 'main')
  await writeFile(join(folder, 'a.txt'), 'one\n')
  git(folder, 'add', '.')
  git(folder, 'commit', '-qm', 'first')
  await mkdir(join(home, 'belay/data'), { recursive: true })
  await writeFile(join(home, 'belay/data/trust.json'), JSON.stringify({ folders: [folder] }))
  core = await startCore(home)
  client = await openWindow(core)
  ;({ workspaceId } = await client.workspace.open({ folder }))
})
afterEach(async () => {
  await core.dispose()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

type Act = { call: string; arguments: Record<string, unknown> } | { text: string }
const write = (path: string, content: string): Act => ({ call: 'write', arguments: { path, content } })
const read = (path: string): Act => ({ call: 'read', arguments: { path } })
const run = (command: string): Act => ({ call: 'bash', arguments: { command, description: 'run' } })
const id = () => crypto.randomUUID() as RequestId

const create = async () =>
  (await client.session.create({ workspaceId, mode: 'auto', model: 'scripted/default', title: 'Router' })).sessionId

/** Answers with what stands in the session after it; whatever is asked is allowed. */
async function turn(sessionId: SessionId, ...acts: Act[]): Promise<SessionSnapshot> {
  await client.session.open({ sessionId })
  const ended = new Promise<void>(resolve => {
    const forget = client.on('session/happened', batch => {
      if (batch.sessionId !== sessionId) return
      for (const event of batch.events) {
        if (event.type !== 'permission.asked') continue
        const answers = event.calls.map(({ callId }) => ({ callId, verdict: 'allow', remember: 'once' }) as const)
        void client.session.answerPermission({ sessionId, batchId: event.batchId, answers })
      }
      if (!batch.events.some(event => event.type === 'turn.ended')) return
      forget()
      resolve()
    })
  })
  const text = `script:${JSON.stringify([...acts.map(act => [act]), [{ text: 'done' }]])}`
  await client.session.prompt({ sessionId, requestId: id(), parts: [{ kind: 'text', text }], whenRunning: 'queue' })
  await ended
  return client.session.open({ sessionId })
}
const last = ({ items }: SessionSnapshot): ItemId => items.at(-1)?.id as ItemId
const at = (file: string, where = folder) => readFile(join(where, file), 'utf8')

it('a fork in a worktree has the files as they stood at its message, works there, and is compared with its parent', async () => {
  const parent = await create()
  await writeFile(join(folder, 'persons.txt'), 'written by hand')
  const first = last(await turn(parent, read('a.txt'), write('a.txt', 'two\n'), write('new.txt', 'new\n')))
  await writeFile(join(folder, 'persons.txt'), 'changed later')
  await turn(parent, read('a.txt'), write('a.txt', 'three\n'), run('exit 3 # npm test'))
  const before = await client.session.export({ sessionId: parent })

  const requestId = id()
  const wish = { sessionId: parent, atItemId: first, requestId, worktree: { branch: 'other' } }
  const [fork, again] = await Promise.all([client.session.fork(wish), client.session.fork(wish)])
  expect(again.sessionId).toBe(fork.sessionId)
  expect(await client.session.fork(wish)).toMatchObject({ sessionId: fork.sessionId, folder: fork.folder })
  expect(fork).toMatchObject({
    moved: null,
    atItemId: first,
    notBrought: [],
    folder: join(home, 'project-worktrees/other'),
  })
  expect(await at('a.txt', fork.folder)).toBe('two\n')
  expect(await at('new.txt', fork.folder)).toBe('new\n')
  expect(await at('persons.txt', fork.folder)).toBe('written by hand')
  expect(await at('a.txt')).toBe('three\n')

  const place = await client.workspace.open({ folder: fork.folder })
  expect(place).toMatchObject({ workspaceId: fork.workspaceId, trusted: true })
  // What the parent may do was given to it alone.
  expect((await client.session.open({ sessionId: fork.sessionId })).facts.mode).toBe('default')
  await client.session.setMode({ sessionId: fork.sessionId, mode: 'auto' })
  const branch = await turn(fork.sessionId, read('a.txt'), write('a.txt', 'other\n'), run('true # npm test'))
  expect(branch.facts).toMatchObject({ title: 'Router (fork)', forkedFrom: { sessionId: parent, home: folder } })
  const asked = branch.items.findLast(item => item.kind === 'message' && item.role === 'user')
  expect(JSON.stringify([asked, branch.turns.at(-1)?.note])).toContain(`Paths under ${folder}`)
  expect([await at('a.txt', fork.folder), await at('a.txt')]).toEqual(['other\n', 'three\n'])
  expect(await client.session.export({ sessionId: parent })).toEqual(before)

  const compared = await client.session.compare({ a: parent, b: fork.sessionId })
  expect(compared).toMatchObject({
    ...{ ancestor: first, more: 0 },
    a: { title: 'Router', turns: 1, changed: { files: 1 } },
    b: { title: 'Router (fork)', turns: 1, folder: fork.folder, changed: { files: 1 } },
    files: [{ root: '', path: 'a.txt', a: { from: 'log', written: true }, b: { from: 'folder', written: true } }],
  })
  expect(compared.tests.map(({ command, a, b }) => [command, a?.outcome, b?.outcome])).toEqual([
    ['exit 3 # npm test', 'failed', undefined],
    ['true # npm test', undefined, 'passed'],
  ])
  expect(await client.session.compareFile({ a: parent, b: fork.sessionId, root: '', path: 'a.txt' })).toEqual({
    a: { kind: 'text', text: 'three\n' },
    b: { kind: 'text', text: 'other\n' },
  })

  const listed = async (branches: boolean) => (await client.session.list({ workspaceId, branches })).sessions
  expect((await listed(false)).map(each => each.sessionId)).toEqual([parent])
  expect(await listed(true)).toMatchObject([
    { sessionId: fork.sessionId, forkedFrom: { sessionId: parent, atItemId: first }, changed: { files: 1, added: 1 } },
    { sessionId: parent, forkedFrom: null, changed: { files: 2 } },
  ])
  const kept = await client.session.removeWorktree({ sessionId: fork.sessionId })
  expect(kept).toMatchObject({
    removed: false,
    worktree: { title: 'Router (fork)', left: { files: expect.arrayContaining(['a.txt']) } },
  })
  await client.session.delete({ sessionId: fork.sessionId })
  expect(await client.session.worktrees({ home: folder })).toMatchObject({
    worktrees: [{ title: null, state: 'here', folder: fork.folder }],
  })
  expect(await at('a.txt', fork.folder)).toBe('other\n')
}, 120_000)

it('a worktree has the files of the last commit where that is wanted; without git, or without a way back, there is no fork', async () => {
  const parent = await create()
  const snapshot = await turn(parent, read('a.txt'), write('a.txt', 'two\n'))
  const at1 = { sessionId: parent, atItemId: last(snapshot) }
  const head = await client.session.fork({ ...at1, requestId: id(), worktree: { files: 'head' } })
  expect([await at('a.txt', head.folder), head.notBrought]).toEqual(['one\n', []])
  // Before anything was done: what the turn began with.
  const before = await client.session.fork({ sessionId: parent, atItemId: null, requestId: id(), worktree: {} })
  expect(await at('a.txt', before.folder)).toBe('one\n')
  const fork = (worktree: object) => client.session.fork({ ...at1, requestId: id(), worktree })
  await expect(fork({ branch: 'main' })).rejects.toMatchObject({
    message: expect.stringContaining('Nothing was forked'),
  })
  await rm(join(folder, '.git'), { recursive: true })
  await expect(fork({})).rejects.toMatchObject({ code: 'not_found' })
  const { sessions } = await client.session.list({ workspaceId, branches: true })
  expect(sessions).toHaveLength(3)
  // Both stand on the ledger still, and are told as what they are now.
  const { worktrees } = await client.session.worktrees({ home: folder })
  expect(worktrees.map(({ state, left }) => [state, left])).toEqual([
    ['foreign', null],
    ['foreign', null],
  ])
  for (const { sessionId } of worktrees)
    expect((await client.session.removeWorktree({ sessionId })).removed).toBe(false)
}, 120_000)

it('forks in one folder part at once, and see nothing of each other; the parent may go', async () => {
  const parent = await create()
  const first = last(await turn(parent, read('a.txt'), write('a.txt', 'two\n'), { text: 'A' }))
  const fork = await client.session.fork({ sessionId: parent, atItemId: first, requestId: id() })
  expect(fork).toMatchObject({ workspaceId, folder })
  const inParent = await turn(parent, write('b.txt', 'in parent'), { text: 'B' })
  await client.session.delete({ sessionId: parent })
  await client.session.setMode({ sessionId: fork.sessionId, mode: 'auto' })
  const inFork = await turn(fork.sessionId, write('c.txt', 'in fork'), { text: 'C' })
  const ids = new Set(inFork.items.map(item => item.id))
  expect(inParent.items.filter(item => ids.has(item.id)).at(-1)?.id).toBe(first)
  const { text } = await client.session.export({ sessionId: fork.sessionId, format: 'markdown' })
  expect(text).toContain('c.txt')
  expect(text).not.toContain('b.txt')
  const usage = await client.session.usage({ days: 1 })
  expect(usage.rows.map(row => [row.sessionId, row.turns])).toEqual([[fork.sessionId, 1]])
}, 120_000)

it('what is imported is read, reviewed without harm, forked and gone on with like any', async () => {
  const parent = await create()
  await turn(parent, read('a.txt'), write('a.txt', 'two\n'))
  const { text } = await client.session.export({ sessionId: parent, blobs: true })
  const got = await client.session.import({ workspaceId, fileName: 'talk.jsonl', text })
  expect(got).toMatchObject({ skipped: 0, missingBlobs: 0 })
  const { items, facts } = await client.session.open({ sessionId: got.sessionId })
  expect(facts).toMatchObject({ imported: { sessionId: parent, fileName: 'talk.jsonl' }, mode: 'default', rules: [] })
  const tool = items.findLast(item => item.kind === 'tool')
  const path = tool?.kind === 'tool' ? tool.files[0]?.path : undefined
  if (!tool || !path) throw new Error('no write was imported')
  await expect(client.session.revertWrite({ sessionId: got.sessionId, itemId: tool.id, path })).rejects.toThrow()
  const scope = { kind: 'session', sessionId: got.sessionId } as const
  expect(await client.review.revert({ workspaceId, scope, choices: null })).toMatchObject({ files: 0 })
  expect(await at('a.txt')).toBe('two\n')
  await client.session.setMode({ sessionId: got.sessionId, mode: 'auto' })
  await client.session.setModel({ sessionId: got.sessionId, model: 'scripted/default', effort: 'auto' })
  await turn(got.sessionId, write('d.txt', 'goes on'))
  const reviewed = (await client.review.list({ workspaceId, scope })).files.map(file => file.path.path)
  expect(reviewed).toEqual(['d.txt'])
  const fork = await client.session.fork({ sessionId: got.sessionId, atItemId: tool.id, requestId: id() })
  expect((await client.session.open({ sessionId: fork.sessionId })).items.at(-1)?.id).toBe(tool.id)
}, 120_000)
