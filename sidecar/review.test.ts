/** Reviews over the real core, its tools, log and disk: what is shown, accepted, taken back, undone, and what a restart leaves. */
import { execFileSync } from 'node:child_process'
import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '#contract/client'
import type { RequestId, RootId, SessionId, WorkspaceId } from '#contract/id'
import type { BelayContract } from '#contract/index'
import { type FileReview, MOST_REVIEW_CHARS, type ReviewScope } from '#contract/review'
import type { SessionEventOf } from '#contract/session-event'
import { openWindow, startCore } from './core.case.ts'
import type { Core } from './core.ts'

let home: string
let folder: string
let core: Core
let client: Client<BelayContract>
let workspaceId: WorkspaceId
let rootId: RootId
let sessionId: SessionId
const inside = (path: string) => join(folder, path)
const put = (path: string, text: string | Uint8Array) => writeFile(inside(path), text)
const onDisk = (path: string) => readFile(inside(path), 'utf8')
const at = (path: string) => ({ rootId, path })

async function start(): Promise<void> {
  core = await startCore(home)
  client = await openWindow(core)
  const info = await client.workspace.open({ folder })
  workspaceId = info.workspaceId
  rootId = info.roots[0]?.rootId as RootId
}

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'belay-review-')))
  folder = join(home, 'project')
  await mkdir(folder)
  await mkdir(join(home, 'belay/data'), { recursive: true })
  await writeFile(join(home, 'belay/data/trust.json'), JSON.stringify({ folders: [folder] }))
  await start()
})
afterEach(async () => {
  await core.dispose()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

type Act = { call: string; arguments: Record<string, unknown> }
const read = (path: string): Act => ({ call: 'read', arguments: { path } })
const write = (path: string, content: string): Act => ({ call: 'write', arguments: { path, content } })
const edit = (path: string, old: string, text: string): Act => ({
  call: 'edit',
  arguments: { path, edits: [{ old, new: text }] },
})

/** A turn of the agent in which edits run unasked. */
async function turn(...acts: Act[]): Promise<void> {
  sessionId ??= (await client.session.create({ workspaceId, mode: 'acceptEdits', model: 'scripted/default' })).sessionId
  await client.session.open({ sessionId })
  const ended = new Promise<void>(resolve => {
    const forget = client.on('session/happened', batch => {
      if (batch.sessionId !== sessionId) return
      for (const event of batch.events) if (event.type === 'permission.asked') void allow(event)
      if (!batch.events.some(event => event.type === 'turn.ended')) return
      forget()
      resolve()
    })
  })
  const words = `script:${JSON.stringify([...acts.map(act => [act]), [{ text: 'done' }]])}`
  await client.session.prompt({
    sessionId,
    requestId: crypto.randomUUID() as RequestId,
    parts: [{ kind: 'text', text: words }],
  })
  await ended
}
const allow = ({ batchId, calls }: SessionEventOf<'permission.asked'>) =>
  client.session.answerPermission({
    sessionId,
    batchId,
    answers: calls.map(({ callId }) => ({ callId, verdict: 'allow', remember: 'once' })),
  })
beforeEach(() => {
  sessionId = undefined as unknown as SessionId
})

const scopes = {
  turn: (): ReviewScope => ({ kind: 'turn', sessionId }),
  session: (): ReviewScope => ({ kind: 'session', sessionId }),
  git: (): ReviewScope => ({ kind: 'git' }),
}
type ScopeName = keyof typeof scopes
const list = (name: ScopeName = 'session') => client.review.list({ workspaceId, scope: scopes[name]() })
const names = async (name: ScopeName = 'session') => (await list(name)).files.map(file => file.path.path)
const look = (path: string, name: ScopeName = 'session') =>
  client.review.file({ workspaceId, scope: scopes[name](), path: at(path) })
const choose = (review: FileReview, ...which: number[]) => [
  {
    path: review.file.path,
    version: review.version,
    hunks: which.map(each => review.hunks[each]?.id ?? `missing ${each}`),
  },
]
const accept = async (path: string, ...which: number[]) =>
  client.review.accept({ workspaceId, scope: scopes.session(), choices: choose(await look(path), ...which) })
const revert = async (path: string, ...which: number[]) =>
  client.review.revert({ workspaceId, scope: scopes.session(), choices: choose(await look(path), ...which) })
const acceptFile = (path: string, name: ScopeName = 'session') =>
  client.review.accept({ workspaceId, scope: scopes[name](), choices: [{ path: at(path), hunks: null }] })
const revertFile = (path: string, name: ScopeName = 'session') =>
  client.review.revert({ workspaceId, scope: scopes[name](), choices: [{ path: at(path), hunks: null }] })
const undo = (name: ScopeName = 'session') => client.review.undo({ workspaceId, scope: scopes[name]() })
const restart = async () => {
  await core.dispose()
  await start()
}

/** Lines of hunks: what they took away and what they put. */
const shown = ({ base, now, hunks }: FileReview) => {
  const lines = (text: string | null, { from, to }: { from: number; to: number }) =>
    (text ?? '').split('\n').slice(from, to).join('|')
  return hunks.map(hunk => `${hunk.by}: ${lines(base, hunk.base)} > ${lines(now, hunk.now)}`)
}

describe('what is to be looked at', () => {
  it('edits, a new file and a file that the person changed too are told apart', async () => {
    await put('a.txt', 'one\ntwo\nthree\nfour\nfive\n')
    await turn(read('a.txt'), edit('a.txt', 'two', 'TWO'), write('new.txt', 'new\n'))
    await put('a.txt', 'one\nTWO\nthree\nfour\nmine\n')
    const { files, others } = await list()
    expect(files).toMatchObject([
      { path: at('a.txt'), change: 'changed', kind: 'text', by: 'mixed', added: 1, removed: 1, left: 1 },
      { path: at('new.txt'), change: 'created', kind: 'text', by: 'agent', added: 1, removed: 0, left: 1 },
    ])
    expect(others).toEqual([])
    expect(shown(await look('a.txt'))).toEqual(['agent: two > TWO', 'outside: five > mine'])
  })

  it('what the person saved in the window is theirs, in a file of the agent’s and in others', async () => {
    await put('a.txt', 'one\ntwo\nthree\nfour\n')
    await put('mine.txt', 'mine\n')
    await turn(read('a.txt'), edit('a.txt', 'one', 'ONE'))
    const save = async (path: string, text: string) => {
      const { state } = await client.document.open({ workspaceId, path: at(path) })
      const { documentId, version } = state
      await client.document.change({ documentId, baseVersion: version, changes: [{ from: 0, to: 0, text }] })
      await client.document.save({ documentId })
    }
    await save('mine.txt', 'more ')
    const opened = await client.document.open({ workspaceId, path: at('a.txt') })
    const { documentId, version } = opened.state
    const end = opened.text.length
    await client.document.change({
      documentId,
      baseVersion: version,
      changes: [{ from: end, to: end, text: 'my end\n' }],
    })
    await client.document.save({ documentId })
    expect(shown(await look('a.txt'))).toEqual(['agent: one > ONE', 'you:  > my end'])
    const { files, others } = await list('turn')
    expect(files).toMatchObject([{ path: at('a.txt'), left: 1, added: 1, removed: 1 }])
    expect(others).toMatchObject([{ path: at('mine.txt'), by: 'you', left: 0 }])
    expect(shown(await look('mine.txt', 'turn'))).toEqual(['you: mine > more mine'])
    // Nothing of it is the agent's to take back.
    await client.review.revert({ workspaceId, scope: scopes.session(), choices: null })
    expect([await onDisk('a.txt'), await onDisk('mine.txt')]).toEqual([
      'one\ntwo\nthree\nfour\nmy end\n',
      'more mine\n',
    ])
  })

  it('what a command wrote is there with its kinds: gone, come, bits, bytes that are no text', async () => {
    await put('gone.txt', 'gone\n')
    await put('run.sh', 'echo\n')
    await put('dot.png', PICTURE)
    await turn({
      call: 'bash',
      arguments: { command: 'rm gone.txt; chmod +x run.sh; printf x >> dot.png; echo come > come.txt; : > empty.txt' },
    })
    const { files } = await list()
    expect(files).toMatchObject([
      { path: at('come.txt'), change: 'created', kind: 'text', left: 1 },
      { path: at('dot.png'), change: 'changed', kind: 'image', left: 1 },
      { path: at('empty.txt'), change: 'created', left: 1 },
      { path: at('gone.txt'), change: 'deleted', kind: 'text', removed: 1 },
      { path: at('run.sh'), change: 'changed', kind: 'mode', facts: { before: '644', after: '755' } },
    ])
    const picture = (side: 'base' | 'now') =>
      client.review.picture({ workspaceId, scope: scopes.session(), path: at('dot.png'), side })
    expect(await picture('base')).toEqual({ base64: PICTURE.toString('base64'), mediaType: 'image/png' })
    expect((await client.review.revert({ workspaceId, scope: scopes.session(), choices: null })).left).toEqual([])
    expect(await list()).toMatchObject({ files: [] })
    expect(await onDisk('gone.txt')).toBe('gone\n')
    expect((await stat(inside('run.sh'))).mode & 0o777).toBe(0o644)
    expect((await readFile(inside('dot.png'))).equals(PICTURE)).toBe(true)
    await undo()
    expect((await list()).files).toEqual(files)
    await client.review.accept({ workspaceId, scope: scopes.session(), choices: null })
    expect(await list()).toMatchObject({ files: [] })
    await restart()
    expect(await list()).toMatchObject({ files: [] })
  })

  it('this turn is less than the session, and what is accepted in one is accepted in both', async () => {
    await put('a.txt', 'one\ntwo\nthree\nfour\n')
    await turn(read('a.txt'), edit('a.txt', 'one', 'ONE'))
    await turn(edit('a.txt', 'four', 'FOUR'))
    expect(shown(await look('a.txt', 'session'))).toEqual(['agent: one > ONE', 'agent: four > FOUR'])
    expect(shown(await look('a.txt', 'turn'))).toEqual(['agent: four > FOUR'])
    await acceptFile('a.txt', 'turn')
    expect(await names('turn')).toEqual([])
    expect(shown(await look('a.txt', 'session'))).toEqual(['agent: one > ONE'])
  })

  it('what the agent took back itself is no change', async () => {
    await put('a.txt', 'one\ntwo\n')
    await turn(read('a.txt'), edit('a.txt', 'one', 'ONE'), edit('a.txt', 'ONE', 'one'), write('b.txt', 'b\n'))
    await unlink(inside('b.txt'))
    expect(await list()).toMatchObject({ files: [], others: [] })
  })

  it('line ends, an empty new file and a missing final newline are said as what they are', async () => {
    await put('ends.txt', 'a\r\nb\r\n')
    await put('final.txt', 'a\nb')
    await turn(
      read('final.txt'),
      edit('final.txt', 'b', 'b\n'),
      write('empty.txt', ''),
      read('ends.txt'),
      edit('ends.txt', 'a', 'A'),
      edit('ends.txt', 'A', 'a'),
    )
    await put('ends.txt', 'a\nb\n')
    expect((await list()).files).toMatchObject([
      { path: at('empty.txt'), change: 'created', left: 1, added: 0 },
      { path: at('final.txt'), change: 'changed', left: 1 },
    ])
    expect((await list()).others).toMatchObject([
      { path: at('ends.txt'), kind: 'lineEnds', facts: { before: 'CRLF', after: 'LF' } },
    ])
    expect((await look('final.txt')).hunks).toMatchObject([
      { ends: true, base: { from: 1, to: 2 }, now: { from: 1, to: 2 } },
    ])
  })
})

describe('accepting', () => {
  it('a hunk is never shown again: not when lines shift, not after a restart, not when the agent goes on', async () => {
    await put('a.txt', 'one\ntwo\nthree\nfour\nfive\n')
    await turn(read('a.txt'), edit('a.txt', 'two', 'TWO'), edit('a.txt', 'five', 'FIVE'))
    expect(await accept('a.txt', 0)).toMatchObject({ files: 1, left: [] })
    expect(shown(await look('a.txt'))).toEqual(['agent: five > FIVE'])
    await restart()
    expect(shown(await look('a.txt'))).toEqual(['agent: five > FIVE'])
    await turn(read('a.txt'), edit('a.txt', 'one', 'zero\none'), edit('a.txt', 'three', 'THREE'))
    expect(shown(await look('a.txt'))).toEqual(['agent:  > zero', 'agent: three > THREE', 'agent: five > FIVE'])
    expect(await onDisk('a.txt')).toBe('zero\none\nTWO\nTHREE\nfour\nFIVE\n')
  })

  it('undoing it shows it again, exactly', async () => {
    await put('a.txt', 'one\ntwo\nthree\n')
    await turn(read('a.txt'), edit('a.txt', 'one', 'ONE'), edit('a.txt', 'three', 'THREE'))
    const before = await look('a.txt')
    await accept('a.txt', 0)
    await accept('a.txt', 0)
    expect(await names()).toEqual([])
    await undo()
    await undo()
    expect(await look('a.txt')).toEqual(before)
    expect((await undo()).reviewId).toBeNull()
  })

  it('everything at once, and everything back with one undo', async () => {
    await put('a.txt', 'one\n')
    await turn(read('a.txt'), edit('a.txt', 'one', 'ONE'), write('b.txt', 'b\n'))
    expect(await client.review.accept({ workspaceId, scope: scopes.turn(), choices: null })).toMatchObject({ files: 2 })
    expect(await names()).toEqual([])
    await undo()
    expect(await names()).toEqual(['a.txt', 'b.txt'])
  })

  it('of what changed meanwhile nothing is accepted unseen', async () => {
    await put('a.txt', 'one\ntwo\n')
    await turn(read('a.txt'), edit('a.txt', 'one', 'ONE'))
    const seen = await look('a.txt')
    await turn(edit('a.txt', 'ONE', 'EINS'))
    const answer = await client.review.accept({ workspaceId, scope: scopes.session(), choices: choose(seen, 0) })
    expect(answer).toMatchObject({ reviewId: null, files: 0, left: [{ path: at('a.txt') }] })
    expect(shown(await look('a.txt'))).toEqual(['agent: one > EINS'])
  })
})

describe('taking back', () => {
  it('a hunk is written back, the rest stays; undone it is there again and the agent’s', async () => {
    await put('a.txt', 'one\r\ntwo\r\nthree')
    await turn(read('a.txt'), edit('a.txt', 'one', 'ONE'), edit('a.txt', 'three', 'THREE'))
    const before = await look('a.txt')
    await revert('a.txt', 1)
    expect(await onDisk('a.txt')).toBe('ONE\r\ntwo\r\nthree')
    expect((await look('a.txt')).hunks).toHaveLength(1)
    await restart()
    await undo()
    expect(await onDisk('a.txt')).toBe('ONE\r\ntwo\r\nTHREE')
    expect(await look('a.txt')).toEqual(before)
  })

  it('undone after others went on writing, their lines stay', async () => {
    await put('a.txt', 'one\ntwo\nthree\n')
    await turn(read('a.txt'), edit('a.txt', 'one', 'ONE'))
    await revert('a.txt', 0)
    await put('a.txt', 'one\ntwo\nthree\nmine\n')
    expect(await undo()).toMatchObject({ files: 1, left: [] })
    expect(await onDisk('a.txt')).toBe('ONE\ntwo\nthree\nmine\n')
    expect(shown(await look('a.txt'))).toEqual(['agent: one > ONE', 'outside:  > mine'])
    await revert('a.txt', 0)
    await put('a.txt', 'theirs\ntwo\nthree\nmine\n')
    expect(await undo()).toMatchObject({ reviewId: null, left: [{ path: at('a.txt') }] })
    expect(await onDisk('a.txt')).toBe('theirs\ntwo\nthree\nmine\n')
  })

  it('a new file goes, and undone it is there again', async () => {
    await turn(write('new.txt', 'new\n'))
    await revertFile('new.txt')
    await expect(onDisk('new.txt')).rejects.toThrow()
    expect(await names()).toEqual([])
    await undo()
    expect(await onDisk('new.txt')).toBe('new\n')
    expect(await names()).toEqual(['new.txt'])
  })

  it('the whole file takes back the agent’s alone and names what others wrote in it', async () => {
    await put('a.txt', 'one\ntwo\nthree\n')
    await turn(read('a.txt'), edit('a.txt', 'one', 'ONE'), edit('a.txt', 'three', 'THREE'))
    await put('a.txt', 'ONE\ntwo\nTHREE\nmine\n')
    const answer = await revertFile('a.txt')
    expect(answer.left).toMatchObject([{ path: at('a.txt') }])
    expect(await onDisk('a.txt')).toBe('one\ntwo\nTHREE\nmine\n')
  })

  it('what a person has not saved stays in the editor', async () => {
    await put('a.txt', 'one\ntwo\nthree\n')
    await turn(read('a.txt'), edit('a.txt', 'one', 'ONE'))
    const opened = await client.document.open({ workspaceId, path: at('a.txt') })
    const { documentId, version } = opened.state
    await client.document.change({ documentId, baseVersion: version, changes: [{ from: 8, to: 8, text: 'typed ' }] })
    await revert('a.txt', 0)
    expect(await onDisk('a.txt')).toBe('one\ntwo\nthree\n')
    const again = await client.document.open({ workspaceId, path: at('a.txt') })
    expect(again).toMatchObject({ text: 'one\ntwo\ntyped three\n', state: { dirty: true } })
  })

  it('a file with unicode and without lines at its end is the same bytes again', async () => {
    const text = '\u4f60\u597d\r\n\u{1d4b3}\n\re\u0301'
    await put('a.txt', text)
    await turn(read('a.txt'), edit('a.txt', '\u4f60\u597d', 'hello'), edit('a.txt', 'e\u0301', 'x'))
    await client.review.revert({ workspaceId, scope: scopes.session(), choices: null })
    expect(await onDisk('a.txt')).toBe(text)
    await undo()
    expect(await onDisk('a.txt')).toBe('hello\r\n\u{1d4b3}\n\rx')
  })
})

describe('git', () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=n', '-c', 'user.email=e', ...args], { stdio: 'pipe' })

  it('shows what differs from HEAD, takes it back, and undoes that', async () => {
    await put('a.txt', 'one\ntwo\nthree\n')
    await put('run.sh', 'echo\n')
    await put('old.txt', Array.from({ length: 20 }, (_, i) => `line ${i}\n`).join(''))
    await put('dot.png', PICTURE)
    await symlink('run.sh', inside('to'))
    git('init', '--quiet', '--initial-branch=main')
    git('add', '.')
    git('commit', '--quiet', '--message=m')
    await put('a.txt', 'ONE\ntwo\nTHREE\n')
    await put('new.txt', 'new\n')
    await chmod(inside('run.sh'), 0o755)
    await writeFile(inside('dot.png'), Buffer.concat([PICTURE, Buffer.from('x')]))
    await unlink(inside('to'))
    await symlink('a.txt', inside('to'))
    git('mv', 'old.txt', 'moved.txt')
    const { files } = await list('git')
    expect(files).toMatchObject([
      { path: at('a.txt'), change: 'changed', left: 2, by: 'unknown' },
      { path: at('dot.png'), kind: 'image', left: 1 },
      { path: at('moved.txt'), change: 'renamed', from: at('old.txt'), left: 1, added: 0 },
      { path: at('new.txt'), change: 'created', left: 1 },
      { path: at('run.sh'), kind: 'mode', left: 1 },
      { path: at('to'), kind: 'link', facts: { before: 'run.sh', after: 'a.txt' } },
    ])
    const review = await look('a.txt', 'git')
    await client.review.revert({ workspaceId, scope: scopes.git(), choices: choose(review, 1) })
    expect(await onDisk('a.txt')).toBe('ONE\ntwo\nthree\n')
    await undo('git')
    expect(await onDisk('a.txt')).toBe('ONE\ntwo\nTHREE\n')
    await expect(
      client.review.accept({ workspaceId, scope: scopes.git(), choices: choose(review, 0) }),
    ).rejects.toMatchObject({ code: 'unsupported' })
    // Everything as in HEAD, and everything back.
    await put('a.txt', 'ONE\ntwo\nTHREE\n')
    expect((await client.review.revert({ workspaceId, scope: scopes.git(), choices: null })).left).toEqual([])
    await expect(onDisk('moved.txt')).rejects.toThrow()
    expect(await onDisk('old.txt')).toContain('line 19')
    expect(await readlink(inside('to'))).toBe('run.sh')
    await undo('git')
    expect(await readlink(inside('to'))).toBe('a.txt')
    expect((await list('git')).files).toEqual(files)
  })

  it('what is no text of lines is told as what it is: bytes, too much, another repository', async () => {
    const far = join(home, 'far')
    await mkdir(far)
    const there = (...args: string[]) =>
      execFileSync('git', ['-C', far, '-c', 'user.name=n', '-c', 'user.email=e', ...args], { stdio: 'pipe' })
    there('init', '--quiet', '--initial-branch=main')
    there('commit', '--quiet', '--allow-empty', '--message=one')
    await put('raw.dat', Buffer.from([0, 1, 2, 3]))
    const big = 'a line\n'.repeat(MOST_REVIEW_CHARS / 14 + 1)
    await put('big.txt', big)
    git('init', '--quiet', '--initial-branch=main')
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', far, 'inner')
    git('add', '.')
    git('commit', '--quiet', '--message=m')
    await put('raw.dat', Buffer.from([0, 1, 2, 4]))
    await put('big.txt', `${big}one more\n`)
    const inner = (...args: string[]) => git('-C', 'inner', ...args)
    const before = inner('rev-parse', 'HEAD').toString().slice(0, 12)
    inner('commit', '--quiet', '--allow-empty', '--message=two')
    const after = inner('rev-parse', 'HEAD').toString().slice(0, 12)
    const { files } = await list('git')
    expect(files).toMatchObject([
      { path: at('big.txt'), kind: 'huge', left: 1 },
      { path: at('inner'), kind: 'submodule', facts: { before, after } },
      { path: at('raw.dat'), kind: 'binary', left: 1 },
    ])
    // Taken back to the byte; what is another repository's is left to it, and named.
    const { left } = await client.review.revert({ workspaceId, scope: scopes.git(), choices: null })
    expect(left.map(({ path }) => path.path)).toEqual(['inner'])
    expect(await readFile(inside('raw.dat'))).toEqual(Buffer.from([0, 1, 2, 3]))
    expect(await onDisk('big.txt')).toBe(big)
    expect(inner('rev-parse', 'HEAD').toString().slice(0, 12)).toBe(after)
  })

  it('folders of the workspace inside another are shown once, as their own, in the order in which they stand there', async () => {
    await put('a.txt', 'a\n')
    const parts = ['one', 'two', 'three', 'four', 'five']
    git('init', '--quiet', '--initial-branch=main')
    const expected = [at('a.txt')]
    for (const part of parts) {
      await mkdir(inside(part))
      await put(`${part}/b.txt`, 'b\n')
      const wish = { workspaceId, folder: inside(part), kind: 'files', alias: null, readOnly: false } as const
      const { roots } = await client.workspace.addRoot({ ...wish, trust: true })
      expected.push({ rootId: roots.at(-1)?.rootId as RootId, path: 'b.txt' })
    }
    await expect
      .poll(async () => (await list('git')).files.map(({ path }) => path), { timeout: 15_000 })
      .toEqual(expected)
  })
})
