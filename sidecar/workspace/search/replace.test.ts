/** Search and replace as a person meets them, on a real folder: what was shown is what is written, and one undo takes it back. */
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DocumentId, type WorkspaceId } from '#contract/id'
import { fillIn, type Replacement } from '#contract/replacement'
import type { SearchMatch } from '#contract/workspace'
import { foldersOf } from '../../base/folders.ts'
import { createWorkspaces, type Workspaces } from '../service.ts'

const signal = new AbortController().signal
const me = { clientId: 'me', signal }
let base = ''
let folder = ''
let all: Workspaces
let workspaceId: WorkspaceId
let matches: SearchMatch[] = []

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'belay-replace-')))
  folder = join(base, 'work')
  await mkdir(join(folder, 'sub'), { recursive: true })
  all = createWorkspaces({ folders: foldersOf({ BELAY_HOME: join(base, 'belay') }), log: () => {}, env: process.env })
  const { info } = await all.open(folder, { trust: 'full' })
  workspaceId = info.workspaceId
  matches = []
  all.events.on(({ name, payload }) => {
    if (name === 'workspace/searched') matches.push(...(payload as { matches: SearchMatch[] }).matches)
  })
})
afterEach(async () => {
  await all.dispose()
  await rm(base, { recursive: true, force: true })
})

const pathOf = (path: string) => ({ rootId: all.get(workspaceId).info.roots[0]?.rootId as never, path })
const put = (path: string, content: string | Buffer) => writeFile(join(folder, path), content)
const read = (path: string) => readFile(join(folder, path), 'utf8')
const nothing = { include: '', exclude: '', matchCase: false, wholeWord: false, limit: 5000 }
let count = 0
async function search(
  query: string,
  more: { regex?: boolean; limit?: number; only?: ReturnType<typeof pathOf>[] } = {},
) {
  matches = []
  const searchId = `s${count++}`
  const request = { workspaceId, searchId, query, ...nothing, regex: true, replacing: true, ...more }
  const total = await all.handlers.workspace.search(request, me)
  return { searchId, total }
}
const replace = async (
  searchId: string,
  replacement: string,
  { places = null, preserveCase = false }: { places?: number[] | null; preserveCase?: boolean } = {},
) => all.handlers.workspace.replace({ workspaceId, searchId, replacement, preserveCase, places }, me)
const undo = async (undoId: string | null) =>
  all.handlers.workspace.undoReplace({ workspaceId, undoId: undoId ?? '' }, me)
const open = async (path: string) => all.handlers.document.open({ workspaceId, path: pathOf(path) }, me)

/** What the window shows as coming. */
const previewed = (rule: Omit<Replacement, 'regex'>) =>
  [...matches]
    .sort((a, b) => a.first - b.first)
    .flatMap(({ text, ranges, groups }) =>
      ranges.map(([from, to], at) =>
        fillIn({ text: text.slice(from, to), groups: groups?.[at] ?? {} }, { ...rule, regex: true }),
      ),
    )

