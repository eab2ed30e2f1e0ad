/** Every small file of a profile, broken in every way: Belay starts without it, says which, and keeps what was there to the byte. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, readlinkSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RootId, SessionId } from '#contract/id'
import { foldersOf } from './base/folders.ts'
import { openWindow, startCore } from './core.case.ts'
import { createSecrets } from './supervise/machine/secrets.ts'
import { openProfile } from './supervise/profile/open-profile.ts'

let root = ''
const home = () => join(root, 'home')
const code = () => join(home(), 'code')
const profile = () => join(home(), 'belay')
const folders = () => foldersOf({ BELAY_HOME: profile() })
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'belay-unreadable-'))
  await live()
  await cp(home(), join(root, 'whole'), { recursive: true })
}, 60_000)
afterAll(() => rm(root, { recursive: true, force: true }))

const secrets = () => createSecrets({ folder: folders().data, instanceId: 'ins_test' })

/** One life in which every one of the files comes to be. */
async function live(): Promise<void> {
  await mkdir(code(), { recursive: true })
  await mkdir(join(home(), 'more'))
  await writeFile(join(code(), 'latin.txt'), Buffer.from('caf\xe9\n', 'latin1'))
  await writeFile(join(code(), 'note.txt'), 'start')
  await openProfile(folders(), '0.1.0')
  await secrets().set('openai', 'the key')
  const core = await startCore(home())
  const client = await openWindow(core)
  const { workspaceId, roots } = await client.workspace.open({ folder: code() })
  const rootId = roots[0]?.rootId as RootId
  await client.workspace.addRoot({ workspaceId, folder: join(home(), 'more') })
  await client.workspace.trust({ workspaceId, trusted: true })
  await client.workspace.saveView({ workspaceId, view: '{"tabs":[]}' })
  await client.model.consent({ provider: 'anthropic' })
  await client.settings.set({ scope: 'user', key: 'agent.maxTurns', value: 7 })
  await client.settings.setKeymap({ keymap: [{ key: 'F9', command: 'app.palette' }] })
  const rule = { tool: 'bash', verdict: 'deny', pattern: null, priority: 0 } as const
  for (const scope of ['user', 'here'] as const) await client.permission.addRule({ scope, workspaceId, rule })
  const latin = await client.document.open({ workspaceId, path: { rootId, path: 'latin.txt' } })
  await client.document.setEncoding({ documentId: latin.state.documentId, encoding: 'latin1', reopen: true })
  const { state } = await client.document.open({ workspaceId, path: { rootId, path: 'note.txt' } })
  const change = { from: 0, to: 0, text: 'precious ' }
  await client.document.change({ documentId: state.documentId, baseVersion: state.version, changes: [change] })
  const { sessionId } = await client.session.create({ workspaceId, title: 'A talk' })
  await client.session.pin({ sessionId, pinned: true })
  await core.dispose()
  await writeFile(join(folders().data, 'homes.json'), '{"moved":[]}')
  await mkdir(folders().cache, { recursive: true })
  await writeFile(join(folders().cache, 'models.json'), '{}')
}

