import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CallId, ItemId, SessionId, TurnId } from '#contract/id'
import type { SessionEventDraft } from '#contract/session-event'
import { noUsage, type SessionState } from '#contract/session-fold'
import { bundle } from '../../../scripts/bundle.mjs'
import { filesOf, formingFolder } from '../files.ts'
import { createSessionStore } from '../store.ts'
import { emptyForming } from './form.ts'

const KILLS = process.env.BELAY_DEEP ? 60 : 8

let child: string
let folder: string
beforeAll(async () => {
  child = await bundle(fileURLToPath(new URL('forking.case.ts', import.meta.url)))
  folder = await mkdtemp(join(tmpdir(), 'belay-fork-kill-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await rm(dirname(child), { recursive: true, force: true })
})

const newStore = () => createSessionStore({ folder, log: () => {}, instanceId: 'ins_test', describeInstance: 'test' })
const turnId = TurnId.parse('trn_1')
const callId = CallId.parse('call_1')
const producer = { engine: 'belay', model: 'guide/guide', account: null, effort: 'auto' } as const
const inner = SessionId.parse('ses_child')

/** With an output, and the work of a sub-agent. */
async function parentOf(): Promise<SessionId> {
  const store = newStore()
  const parent = await store.create({ roots: ['/w'], title: 'Router', mode: 'default', producer })
  const blobId = await parent.blob(Buffer.alloc(20_000, 'x'))
  const said = (n: number, words: string): SessionEventDraft => ({
    ...{ type: 'message.added', id: ItemId.parse(`itm_${n}`), parentId: n === 1 ? null : ItemId.parse(`itm_${n - 1}`) },
    ...{ turnId, role: 'user', origin: 'user', text: words, attachments: [], requestId: null },
  })
  await parent.append({ type: 'turn.started', turnId, mode: 'default', producer })
  for (let n = 1; n <= 30; n++) await parent.append(said(n, 'x'.repeat(n * 100)))
  const asked = { id: ItemId.parse('itm_31'), parentId: ItemId.parse('itm_30'), turnId, callId, parentCallId: null }
  await parent.append(
    { type: 'tool.requested', ...asked, tool: 'task', arguments: '{}' },
    { type: 'subagent.started', callId, sessionId: inner, agent: 'explore', description: 'look' },
  )
  const up = { sessionId: parent.sessionId, callId, agent: 'explore' }
  const own = { roots: ['/w'], title: 'look', mode: 'default', producer } as const
  const work = await store.create({ ...own, roots: ['/w'], child: { sessionId: inner, parent: up } })
  await work.append(said(1, 'look'))
  await work.close()
  await parent.append(
    { type: 'subagent.ended', callId, sessionId: inner, outcome: 'done', usage: noUsage, cost: null },
    {
      ...{ type: 'tool.ended', callId, outcome: 'done', files: [], lsp: [], durationMs: 0, detail: {} },
      preview: { text: 'x', bytes: 20_000, truncated: true, blobId },
    },
    { type: 'turn.ended', turnId, outcome: 'done', usage: noUsage, cost: null, error: null },
  )
  await parent.close()
  await store.dispose()
  return parent.sessionId
}

/** Ended without a warning a while after it has begun its `begun`th piece of work. Answers what it said was done. */
async function workAndKill(args: string[], begun: number): Promise<string[]> {
  const running = spawn(process.execPath, [child, folder, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const deadline = setTimeout(() => running.kill('SIGKILL'), 60_000)
  let [text, faults] = ['', '']
  running.stderr.setEncoding('utf8').on('data', piece => {
    faults += piece
  })
  running.stdout.setEncoding('utf8').on('data', piece => {
    text += piece
    if (text.split('begun').length > begun) setTimeout(() => running.kill('SIGKILL'), Math.random() * 25)
  })
  await new Promise(resolve => running.on('close', resolve))
  clearTimeout(deadline)
  expect(faults).toBe('')
  return [...text.matchAll(/^done (\S+)$/gm)].map(([, id]) => id ?? '')
}

const shape = ({ path, items }: SessionState) =>
  path.flatMap(id => items.get(id) ?? []).map(item => (item.kind === 'message' ? item.text.length : item.kind))

describe('SIGKILL', () => {
  it(`while forking and importing leaves all of it or nothing, ${2 * KILLS} times`, {
    timeout: process.env.BELAY_DEEP ? 1_800_000 : 300_000,
  }, async () => {
    const parent = await parentOf()
    const log = await readFile(filesOf(folder, parent).log)
    const store = newStore()
    const file = join(folder, 'talk.txt')
    await writeFile(file, (await store.exportLog(parent, { blobs: true })).text)
    await store.dispose()
    const done: string[] = []
    for (let kill = 0; kill < KILLS; kill++) {
      done.push(...(await workAndKill(['fork', parent, 'itm_31'], 1 + (kill % 3))))
      done.push(...(await workAndKill(['import', file], 1 + (kill % 3))))
    }
    expect(done.length).toBeGreaterThan(KILLS / 2)
    const after = newStore()
    const listed = (await after.list({})).map(({ sessionId }) => sessionId)
    expect(listed).toEqual(expect.arrayContaining(done))
    for (const id of listed) {
      const session = await after.open(id)
      expect(session.damaged).toBe(0)
      expect(shape(session.state)).toEqual([...Array.from({ length: 30 }, (_, n) => (n + 1) * 100), 'tool'])
      const tool = [...session.state.items.values()].at(-1)
      const [work] = tool?.kind === 'tool' ? (tool.subagents ?? []) : []
      const blobId = tool?.kind === 'tool' ? tool.preview?.blobId : null
      expect((blobId && (await session.readBlob(blobId)))?.length).toBe(20_000)
      await session.close()
      const inside = await after.open(work?.sessionId as SessionId)
      expect(shape(inside.state)).toEqual([4])
      await inside.close()
    }
    expect((await readFile(filesOf(folder, parent).log)).equals(log)).toBe(true)
    await after.dispose()
    await emptyForming(folder, Date.now() + 2 * 86_400_000)
    expect(await readdir(formingFolder(folder))).toEqual([])
  })

  it('a disk that takes nothing leaves nothing either, and says so', async () => {
    const own = await mkdtemp(join(tmpdir(), 'belay-fork-full-'))
    const store = createSessionStore({ folder: own, log: () => {}, instanceId: 'ins_test', describeInstance: 'test' })
    const parent = await store.create({ roots: ['/w'], title: 'Router', mode: 'default', producer })
    await writeFile(formingFolder(own), 'no folder')
    const wish = { sessionId: SessionId.parse('ses_new'), atItemId: null, roots: ['/w'], mode: 'default' } as const
    await expect(store.fork(parent.sessionId, { ...wish, roots: ['/w'] })).rejects.toMatchObject({
      message: expect.stringContaining('could not be written'),
    })
    const { text } = await store.exportLog(parent.sessionId)
    const taken = store.import({ text, fileName: 'x', roots: ['/w'], mode: 'default', producer })
    await expect(taken).rejects.toMatchObject({ message: expect.stringContaining('could not be written') })
    expect((await store.list({})).map(({ sessionId }) => sessionId)).toEqual([parent.sessionId])
    await parent.close()
    await store.dispose()
    await rm(own, { recursive: true, force: true })
  })
})