test('all, with groups: what was previewed is written; encoding, line ends, mode and the rest of the bytes stay; undo and redo', async () => {
  const wide = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
  await put('a.ts', 'set(one)\nset(two) set(three)\nlast')
  await put('sub/crlf.ts', '\ufeffset(x)\r\n// 漢字 set(y)\r\n')
  await put('wide.ts', wide('ü set(wide)\n'))
  await chmod(join(folder, 'a.ts'), 0o755)
  const before = [await read('a.ts'), await read('sub/crlf.ts'), await readFile(join(folder, 'wide.ts'))]
  const { searchId, total } = await search('(?<verb>set)\\((\\w+)\\)')
  expect(total).toEqual({ matches: 6, files: 3, truncated: false })
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of ours
  const template = '$2.${verb}()\\n'
  const preview = previewed({ template, preserveCase: false })
  expect(preview.sort()).toEqual(['one', 'three', 'two', 'wide', 'x', 'y'].map(each => `${each}.set()\n`))
  const path = pathOf('a.ts')
  const shown = await all.handlers.workspace.previewReplace(
    { workspaceId, searchId, replacement: template, preserveCase: false, path },
    me,
  )
  const done = await replace(searchId, template)
  expect(done).toMatchObject({ places: 6, files: 3, skipped: [], stopped: false })
  expect(await read('a.ts')).toBe('one.set()\n\ntwo.set()\n three.set()\n\nlast')
  expect(shown).toEqual({ before: before[0], after: await read('a.ts') })
  expect(await read('sub/crlf.ts')).toBe('\ufeffx.set()\r\n\r\n// 漢字 y.set()\r\n\r\n')
  expect(await readFile(join(folder, 'wide.ts'))).toEqual(wide('ü wide.set()\n\n'))
  expect((await stat(join(folder, 'a.ts'))).mode & 0o777).toBe(0o755)
  const back = await undo(done.undoId)
  expect(back).toMatchObject({ places: 6, files: 3, skipped: [] })
  expect([await read('a.ts'), await read('sub/crlf.ts'), await readFile(join(folder, 'wide.ts'))]).toEqual(before)
  await undo(back.undoId)
  expect(await read('a.ts')).toBe('one.set()\n\ntwo.set()\n three.set()\n\nlast')
  await expect(undo(done.undoId)).rejects.toMatchObject({ code: 'stale' })
})

test('some places only; a file that changed since is left and told, an unrelated change elsewhere in it is not in the way', async () => {
  await put('a.ts', 'foo foo\nfoo\n')
  await put('b.ts', 'foo\n')
  await put('c.ts', 'foo\n')
  const { searchId } = await search('foo')
  const at = (file: string) => matches.filter(({ path }) => path.path === file)
  const [one, two] = at('a.ts')
  const places = [(one?.first ?? 0) + 1, two?.first ?? 0, at('b.ts')[0]?.first ?? 0, at('c.ts')[0]?.first ?? 0]
  await put('b.ts', 'new line\nfoo\n')
  await put('c.ts', 'foo\nmore\n')
  const done = await replace(searchId, 'bar', { places })
  expect(done).toMatchObject({ places: 3, files: 2, skipped: [{ path: pathOf('b.ts') }] })
  expect(done.skipped[0]?.message).toMatch(/b\.ts.* changed since the search/)
  expect([await read('a.ts'), await read('b.ts'), await read('c.ts')]).toEqual([
    'foo bar\nbar\n',
    'new line\nfoo\n',
    'bar\nmore\n',
  ])
  await put('c.ts', 'somebody else\n')
  const back = await undo(done.undoId)
  expect(back).toMatchObject({ files: 1, skipped: [{ path: pathOf('c.ts') }] })
  expect([await read('a.ts'), await read('c.ts')]).toEqual(['foo foo\nfoo\n', 'somebody else\n'])
})

test('unsaved text is what is searched, is changed as text and stays unsaved; a clean open file is saved', async () => {
  await put('dirty.ts', 'foo on disk\n')
  await put('clean.ts', 'foo\n')
  const dirty = await open('dirty.ts')
  const clean = await open('clean.ts')
  const documentId = DocumentId.parse(dirty.state.documentId)
  await all.handlers.document.change(
    { documentId, baseVersion: 1, changes: [{ from: 0, to: 11, text: 'typed foo' }] },
    me,
  )
  const { searchId, total } = await search('foo')
  expect([total.matches, matches.find(({ path }) => path.path === 'dirty.ts')?.text]).toEqual([2, 'typed foo'])
  const done = await replace(searchId, 'bar')
  const now = async (path: string) => (await open(path)).text
  expect([await now('dirty.ts'), await read('dirty.ts')]).toEqual(['typed bar\n', 'foo on disk\n'])
  expect([await now('clean.ts'), await read('clean.ts')]).toEqual(['bar\n', 'bar\n'])
  const states = await all.handlers.document.dirty({ workspaceId }, me)
  expect(states.documents.map(each => each.documentId)).toEqual([documentId])
  expect(clean.state.dirty).toBe(false)
  expect(await undo(done.undoId)).toMatchObject({ files: 2, skipped: [] })
  expect([await now('dirty.ts'), await now('clean.ts'), await read('clean.ts')]).toEqual([
    'typed foo\n',
    'foo\n',
    'foo\n',
  ])
})

