/** Documents as a client and the agent meet them: opening, conflicts, encodings, hot exit, and what is refused with words. */
import { execFile } from 'node:child_process'
import {
  chmod,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DocumentState, Encoding } from '#contract/document'
import { applyChanges } from '#contract/document-transform'
import { DocumentId } from '#contract/id'
import { untitledPath } from '#contract/path'
import { createPaths, type Paths } from '../paths.ts'
import { openRoot, workspaceIdOf } from '../roots.ts'
import { encode } from './codec.ts'
import { createDocuments, type Documents } from './index.ts'
import { loadEncodings } from './other-encodings.ts'

const signal = new AbortController().signal
const me = { clientId: 'me', signal }
let base = ''
let folder = ''
let paths: Paths
let documents: Documents
let seen: { name: string; payload: unknown }[] = []

const start = () => {
  documents = createDocuments({
    workspaceId: workspaceIdOf(folder),
    paths,
    backupFolder: join(base, 'backups'),
    log: () => {},
  })
  seen = []
  documents.events.on(event => seen.push(event))
}

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'belay-documents-')))
  folder = join(base, 'work')
  await mkdir(folder)
  const root = await openRoot(folder)
  paths = createPaths(() => [root])
  start()
})
afterEach(async () => {
  await documents.dispose()
  await rm(base, { recursive: true, force: true })
})

const at = (name: string) => ({ rootId: paths.roots[0]?.rootId ?? ('' as never), path: name })
const openIt = async (name: string) => {
  const opened = await documents.handlers.open({ workspaceId: workspaceIdOf(folder), path: at(name) }, me)
  return { ...opened, state: opened.state as DocumentState, id: DocumentId.parse(opened.state.documentId) }
}
const put = async (name: string, content: string | Uint8Array) => {
  await writeFile(join(folder, name), content)
  return join(folder, name)
}
const type = (id: DocumentId, text: string, baseVersion = 1, from = 0, to = 0) =>
  documents.handlers.change({ documentId: id, baseVersion, changes: [{ from, to, text }] }, me)
const save = async (id: DocumentId, force = false) => documents.handlers.save({ documentId: id, force }, me)
const stateOf = (id: DocumentId) =>
  seen
    .filter(event => event.name === 'document/stateChanged')
    .map(event => event.payload as DocumentState)
    .findLast(state => state.documentId === id)
const agent = async (name: string, from: string, to: string, expected: string | null | 'any' = 'any') =>
  documents.agentEdit({
    path: await paths.resolve(name),
    expect: expected,
    make(saved) {
      const where = saved?.text.indexOf(from) ?? -1
      if (where < 0) throw Object.assign(new Error('no such text'), { code: 'invalid' })
      return [{ from: where, to: where + from.length, text: to }]
    },
  })

