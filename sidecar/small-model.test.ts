/** Which model does what, with the real core and a model server: the chosen one talks, the small one does Belay's own small tasks. */
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Client } from '#contract/client'
import type { RequestId, RootId, WorkspaceId } from '#contract/id'
import type { BelayContract } from '#contract/index'
import type { SessionEvent } from '#contract/session-event'
import { openWindow, startCore } from './core.case.ts'
import type { Core } from './core.ts'
import { type Asked, type PlayedServer, startPlayedServer } from './model/server/server.case.ts'

const LONG = 'w'.repeat(3000)
const NOTES = '## Goal\nFive answers.'
let home: string
let folder: string
let server: PlayedServer
let core: Core
let client: Client<BelayContract>
let workspaceId: WorkspaceId
let rootId: RootId

/** What a request is for, by the words of it. */
const taskOf = ({ body }: Pick<Asked, 'body'>): 'title' | 'notes' | 'commit' | 'talk' =>
  body.includes('You name conversations')
    ? 'title'
    : body.includes('You write the notes')
      ? 'notes'
      : body.includes('commit-message') || /<changes \w+/.test(body)
        ? 'commit'
        : 'talk'
const answers = { title: '{"title":"A small talk"}', notes: NOTES, commit: 'Say two instead of one', talk: LONG }
const modelsFor = (task: ReturnType<typeof taskOf>) => [
  ...new Set(server.asked.filter(asked => taskOf(asked) === task).map(({ model }) => model)),
]

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'belay-small-')))
  folder = join(home, 'project')
  server = await startPlayedServer({ answer: asked => ({ said: [{ text: answers[taskOf(asked)] }] }) })
  await mkdir(folder)
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, env: { PATH: process.env.PATH, HOME: home }, timeout: 20_000 })
  await writeFile(join(home, '.gitconfig'), '[user]\n\tname = Tess\n\temail = tess@example.org\n')
  await writeFile(join(folder, 'a.txt'), 'one\n')
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-qm', 'first')
  await writeFile(join(folder, 'a.txt'), 'two\n')
  const provider = (id: string) => ({ id, baseUrl: server.baseUrl('openai-chat'), models: ['big', 'small'] })
  const settings = {
    'agent.providers': [provider('mine'), provider('other')],
    'agent.model': 'mine/big',
    'agent.smallModel': 'other/small',
  }
  await mkdir(join(home, 'belay/config'), { recursive: true })
  await mkdir(join(home, 'belay/data'), { recursive: true })
  await writeFile(join(home, 'belay/config/settings.json'), JSON.stringify(settings))
  await writeFile(join(home, 'belay/data/trust.json'), JSON.stringify({ folders: [folder] }))
  core = await startCore(home)
  client = await openWindow(core)
  const opened = await client.workspace.open({ folder })
  workspaceId = opened.workspaceId
  rootId = opened.roots[0]?.rootId as RootId
})
afterEach(async () => {
  await core.dispose()
  await server.close()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

/** Five turns, the notes of a compaction, the words of a commit; resolves when the title came too. */
async function work(): Promise<void> {
  const { sessionId } = await client.session.create({ workspaceId })
  await client.session.open({ sessionId })
  const seen: SessionEvent['type'][] = []
  let look = () => {}
  client.on('session/happened', batch => {
    seen.push(...batch.events.map(({ type }) => type))
    look()
  })
  const until = (type: SessionEvent['type'], count: number) =>
    new Promise<void>(resolve => {
      look = () => seen.filter(each => each === type).length >= count && resolve()
      look()
    })
  for (let n = 1; n <= 5; n++) {
    const parts = [{ kind: 'text' as const, text: `Prompt ${n}.` }]
    await client.session.prompt({ sessionId, requestId: crypto.randomUUID() as RequestId, parts })
    await until('turn.ended', n)
  }
  // The first words are a title at once; the model's comes behind it.
  await until('session.titled', 2)
  expect(await client.session.compact({ sessionId })).toEqual({ outcome: 'compacted' })
  expect(await client.git.writeMessage({ workspaceId, rootId })).toMatchObject({ ok: true, message: answers.commit })
}

it('title, notes and commit message are the small one’s', async () => {
  for (const provider of ['mine', 'other']) await client.model.consent({ provider })
  await work()
  expect((['talk', 'title', 'notes', 'commit'] as const).map(modelsFor)).toEqual([
    ['big'],
    ['small'],
    ['small'],
    ['small'],
  ])
})

it('without agreement to it nothing goes there: the chosen one does it all', async () => {
  await client.model.consent({ provider: 'mine' })
  await work()
  expect((['talk', 'title', 'notes', 'commit'] as const).flatMap(modelsFor)).toEqual(['big', 'big', 'big', 'big'])
})