/** Of a path inside the profile: what becomes of it where it cannot be read. */
const becomes = (path: string) => {
  if (/^config\/(settings|keymap|rules)\.json$|^data\/rules\//.test(path)) return 'left'
  if (/\.meta\.json$|^cache\/|\.jsonl$|^state\//.test(path)) return 'made anew'
  return 'kept'
}

const ways: Record<string, (file: string) => Promise<void>> = {
  empty: file => truncate(file, 0),
  torn: async file => truncate(file, Math.max(1, Math.floor((await stat(file)).size / 2))),
  'not text': file => writeFile(file, Buffer.from([0, 0xff, 0xfe, 0x80, 0x7b, 0, 0xc3])),
  'of another shape': file => writeFile(file, '[1, { "folders": [{ "folder": null }], "__proto__": 3 }]'),
  'a bare number': file => writeFile(file, '5'),
  huge: file => truncate(file, 1_500_000_000),
  'a folder': async file => {
    await rm(file)
    await mkdir(join(file, 'inside'), { recursive: true })
  },
  'a ring of links': async file => {
    await rm(file)
    await symlink(file, file)
  },
  'a pipe': async file => {
    await rm(file)
    spawnSync('mkfifo', [file])
  },
}

/** What stands there, without following it. */
function shapeOf(file: string): string {
  const facts = lstatSync(file)
  if (facts.isSymbolicLink()) return `link ${readlinkSync(file)}`
  if (!facts.isFile()) return `mode ${facts.mode}`
  const bytes = facts.size > 1_000_000 ? '' : readFileSync(file)
  return `${facts.size} ${createHash('sha256').update(bytes).digest('hex')}`
}

const filesIn = async () =>
  (await readdir(profile(), { recursive: true, withFileTypes: true }))
    .filter(each => each.isFile() && /\.json$|\.unsaved$/.test(each.name))
    .map(each => relative(profile(), join(each.parentPath, each.name)))
    .sort()

test.each(Object.entries(ways))('each of them %s: a core starts, tells, keeps', async (_way, harm) => {
  await rm(home(), { recursive: true, force: true })
  await cp(join(root, 'whole'), home(), { recursive: true })
  const files = await filesIn()
  expect(files.filter(each => becomes(each) === 'kept').length).toBeGreaterThanOrEqual(9)
  for (const each of files) await harm(join(profile(), each))
  const harmed = new Map(files.map(each => [each, shapeOf(join(profile(), each))]))

  await openProfile(folders(), '0.1.0')
  expect((await secrets().get('openai')).value).toBe(null)
  const core = await startCore(home())
  try {
    const client = await openWindow(core)
    const found: string[] = []
    client.on('settings/foundUnreadable', ({ file }) => found.push(relative(profile(), file)))
    const { workspaceId, trusted, roots } = await client.workspace.open({ folder: code() })
    expect([trusted, roots.length]).toEqual([false, 1])
    expect((await client.workspace.loadView({ workspaceId })).view).toBe(null)
    expect((await client.workspace.recent({})).folders.map(({ folder }) => folder)).toEqual([code()])
    const { values } = await client.settings.get({})
    expect(values.find(({ key }) => key === 'agent.maxTurns')?.scope).toBe('default')
    expect(
      (await client.model.list({ refresh: false })).providers.find(each => each.provider === 'anthropic')?.consented,
    ).toBe(false)
    const { verdict } = await client.permission.explain({ workspaceId, mode: 'default', tool: 'bash', subject: 'ls' })
    expect(verdict).not.toBe('allow')
    const { sessions } = await client.session.list({ workspaceId })
    expect(sessions.map(({ title, pinned }) => [title, pinned])).toEqual([['A talk', false]])
    const latin = await client.document.open({
      workspaceId,
      path: { rootId: roots[0]?.rootId as RootId, path: 'latin.txt' },
    })
    expect(latin.text).not.toBe('')
    const note = await client.document.open({
      workspaceId,
      path: { rootId: roots[0]?.rootId as RootId, path: 'note.txt' },
    })
    expect(note.text).toBe('start')
    // What is decided from now on is written, and not over what was there.
    await client.workspace.trust({ workspaceId, trusted: true })
    await client.workspace.saveView({ workspaceId, view: '{"tabs":[1]}' })
    await client.session.pin({ sessionId: sessions[0]?.sessionId as SessionId, pinned: true })
    await client.model.consent({ provider: 'anthropic' })
    await secrets().set('openai', 'another key')

    const told = new Map(
      (await client.settings.unreadable({})).files.map(each => [relative(profile(), each.file), each.kept]),
    )
    for (const each of files) {
      const how = becomes(each)
      if (how === 'made anew') continue
      const kept = told.get(each)
      if (how === 'left') expect(shapeOf(join(profile(), each)), each).toBe(harmed.get(each))
      else expect(kept && shapeOf(kept), each).toBe(harmed.get(each))
    }
    expect([...told.keys()].filter(each => !files.includes(each))).toEqual([])
    expect(found.length).toBeGreaterThan(0)
  } finally {
    await core.dispose()
  }
  expect((await secrets().get('openai')).value).toBe('another key')
})