describe('opening', () => {
  it('refuses what is no text, with the reason as a code', async () => {
    await put('image.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0]))
    await mkdir(join(folder, 'sub'))
    await promisify(execFile)('mkfifo', [join(folder, 'pipe')])
    await symlink('/dev/null', join(folder, 'leads-out'))
    const codes: Record<string, string> = {}
    for (const name of ['image.png', 'sub', 'pipe', 'leads-out', 'missing'])
      codes[name] = await openIt(name).then(
        () => 'opened',
        fault => fault.code,
      )
    expect(codes).toEqual({
      'image.png': 'binary',
      sub: 'not_a_file',
      pipe: 'not_a_file',
      'leads-out': 'outside',
      missing: 'not_found',
    })
  })

  it('opens one document for one file, whatever its names, until its last client closes it', async () => {
    await put('a.txt', 'a')
    await symlink('a.txt', join(folder, 'b.txt'))
    const first = await openIt('a.txt')
    const second = await openIt('b.txt')
    expect(second.id).toBe(first.id)
    await documents.handlers.close({ documentId: first.id }, me)
    await type(first.id, 'x')
    await documents.handlers.revert({ documentId: first.id }, me)
    await documents.handlers.close({ documentId: first.id }, me)
    await expect(save(first.id)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('has three sizes', async () => {
    await put('plain.txt', 'x'.repeat(6 * 1024 * 1024))
    const huge = await put('huge.log', 'line é\n')
    const handle = await open(huge, 'r+')
    const line = Buffer.from('line é of a very large file\n')
    const block = Buffer.concat(Array(40_000).fill(line))
    for (let i = 0; i < 60; i++) await handle.write(block, 0, block.length, i * block.length)
    await handle.close()
    const plain = await openIt('plain.txt')
    const slices = await openIt('huge.log')
    expect([plain.state.size, plain.state.readOnly, slices.state.size, slices.state.readOnly]).toEqual([
      'plain',
      false,
      'slices',
      true,
    ])
    expect(() => type(slices.id, 'x')).toThrow(expect.objectContaining({ code: 'read_only' }))
    let offset: number | null = 0
    let all = 0
    while (offset !== null && all < 3_000_000) {
      const slice = await documents.handlers.slice({ documentId: slices.id, at: { offset } }, me)
      expect(slice.offset).toBe(offset)
      expect(slice.text.endsWith('file\n') && !slice.text.includes('\uFFFD')).toBe(true)
      all += Buffer.byteLength(slice.text)
      offset = slice.nextOffset
    }
    const odd = await documents.handlers.slice({ documentId: slices.id, at: { offset: 1_000_003 } }, me)
    expect([odd.text.startsWith('line é'), odd.offset <= 1_000_003]).toEqual([true, true])
  })

  it('opens a million lines', async () => {
    await put('many.txt', 'a\n'.repeat(1_000_000))
    const { state, text } = await openIt('many.txt')
    expect([state.size, text.length]).toEqual(['full', 2_000_000])
  })
})

describe('byte fidelity', () => {
  it('changes nothing outside the edited range, in any encoding and with any line ends', {
    timeout: 30_000,
  }, async () => {
    const ends = fc.constantFrom('\n', '\r\n', '\r')
    const content = fc
      .array(fc.tuple(fc.constantFrom('é', 'some words', ''), ends), { maxLength: 6 })
      .map(parts => parts.flat().join(''))
    const encodings = fc.constantFrom<Encoding>('utf8', 'utf8bom', 'utf16le', 'utf16be')
    let number = 0
    await fc.assert(
      fc.asyncProperty(content, content, encodings, fc.boolean(), async (before, after, encoding, byAgent) => {
        const name = `f${number++}`
        const file = await put(name, encode(`${before}MARK${after}`, encoding))
        await chmod(file, 0o640)
        if (byAgent) await agent(name, 'MARK', 'new\n')
        else {
          const { id } = await openIt(name)
          await type(id, 'new\n', 1, before.length, before.length + 4)
          await save(id)
        }
        expect(await readFile(file)).toEqual(Buffer.from(encode(`${before}new\n${after}`, encoding)))
        expect((await stat(file)).mode & 0o777).toBe(0o640)
      }),
      { numRuns: 80 },
    )
  })

  it('shows undecodable bytes read-only, refuses the agent, and edits them as Latin-1 once a person chose it', async () => {
    const file = await put('latin.txt', Buffer.from('caf\xe9\r\n', 'latin1'))
    const { id, state, text } = await openIt('latin.txt')
    expect([state.readOnly, state.encoding, text]).toEqual([true, 'latin1', 'café\r\n'])
    await expect(agent('latin.txt', 'caf', 'tea')).rejects.toMatchObject({ code: 'undecodable' })
    await documents.handlers.setEncoding({ documentId: id, encoding: 'latin1', reopen: true }, me)
    await type(id, '!', 1, 4, 4)
    await save(id)
    expect((await readFile(file)).toString('latin1')).toBe('caf\xe9!\r\n')
    await agent('latin.txt', 'caf', 'tea')
    expect((await readFile(file)).toString('latin1')).toBe('tea\xe9!\r\n')
  })

  it('guesses, asks once, and remembers the encoding that was chosen: for the editor, the agent and after a restart', async () => {
    const bytes = (text: string) => Buffer.from(encode(text, 'gb18030'))
    await loadEncodings()
    const file = await put('gbk.c', bytes('// 这是一个用来测试编码的注释，里面有常用的汉字\r\nint x;\r\n'))
    const { id, state } = await openIt('gbk.c')
    expect([state.readOnly, state.guesses?.[0]]).toEqual([true, 'gb18030'])
    const chosen = await documents.handlers.setEncoding({ documentId: id, encoding: 'gb18030', reopen: true }, me)
    expect([chosen.readOnly, chosen.guesses, chosen.lineEnd, chosen.dirty]).toEqual([false, null, 'crlf', false])
    await type(id, '// 好\r\n', 2)
    await documents.dispose()
    start()
    const again = await openIt('gbk.c')
    expect([again.state.encoding, again.state.recovered, again.text.slice(0, 4)]).toEqual(['gb18030', true, '// 好'])
    await save(again.id)
    await documents.handlers.close({ documentId: again.id }, me)
    await documents.dispose()
    start()
    await agent('gbk.c', 'int x', 'int 变量')
    await documents.edit(at('gbk.c'), () => [{ from: 0, to: 4, text: '// 很好' }])
    expect(await readFile(file)).toEqual(
      bytes('// 很好\r\n// 这是一个用来测试编码的注释，里面有常用的汉字\r\nint 变量;\r\n'),
    )
    const { id: last } = await openIt('gbk.c')
    await documents.handlers.setEncoding({ documentId: last, encoding: 'utf8', reopen: false }, me)
    await save(last)
    expect(await readFile(file, 'utf8')).toContain('int 变量;')
  })

  it('a file that may only be read stays so when it is reopened in another encoding', async () => {
    const uri = `file://${join(base, 'outside.txt')}`
    await writeFile(join(base, 'outside.txt'), Buffer.from('caf\xe9', 'latin1'))
    const { state } = await documents.handlers.open({ workspaceId: workspaceIdOf(folder), path: { uri } }, me)
    const documentId = DocumentId.parse(state.documentId)
    const now = await documents.handlers.setEncoding({ documentId, encoding: 'windows1252', reopen: true }, me)
    expect([now.readOnly, now.note]).toEqual([true, expect.stringContaining('outside the opened folder')])
  })

  it('saves in another encoding, and refuses one the text does not fit', async () => {
    const file = await put('euro.txt', '5 €')
    const { id } = await openIt('euro.txt')
    await expect(
      documents.handlers.setEncoding({ documentId: id, encoding: 'latin1', reopen: false }, me),
    ).rejects.toMatchObject({ code: 'undecodable' })
    const changed = await documents.handlers.setEncoding({ documentId: id, encoding: 'utf16le', reopen: false }, me)
    expect(changed.dirty).toBe(true)
    expect((await save(id)).dirty).toBe(false)
    expect(await readFile(file)).toEqual(Buffer.from('\uFEFF5 €', 'utf16le'))
  })

  it('changes line ends as an edit', async () => {
    const file = await put('mixed.txt', 'a\r\nb\rc\n')
    const { id, state } = await openIt('mixed.txt')
    const after = await documents.handlers.setLineEnd({ documentId: id, lineEnd: 'crlf' }, me)
    await save(id)
    expect([state.lineEnd, after.lineEnd, after.dirty, await readFile(file, 'utf8')]).toEqual([
      'mixed',
      'crlf',
      true,
      'a\r\nb\r\nc\r\n',
    ])
  })
})

describe('the disk changes', () => {
  it('under a clean text: it follows, and our own write is no news', async () => {
    const file = await put('a.txt', 'one\ntwo\nthree\n')
    const { id } = await openIt('a.txt')
    await put('a.txt', 'one\n2\nthree\n')
    await documents.diskChanged([folder])
    await type(id, '!', 2)
    await save(id)
    const told = seen.length
    await documents.diskChanged([file])
    expect(seen.length).toBe(told)
    const edited = seen.filter(event => event.name === 'document/edited').map(event => event.payload)
    expect(edited).toMatchObject([
      { version: 2, by: 'disk', clientId: null, changes: [{ from: 4, to: 7, text: '2' }] },
      { version: 3, by: 'person', clientId: 'me' },
    ])
  })

  it('under unsaved text: a conflict in which neither side is lost', async () => {
    const file = await put('a.txt', 'theirs 1')
    const { id } = await openIt('a.txt')
    await type(id, 'mine ')
    await put('a.txt', 'theirs 2')
    await expect(save(id)).rejects.toMatchObject({ code: 'stale' })
    expect([stateOf(id)?.conflict, await readFile(file, 'utf8')]).toEqual(['changed', 'theirs 2'])
    expect((await documents.handlers.disk({ documentId: id }, me)).text).toBe('theirs 2')
    const saved = await save(id, true)
    expect([saved.conflict, saved.dirty, await readFile(file, 'utf8')]).toEqual(['none', false, 'mine theirs 1'])
    const kept = await readdir(join(base, 'backups', 'kept'))
    expect(await readFile(join(base, 'backups', 'kept', kept[0] ?? ''), 'utf8')).toBe('theirs 2')
  })

  it('revert takes theirs and answers mine', async () => {
    await put('a.txt', 'theirs 1')
    const { id } = await openIt('a.txt')
    await type(id, 'mine ')
    await put('a.txt', 'theirs 2')
    await documents.diskChanged([folder])
    const { state, previous } = await documents.handlers.revert({ documentId: id }, me)
    expect([state.dirty, state.conflict, previous]).toEqual([false, 'none', 'mine theirs 1'])
    expect((await openIt('a.txt')).text).toBe('theirs 2')
  })

  it('a file that goes away keeps its text, and is written again when asked', async () => {
    const file = await put('a.txt', 'kept')
    const { id } = await openIt('a.txt')
    await rm(file)
    await documents.diskChanged([file])
    expect(stateOf(id)?.conflict).toBe('missing')
    await expect(save(id)).rejects.toMatchObject({ code: 'stale' })
    await save(id, true)
    expect(await readFile(file, 'utf8')).toBe('kept')
  })
})

describe('the agent', () => {
  it('edits what is saved, and the open text keeps what is not', async () => {
    const file = await put('a.txt', 'first\nsecond\n')
    const { id, state } = await openIt('a.txt')
    await type(id, 'unsaved ')
    const edited = await agent('a.txt', 'second', '2nd', state.savedHash)
    expect([await readFile(file, 'utf8'), edited.by, edited.beforeText, edited.afterText]).toEqual([
      'first\n2nd\n',
      'mixed',
      'first\nsecond\n',
      'first\n2nd\n',
    ])
    const opened = await openIt('a.txt')
    expect([opened.text, opened.state.dirty, opened.state.conflict]).toEqual(['unsaved first\n2nd\n', true, 'none'])
    expect(seen.filter(event => (event.payload as { by?: string }).by === 'agent').length).toBe(1)
    await save(id)
    expect(await readFile(file, 'utf8')).toBe('unsaved first\n2nd\n')
  })

  it('is told to ask for a save where its edit fits only unsaved text', async () => {
    const file = await put('a.txt', 'saved\n')
    const { id } = await openIt('a.txt')
    await type(id, 'unsaved\n')
    await expect(agent('a.txt', 'unsaved', 'x')).rejects.toMatchObject({
      code: 'stale',
      message: expect.stringContaining('save first'),
    })
    await expect(agent('a.txt', 'nowhere', 'x')).rejects.toMatchObject({ code: 'invalid' })
    expect([await readFile(file, 'utf8'), (await documents.readSaved(file)).dirty]).toEqual(['saved\n', true])
  })

  it('is refused where the file is not what it read, and may not replace what it never saw', async () => {
    const file = await put('a.txt', 'one')
    const { hash } = await documents.readSaved(file)
    await put('a.txt', 'one!')
    await expect(agent('a.txt', 'one', 'x', hash)).rejects.toMatchObject({ code: 'stale' })
    const whole = { path: await paths.resolve('a.txt'), expect: null, make: () => 'new' }
    await expect(documents.agentEdit(whole)).rejects.toMatchObject({ code: 'stale' })
    const fresh = await documents.agentEdit({
      path: await paths.resolve('sub/new.txt'),
      expect: null,
      make: () => 'new\n',
    })
    expect([fresh.before, await readFile(join(folder, 'sub/new.txt'), 'utf8')]).toEqual([null, 'new\n'])
  })

  it('writes the disk but leaves a text in conflict to the person', async () => {
    const file = await put('a.txt', 'one')
    const { id } = await openIt('a.txt')
    await type(id, 'mine ')
    await put('a.txt', 'two')
    await agent('a.txt', 'two', 'three')
    const opened = await openIt('a.txt')
    expect([opened.text, stateOf(id)?.conflict, await readFile(file, 'utf8')]).toEqual(['mine one', 'changed', 'three'])
  })
})

describe('the disk’s news', () => {
  it('gone, back as it was, back as another, a folder, a file again; what is unsaved stays in all of it', async () => {
    const clean = await put('clean.txt', 'one')
    const dirty = await put('dirty.txt', 'one')
    const one = await openIt('clean.txt')
    const two = await openIt('dirty.txt')
    await type(two.id, 'mine ')
    const conflicts = async () => {
      await documents.diskChanged([folder])
      return [stateOf(one.id)?.conflict ?? 'none', stateOf(two.id)?.conflict ?? 'none']
    }
    const textNow = async () => [(await openIt('clean.txt')).text, (await openIt('dirty.txt')).text]
    const each = async (work: (file: string) => Promise<unknown>) => Promise.all([clean, dirty].map(work))
    // Our own echo.
    await save(one.id)
    expect(await conflicts()).toEqual(['none', 'none'])
    await each(file => rm(file))
    expect(await conflicts()).toEqual(['missing', 'missing'])
    await each(file => writeFile(file, 'one'))
    expect(await conflicts()).toEqual(['none', 'none'])
    await each(file => rm(file))
    await each(file => mkdir(file))
    expect(await conflicts()).toEqual(['missing', 'missing'])
    await expect(save(two.id, true)).rejects.toMatchObject({
      code: 'not_a_file',
      message: expect.stringContaining('text is kept'),
    })
    expect(await textNow()).toEqual(['one', 'mine one'])
    await each(file => rm(file, { recursive: true }))
    await each(file => writeFile(file, 'other'))
    expect(await conflicts()).toEqual(['none', 'changed'])
    expect(await textNow()).toEqual(['other', 'mine one'])
    // They wrote what I have.
    await writeFile(dirty, 'mine one')
    expect(await conflicts()).toEqual(['none', 'none'])
    expect((await documents.handlers.dirty({ workspaceId: workspaceIdOf(folder) }, me)).documents).toEqual([])
  })
})

describe('hot exit', () => {
  it('backs up within a second and restores what was unsaved, also over another start', async () => {
    await put('a.txt', 'saved')
    const { id } = await openIt('a.txt')
    await type(id, 'unsaved 😀 \ud800 ')
    // Not the file beside it that is renamed over it.
    const backups = async () =>
      (await readdir(join(base, 'backups')).catch(() => [])).filter(name => name.endsWith('.unsaved'))
    await expect.poll(backups, { timeout: 10_000 }).toHaveLength(1)
    start()
    const listed = await documents.handlers.dirty({ workspaceId: workspaceIdOf(folder) }, me)
    expect(listed.documents).toMatchObject([{ recovered: true, dirty: true, conflict: 'none' }])
    const restored = await openIt('a.txt')
    expect([restored.text, restored.state.recovered]).toEqual(['unsaved 😀 \ud800 saved', true])
    await documents.handlers.revert({ documentId: restored.id }, me)
    await expect.poll(backups, { timeout: 10_000 }).toEqual([])
  })

  it('keeps what was unsaved at its end, whatever is heard of the disk after that', async () => {
    const file = await put('a.txt', 'one')
    await type((await openIt('a.txt')).id, 'mine ')
    let letGo = () => {}
    const held = documents.moving(
      file,
      join(folder, 'b.txt'),
      () => new Promise((_, no) => (letGo = () => no('stays'))),
    )
    const stayed = expect(held).rejects.toBe('stays')
    await put('a.txt', 'other')
    const news = documents.diskChanged([file])
    await documents.dispose()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      letGo()
      await Promise.all([stayed, news])
      // Nothing is planned for later, which would find no text any more and take the backup away.
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
    start()
    expect(await openIt('a.txt')).toMatchObject({ text: 'mine one', state: { conflict: 'changed', recovered: true } })
  })

  it('restores into a conflict when the file changed or went away meanwhile', async () => {
    await put('a.txt', 'one')
    const gone = await put('b.txt', 'two')
    for (const name of ['a.txt', 'b.txt']) await type((await openIt(name)).id, 'mine ')
    await documents.dispose()
    await put('a.txt', 'other')
    await rm(gone)
    start()
    const a = await openIt('a.txt')
    const b = await openIt('b.txt')
    expect([a.text, a.state.conflict, b.text, b.state.conflict]).toEqual(['mine one', 'changed', 'mine two', 'missing'])
    await expect(save(a.id)).rejects.toMatchObject({ code: 'stale' })
    await save(b.id, true)
    expect(await readFile(gone, 'utf8')).toBe('mine two')
  })

  it('a text without a file survives the end of Belay, is in no command’s way, and is given up whole', async () => {
    const path = untitledPath(1)
    const openUntitled = () => documents.handlers.open({ workspaceId: workspaceIdOf(folder), path }, me)
    const { state } = await openUntitled()
    expect([state.dirty, state.readOnly, state.conflict]).toEqual([false, false, 'none'])
    await type(DocumentId.parse(state.documentId), 'a thought')
    expect(documents.dirtyPaths()).toEqual([])
    await documents.dispose()
    start()
    const listed = await documents.handlers.dirty({ workspaceId: workspaceIdOf(folder) }, me)
    expect(listed.documents).toMatchObject([{ path, dirty: true, recovered: true, conflict: 'none' }])
    const again = await openUntitled()
    expect(again.text).toBe('a thought')
    const documentId = DocumentId.parse(again.state.documentId)
    await expect(save(documentId)).rejects.toMatchObject({ code: 'unsupported' })
    expect(await documents.handlers.saveAll({ workspaceId: workspaceIdOf(folder) }, me)).toEqual({ failed: [] })
    await documents.diskChanged([folder])
    expect((await documents.handlers.revert({ documentId }, me)).previous).toBe('a thought')
    expect([(await openUntitled()).text, (await openUntitled()).state.dirty]).toEqual(['', false])
    await expect(
      documents.handlers.open({ workspaceId: workspaceIdOf(folder), path: { uri: 'untitled:../x' } }, me),
    ).rejects.toMatchObject({ code: 'invalid' })
  })

  it('keeps unsaved text when the last client leaves', async () => {
    await put('a.txt', 'saved')
    const { id } = await openIt('a.txt')
    await type(id, 'unsaved ')
    documents.clientLeft('me')
    expect(documents.dirtyPaths()).toEqual([at('a.txt')])
    const again = await openIt('a.txt')
    expect([again.text, again.id]).toEqual(['unsaved saved', id])
  })
})

describe('changes', () => {
  it('are rebased over what came later, and refused where they do not fit', async () => {
    await put('a.txt', 'base')
    const { id } = await openIt('a.txt')
    await type(id, 'first ')
    expect(await type(id, ' last', 1, 4, 4)).toEqual({ version: 3 })
    const { text } = await openIt('a.txt')
    const edits = seen
      .filter(event => event.name === 'document/edited')
      .map(event => event.payload as { changes: never[] })
    expect([text, edits.reduce((all, { changes }) => applyChanges(all, changes), 'base')]).toEqual([
      'first base last',
      'first base last',
    ])
    const faults = [() => type(id, 'x', 9), () => type(id, 'x', 3, 90, 91)].map(attempt => {
      try {
        attempt()
        return 'applied'
      } catch (fault) {
        return (fault as { code: string }).code
      }
    })
    expect(faults).toEqual(['invalid', 'invalid'])
  })

  it('typed and taken back leave a clean text', async () => {
    await put('a.txt', 'base')
    const { id } = await openIt('a.txt')
    await type(id, 'x')
    await type(id, '', 2, 0, 1)
    expect(stateOf(id)?.dirty).toBe(false)
  })
})

describe('a file that is moved', () => {
  const move = (
    from: string,
    to: string,
    work: () => Promise<void> = () => rename(join(folder, from), join(folder, to)),
  ) => documents.moving(join(folder, from), join(folder, to), work)
  const opened = async (name: string, text = 'start') => {
    await mkdir(join(folder, name, '..'), { recursive: true })
    await writeFile(join(folder, name), text)
    return documents.handlers.open({ workspaceId: workspaceIdOf(folder), path: at(name) }, me)
  }

  it('leaves nothing under the old name of a text that was saved a moment before', async () => {
    await put('old.txt', 'text')
    const { id } = await openIt('old.txt')
    await type(id, 'more ')
    const backups = () => readdir(join(base, 'backups')).catch(() => [])
    await expect.poll(backups).toEqual([expect.stringMatching(/\.unsaved$/)])
    await save(id)
    await move('old.txt', 'new.txt')
    await expect(documents.textOf(at('old.txt'))).rejects.toMatchObject({ code: 'not_found' })
    expect(documents.dirtyPaths()).toEqual([])
    expect(documents.openedAt(join(folder, 'old.txt'))).toBeNull()
  })

  it('keeps its unsaved text, unsaved, under the new name: as the same document, in the backup too', async () => {
    const { state } = await opened('src/a.txt')
    const documentId = DocumentId.parse(state.documentId)
    await documents.handlers.change({ documentId, baseVersion: 1, changes: [{ from: 0, to: 0, text: 'mine ' }] }, me)
    await move('src', 'lib')
    const again = await documents.handlers.open({ workspaceId: workspaceIdOf(folder), path: at('lib/a.txt') }, me)
    expect(again.text).toBe('mine start')
    expect(again.state).toMatchObject({ documentId, path: at('lib/a.txt'), dirty: true, conflict: 'none' })
    expect(await readFile(join(folder, 'lib/a.txt'), 'utf8')).toBe('start')
    await documents.diskChanged([join(folder, 'src'), join(folder, 'lib')])
    expect(documents.dirtyPaths()).toEqual([at('lib/a.txt')])
    await documents.dispose()
    start()
    const { documents: restored } = await documents.handlers.dirty({ workspaceId: workspaceIdOf(folder) }, me)
    expect(restored.map(each => each.path)).toEqual([at('lib/a.txt')])
    await documents.handlers.saveAll({ workspaceId: workspaceIdOf(folder) }, me)
    expect(await readFile(join(folder, 'lib/a.txt'), 'utf8')).toBe('mine start')
    expect(await readdir(folder)).toEqual(['lib'])
  })

  it('that a save is writing waits for it: nothing comes up again at the old place', async () => {
    const { state } = await opened('a.txt')
    for (let round = 0; round < 20; round++) {
      const [from, to] = round % 2 === 0 ? ['a.txt', 'b.txt'] : ['b.txt', 'a.txt']
      const version = documents.handlers.change(
        {
          documentId: DocumentId.parse(state.documentId),
          baseVersion: round + 1,
          changes: [{ from: 0, to: 0, text: `${round} ` }],
        },
        me,
      )
      await Promise.all([
        version,
        documents.handlers.save({ documentId: DocumentId.parse(state.documentId), force: false }, me),
        move(from as string, to as string),
      ])
      expect(await readdir(folder)).toEqual([to])
    }
    await documents.handlers.saveAll({ workspaceId: workspaceIdOf(folder) }, me)
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toMatch(/^19 18 .* 0 start$/)
  })

  it('onto unsaved text of a file that is gone is refused before anything moves', async () => {
    const { state } = await opened('gone.txt')
    await documents.handlers.change(
      { documentId: DocumentId.parse(state.documentId), baseVersion: 1, changes: [{ from: 0, to: 0, text: 'x' }] },
      me,
    )
    await rm(join(folder, 'gone.txt'))
    await opened('other.txt')
    await expect(move('other.txt', 'gone.txt')).rejects.toMatchObject({ code: 'already_exists' })
    expect(await readdir(folder)).toEqual(['other.txt'])
  })

  it('and could not be moved stays what it was', async () => {
    const { state } = await opened('a.txt')
    await expect(move('a.txt', 'b.txt', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    const again = await documents.handlers.open({ workspaceId: workspaceIdOf(folder), path: at('a.txt') }, me)
    expect(again.state.documentId).toBe(state.documentId)
  })
})
