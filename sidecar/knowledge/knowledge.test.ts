/** Notes and instructions as files: written by hand or by a window, told in the same bytes, never half, never without a person. */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { WorkspaceId } from '#contract/id'
import { MAX_MEMORY_CHARS } from '#contract/knowledge'
import type { ToolContext } from '../agent/ports.ts'
import { foldersOf } from '../base/folders.ts'
import { createKnowledge, type Knowledge } from './knowledge.ts'
import { MOST_TOLD_BYTES } from './memories.ts'

const workspaceId = WorkspaceId.parse('wsp_1')
const other = WorkspaceId.parse('wsp_2')
const context = { clientId: 'window', signal: new AbortController().signal }
let home: string
let knowledge: Knowledge
let changes: number

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'belay-knowledge-'))
  changes = 0
  knowledge = createKnowledge({
    folders: foldersOf({ BELAY_HOME: home }),
    log: () => {},
    instructionsOf: async () => ({ files: [], more: false }),
    addLine: async () => ({ rootId: 'root_1' as never, path: 'AGENTS.md' }),
  })
  knowledge.changed.on(() => changes++)
})
afterEach(async () => {
  knowledge.dispose()
  await rm(home, { recursive: true, force: true })
})
const remember = async (text: string, scope: 'user' | 'workspace' = 'user', name?: string) =>
  (await knowledge.handlers.remember({ scope, workspaceId, text, name }, context)).name
const list = async (id: WorkspaceId | undefined = workspaceId) =>
  (await knowledge.handlers.memories({ workspaceId: id }, context)).memories

it('keeps each note as a readable file outside of the folder, told in its scope alone', async () => {
  expect(await remember('Use pnpm, not npm.')).toBe('use-pnpm-not-npm')
  expect(await remember('Use pnpm: not npm!')).toBe('use-pnpm-not-npm-2')
  expect(await remember('用制表符缩进')).toBe('note')
  expect(await remember('The tests need a database.', 'workspace')).toBe('the-tests-need-a-database')
  expect(await readFile(join(home, 'config/memory/use-pnpm-not-npm.md'), 'utf8')).toBe('Use pnpm, not npm.\n')
  expect(await readdir(join(home, 'data/memory/wsp_1'))).toEqual(['the-tests-need-a-database.md'])
  expect((await list()).map(({ scope }) => scope).sort()).toEqual(['user', 'user', 'user', 'workspace'])
  expect(await list(other)).toHaveLength(3)
  const told = await knowledge.told(workspaceId)
  expect(told.memories).toEqual([
    { scope: 'user', text: '用制表符缩进' },
    { scope: 'user', text: 'Use pnpm, not npm.' },
    { scope: 'user', text: 'Use pnpm: not npm!' },
    { scope: 'workspace', text: 'The tests need a database.' },
  ])
  expect(changes).toBe(4)
})

it('changes what still reads as it was looked at, and brings back what was deleted', async () => {
  const name = await remember('Tabs.')
  const change = (before: string, text: string) =>
    knowledge.handlers.change({ scope: 'user', name, before, text }, context)
  await change('Tabs.', 'Tabs, always.')
  await expect(async () => change('Tabs.', 'Spaces.')).rejects.toMatchObject({ code: 'stale' })
  expect(await knowledge.handlers.forget({ scope: 'user', name }, context)).toEqual({ text: 'Tabs, always.' })
  expect(await list()).toEqual([])
  await expect(async () => knowledge.handlers.forget({ scope: 'user', name }, context)).rejects.toMatchObject({
    code: 'not_found',
  })
  expect(await remember('Tabs, always.', 'user', name)).toBe(name)
  await expect(remember('Something else.', 'user', name)).rejects.toMatchObject({ code: 'already_exists' })
})

it('reads what was written by hand, says what it cannot read, follows no link and writes to no other place', async () => {
  const folder = join(home, 'config/memory')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'My own words.md'), 'By hand.\n')
  await writeFile(join(folder, 'long.md'), 'x'.repeat(MAX_MEMORY_CHARS + 1))
  await writeFile(join(home, 'secret'), 'SECRET')
  await symlink(join(home, 'secret'), join(folder, 'link.md'))
  await writeFile(join(folder, 'empty.md'), ' \n')
  const { memories, problems } = await knowledge.handlers.memories({ workspaceId }, context)
  expect(memories.map(({ name, text }) => [name, text])).toEqual([['My own words', 'By hand.']])
  expect(problems.sort()).toEqual([
    'link.md: it is no plain file.',
    `long.md: it has more than ${MAX_MEMORY_CHARS} characters; write several notes.`,
  ])
  await expect(remember('x', 'user', '../../escaped')).rejects.toThrow()
  expect(await readdir(home)).toEqual(expect.not.arrayContaining(['escaped.md']))
})

it('tells the newest where all are too much', async () => {
  for (let i = 0; i < 6; i++) await remember(`${i} ${'x'.repeat(3990)}`)
  const told = (await list()).filter(memory => memory.told)
  expect(told.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(MOST_TOLD_BYTES)
  expect((await knowledge.told(workspaceId)).memories).toHaveLength(told.length)
  expect(told).toHaveLength(4)
})

it("keeps the person's own instructions, and cuts what is told of very long ones", async () => {
  const read = await knowledge.handlers.readOwn({}, context)
  expect(read).toEqual({ file: join(home, 'config/AGENTS.md'), text: '' })
  await knowledge.handlers.writeOwn({ before: '', text: '# Mine\nBe brief.\n' }, context)
  await expect(async () => knowledge.handlers.writeOwn({ before: '', text: 'Other.' }, context)).rejects.toMatchObject({
    code: 'stale',
  })
  expect((await knowledge.told(workspaceId)).own).toBe('# Mine\nBe brief.')
  await knowledge.handlers.writeOwn({ before: '# Mine\nBe brief.\n', text: 'é'.repeat(40_000) }, context)
  expect((await knowledge.told(workspaceId)).own).toMatch(/^é+\n\(cut after 32 KB\)$/)
  const { files } = await knowledge.handlers.instructions({}, context)
  expect(files).toMatchObject([{ kind: 'own', state: 'told', bytes: 80_000, mostBytes: 32 * 1024 }])
})

it('remembers for an agent by its tool alone, which says what it would keep and where', async () => {
  const at = { workspaceId } as ToolContext
  const note = { text: 'Deploys on Fridays are forbidden.', scope: 'workspace' }
  expect(await knowledge.tool.describe(note, at)).toEqual({
    ...{ kind: 'remember', where: join(home, 'data/memory/wsp_1'), exact: note.text },
  })
  expect(await list()).toEqual([])
  expect(await knowledge.tool.run(note, at)).toMatchObject({ failed: false, detail: { scope: 'workspace' } })
  expect((await list()).map(({ text }) => text)).toEqual([note.text])
})
