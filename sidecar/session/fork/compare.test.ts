import { expect, it } from 'vitest'
import { type BlobId, CallId, ItemId, RootId, SessionId, TurnId } from '#contract/id'
import type { FileWrite } from '#contract/session-event'
import { emptySession } from '#contract/session-fold'
import type { ToolItem } from '#contract/session-state'
import { type ComparedSession, compare, compareFile } from './compare.ts'
import { looksLikeTests, testRuns } from './test-runs.ts'

const home = RootId.parse('root_home')
const sources = { rootIdOf: () => home }
const hash = (letter: string) => letter.repeat(64)
const blob = (letter: string) => `blb_${hash(letter)}` as BlobId
const write = (
  path: string,
  before: string | null,
  after: string | null,
  more: Partial<FileWrite> = {},
): FileWrite => ({
  ...{ path: { rootId: home, path }, before: before && hash(before), after: after && hash(after), by: 'agent' },
  ...{ added: 2, removed: 1, beforeBlob: before ? blob(before) : null, afterBlob: after ? blob(after) : null, ...more },
})
const call = (id: string, parent: string | null, files: FileWrite[], more: Partial<ToolItem> = {}): ToolItem => ({
  ...{ kind: 'tool', id: ItemId.parse(`itm_${id}`), parentId: parent === null ? null : ItemId.parse(`itm_${parent}`) },
  ...{ turnId: TurnId.parse('trn_1'), at: 1, callId: CallId.parse(`call_${id}`), parentCallId: null, tool: 'bash' },
  ...{ arguments: '', startedAt: 1, state: 'done', preview: null, files, lsp: [], durationMs: 5, detail: {}, ...more },
})
const contents: Record<string, Uint8Array> = {
  [blob('a')]: Buffer.from('a text'),
  [blob('b')]: Buffer.from('b text'),
  [blob('0')]: Buffer.from([0, 1]),
  [blob('f')]: Buffer.alloc(5_000_001, 'x'),
}
const session = (name: string, items: ToolItem[], there: Record<string, string> | null = null): ComparedSession => {
  const state = emptySession(SessionId.parse(`ses_${name}`))
  for (const item of items) state.items.set(item.id, item)
  state.path = items.map(item => item.id)
  state.facts = { ...state.facts, roots: ['/w'] }
  const read = async (path: string) => there && Object.hasOwn(there, path) && Buffer.from(there[path] ?? '')
  return {
    ...{ state, title: name, readBlob: async id => contents[id] ?? null },
    read: async path => (there === null ? undefined : (await read(path)) || null),
  }
}
const shared = call('0', null, [write('shared', null, 'a')])

it('what both have in common counts for neither; where one did not write, it has what the other found', async () => {
  const a = session('a', [
    shared,
    call('a', '0', [write('both', 'a', 'b'), write('same', 'a', 'b'), write('mine', null, 'a')]),
  ])
  const b = session('b', [shared, call('b', '0', [write('both', 'a', null), write('same', 'a', 'b')])])
  const compared = await compare(a, b, sources)
  expect(compared.ancestor).toBe('itm_0')
  expect(compared.a).toMatchObject({ items: 1, changed: { files: 3, added: 6, removed: 3 } })
  expect(compared.files).toEqual([
    {
      ...{ root: '', path: 'both', a: { hash: hash('b'), written: true, from: 'log', kept: true } },
      b: { hash: null, written: true, from: 'log', kept: false },
    },
    {
      ...{ root: '', path: 'mine', a: { hash: hash('a'), written: true, from: 'log', kept: true } },
      b: { hash: null, written: false, from: 'log', kept: false },
    },
  ])
  expect(await compareFile(a, b, { root: '', path: 'both' }, sources)).toEqual({
    a: { kind: 'text', text: 'b text' },
    b: { kind: 'absent' },
  })
})

it('a worktree speaks for its branch, but for other roots', async () => {
  const elsewhere = { rootId: RootId.parse('root_other'), path: 'x' }
  const wrote = [write('x', 'a', 'b'), write('', 'a', 'b', { path: elsewhere })]
  const a = session('a', [shared, call('a', '0', wrote)], { x: 'by hand' })
  const b = session('b', [shared])
  const compared = await compare(a, b, sources)
  expect(compared.files.map(({ root, path, a, b }) => [root, path, a.from, b.from])).toEqual([
    ['', 'x', 'folder', 'log'],
    ['root_other', 'x', 'log', 'log'],
  ])
  expect(await compareFile(a, b, { root: '', path: 'x' }, sources)).toEqual({
    a: { kind: 'text', text: 'by hand' },
    b: { kind: 'text', text: 'a text' },
  })
})

it('says why a side cannot be shown; what no branch wrote is never read', async () => {
  const a = session('a', [call('a', null, [write('binary', '0', 'f'), write('lost', 'c', 'd', { beforeBlob: null })])])
  const b = session('b', [], { secret: 'secret' })
  const kinds = async (path: string) => {
    const both = await compareFile(a, b, { root: '', path }, sources)
    return [both.a.kind, both.b.kind]
  }
  expect(await kinds('binary')).toEqual(['large', 'absent'])
  expect(await kinds('lost')).toEqual(['not_kept', 'absent'])
  expect(await kinds('secret')).toEqual(['absent', 'absent'])
  const plain = session('b', [])
  expect((await compareFile(a, plain, { root: '', path: 'binary' }, sources)).b.kind).toBe('binary')
  expect((await compareFile(a, plain, { root: '', path: 'lost' }, sources)).b.kind).toBe('not_kept')
})

it('runs of tests are known by their command lines, wherever they ran', () => {
  for (const command of [
    'npm test',
    'npx vitest run x',
    'CI=1 npm run test:unit',
    'go test ./...',
    'a && pytest -q',
    'make check',
    './gradlew test',
  ])
    expect(looksLikeTests(command), command).toBe(true)
  for (const command of [
    'cat test.txt',
    'ls tests',
    'git add test',
    'npm run build',
    'rm -rf test && ls',
    'echo latest',
    'cd test',
  ])
    expect(looksLikeTests(command), command).toBe(false)
  const ran = (id: string, command: string, detail: object, state: ToolItem['state'] = 'done') =>
    call(id, null, [], { started: { command }, detail: { ...detail }, state })
  const runs = testRuns([
    ran('1', 'npm test', { exitCode: 1 }, 'failed'),
    ran('2', 'cd /w/tree && npm  test', { exitCode: 0 }),
    ran('3', 'pytest', {}, 'stopped'),
    ran('4', 'ls', { exitCode: 0 }),
    call('5', null, [], { started: 'npm test', tool: 'bash' }),
  ])
  expect([...runs].map(([command, run]) => [command, run.itemId, run.outcome])).toEqual([
    ['npm test', 'itm_2', 'passed'],
    ['pytest', 'itm_3', 'unknown'],
  ])
})