test('over several lines, of either kind of end, literal or as a pattern', async () => {
  await put('unix.txt', 'begin\nend\nbegin\nmiddle\n')
  await put('dos.txt', 'begin\r\nend\r\n')
  const { searchId, total } = await search('begin\nend', { regex: false })
  expect(total.matches).toBe(2)
  expect(matches.map(match => match.text).sort()).toEqual(['begin\nend', 'begin\r\nend'])
  await replace(searchId, 'one\ntwo')
  expect([await read('unix.txt'), await read('dos.txt')]).toEqual(['one\ntwo\nbegin\nmiddle\n', 'one\r\ntwo\r\n'])
  const again = await search('(o)ne$\\n^two\\n')
  expect(again.total.matches).toBe(2)
  await replace(again.searchId, '$1;')
  expect([await read('unix.txt'), await read('dos.txt')]).toEqual(['o;begin\nmiddle\n', 'o;'])
})

test('only in some files; what cannot be written is told and harmed in nothing', async () => {
  await put('a.txt', 'foo\n')
  await put('b.txt', 'foo\n')
  await put('old.txt', Buffer.from('caf\xe9 foo\n', 'latin1'))
  await put('gone.txt', 'foo\n')
  expect((await search('foo', { only: [pathOf('b.txt'), pathOf('old.txt')] })).total).toMatchObject({
    matches: 2,
    files: 2,
  })
  const { searchId } = await search('foo')
  await rm(join(folder, 'gone.txt'))
  const done = await replace(searchId, 'bar')
  expect([done.files, done.skipped.map(({ path }) => path.path).sort()]).toEqual([2, ['gone.txt', 'old.txt']])
  expect(await readFile(join(folder, 'old.txt'), 'latin1')).toBe('café foo\n')
  await expect(replace('another', 'x')).rejects.toMatchObject({ code: 'stale' })
  expect(await replace((await search('bar')).searchId, 'x', { places: [1] })).toMatchObject({ files: 1, places: 1 })
})

test('every place of a long line can be replaced, and a limit is said', async () => {
  const line = (word: string) => Array.from({ length: 300 }, () => `${word}${'-'.repeat(20)}`).join('')
  await put('min.js', `${line('foo')}\n`)
  const { searchId, total } = await search('foo', { limit: 250 })
  expect(total).toEqual({ matches: 250, files: 1, truncated: true })
  expect(matches.flatMap(match => match.ranges)).toHaveLength(250)
  expect(await replace(searchId, 'bar')).toMatchObject({ places: 250, files: 1 })
  expect((await read('min.js')).match(/bar/g)).toHaveLength(250)
  expect((await read('min.js')).match(/foo/g)).toHaveLength(50)
})

test('told to stop, it ends between two files, says how far it came, and that much can be taken back', async () => {
  for (let at = 0; at < 40; at++) await put(`f${at}.txt`, 'foo\n')
  const { searchId } = await search('foo')
  const ending = new AbortController()
  all.events.on(({ name }) => {
    if (name === 'workspace/replacing') ending.abort()
  })
  const done = await all.handlers.workspace.replace(
    { workspaceId, searchId, replacement: 'bar', preserveCase: false, places: null },
    { clientId: 'me', signal: ending.signal },
  )
  expect(done.stopped).toBe(true)
  expect(done.files).toBeLessThan(40)
  const changed = async () =>
    (await Promise.all(Array.from({ length: 40 }, (_, at) => read(`f${at}.txt`)))).filter(text => text === 'bar\n')
      .length
  expect(await changed()).toBe(done.files)
  await undo(done.undoId)
  expect(await changed()).toBe(0)
})

test('one place after the other, also in one line and where lines move, and the rest at the end: as if all at once', async () => {
  await put('a.ts', 'foo(1) foo(22) foo(3)\r\nx\nfoo(4)')
  const { searchId } = await search('foo\\((\\d+)\\)')
  const template = '$1\\n\\n!'
  for (const place of [1, 0])
    expect(await replace(searchId, template, { places: [place] })).toMatchObject({ places: 1 })
  expect(await read('a.ts')).toBe('1\r\n\r\n! 22\r\n\r\n! foo(3)\r\nx\nfoo(4)')
  expect(await replace(searchId, template)).toMatchObject({ places: 2, files: 1, skipped: [] })
  expect(await read('a.ts')).toBe('1\r\n\r\n! 22\r\n\r\n! 3\r\n\r\n!\r\nx\n4\r\n\r\n!')
  expect(await replace(searchId, template)).toMatchObject({ places: 0, undoId: null })
})

test('the next place in one file, on and back, at the edges of pieces and with line starts', async () => {
  const line = (at: number) => `${at} ${'x'.repeat(50)}${at % 30_000 === 7 ? ' needle' : ''}\n`
  const text = Array.from({ length: 100_000 }, (_, at) => line(at)).join('')
  await put('big.log', text)
  const find = async (from: number, back: boolean, query = 'NEEDLE', regex = false) =>
    (
      await all.handlers.workspace.findIn(
        { workspaceId, path: pathOf('big.log'), query, regex, matchCase: false, from, back },
        me,
      )
    ).found
  const places = [...text.matchAll(/needle/g)].map(({ index }) => index)
  expect(places).toHaveLength(4)
  const forth: (number | undefined)[] = []
  for (let from = 0, found = await find(from, false); found; found = await find(from, false)) {
    forth.push(found.offset)
    from = found.offset + 1
  }
  const back: (number | undefined)[] = []
  for (let found = await find(text.length, true); found; found = await find(found.offset, true)) back.push(found.offset)
  expect([forth, back]).toEqual([places, [...places].reverse()])
  const at = text.indexOf('\n50000 ') + 1
  expect(await find(at - 20, false, '^5000\\d ', true)).toEqual({ offset: at, bytes: 6, text: '50000 ' })
  expect(await find(at + 1, false, '^50000 ', true)).toBe(null)
  await expect(find(0, false, '(', true)).rejects.toMatchObject({ code: 'invalid' })
})

test('an edit of what was seen: all of a file or nothing of it, unsaved text stays unsaved, and one undo takes it back', async () => {
  await put('a.ts', "import './old'\r\nimport './old'\r\n")
  await put('moved.ts', "import './old'\n")
  await put('typed.ts', "import './old'\n")
  const typed = await open('typed.ts')
  const documentId = DocumentId.parse(typed.state.documentId)
  await all.handlers.document.change({ documentId, baseVersion: 1, changes: [{ from: 0, to: 0, text: '// 😀\n' }] }, me)
  const place = (from: number) => ({ from, was: './old', text: '../fresh' })
  const files = [
    { path: pathOf('a.ts'), places: [place(8), place(24)] },
    { path: pathOf('moved.ts'), places: [place(8), place(9)] },
    { path: pathOf('typed.ts'), places: [place(14)] },
    { path: pathOf('gone.ts'), places: [place(8)] },
  ]
  const done = await all.handlers.workspace.edit({ workspaceId, files }, me)
  expect(done).toMatchObject({ places: 3, files: 2, stopped: false })
  expect(done.skipped.map(({ path }) => path.path).sort()).toEqual(['gone.ts', 'moved.ts'])
  expect(done.skipped.find(({ path }) => path.path === 'moved.ts')?.message).toMatch(/changed meanwhile/)
  expect(await read('a.ts')).toBe("import '../fresh'\r\nimport '../fresh'\r\n")
  expect(await read('moved.ts')).toBe("import './old'\n")
  expect(await read('typed.ts')).toBe("import './old'\n")
  expect((await open('typed.ts')).text).toBe("// 😀\nimport '../fresh'\n")
  expect(await undo(done.undoId)).toMatchObject({ files: 2, skipped: [] })
  expect(await read('a.ts')).toBe("import './old'\r\nimport './old'\r\n")
  expect((await open('typed.ts')).text).toBe("// 😀\nimport './old'\n")
})
