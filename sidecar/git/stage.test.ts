import { chmod, lstat, mkdir, readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { GitDiff, GitSide } from '#contract/git'
import { anyText } from './any-text.case.ts'
import { createRig, done, type Rig, refused } from './rig.case.ts'

let rig: Rig
afterEach(() => rig.end())
const stage = async (...paths: string[]) => rig.handlers.stage({ ...rig.here, paths }, rig.context)
const unstage = async (...paths: string[]) => rig.handlers.unstage({ ...rig.here, paths }, rig.context)
const diff = async (path: string, from: GitSide = 'index', to: GitSide = 'worktree'): Promise<GitDiff> =>
  rig.handlers.diff({ ...rig.here, path, from, to }, rig.context) as Promise<GitDiff>
const numbered = (of: GitDiff) =>
  of.hunks.flatMap(hunk => hunk.lines.map((line, at) => ({ ...line, at: hunk.firstLine + at })))
/** Numbers of the changed lines with these texts; all without. */
const linesOf = (of: GitDiff, ...texts: string[]) =>
  numbered(of).flatMap(({ kind, text, at }) =>
    kind !== 'context' && (texts.length === 0 || texts.includes(text)) ? [at] : [],
  )
const stageLines = async (path: string, token: string, lines: number[]) =>
  rig.handlers.stageLines({ ...rig.here, path, token, lines }, rig.context)
const unstageLines = async (path: string, token: string, lines: number[]) =>
  rig.handlers.unstageLines({ ...rig.here, path, token, lines }, rig.context)

describe('whole files', () => {
  it('go in and out again: changed, new, deleted, renamed, with modes and links', async () => {
    rig = await createRig()
    for (const name of ['changed', 'deleted', 'old name']) await rig.write(name, `${name}\n`.repeat(9))
    rig.commit()
    await rig.write('changed', 'x\n', 0o755)
    await rig.write('new/deep', 'x\n')
    await rm(join(rig.folder, 'deleted'))
    rig.git('mv', 'old name', 'new name')
    await symlink('changed', join(rig.folder, 'link'))
    const before = rig.short()
    done(await stage('changed', 'new', 'deleted', 'link'))
    expect(rig.short()).toEqual(['A  link', 'A  new/deep', 'D  deleted', 'M  changed', 'R  "old name" -> "new name"'])
    expect(
      rig
        .git('ls-files', '--stage')
        .split('\n')
        .map(line => line.replace(/ \w+ 0/, '')),
    ).toEqual(['100755\tchanged', '120000\tlink', '100644\tnew name', '100644\tnew/deep', ''])
    done(await unstage('changed', 'new', 'deleted', 'link'))
    expect(rig.short()).toEqual(before)
    done(await unstage('new name'))
    expect(rig.short()).toEqual([
      ' D "old name"',
      ' D deleted',
      ' M changed',
      '?? "new name"',
      '?? link',
      '?? new/deep',
    ])
    done(await stage(''))
    expect(rig.short().every(line => line[1] === ' ')).toBe(true)
    done(await unstage(''))
    expect(rig.git('diff', '--cached', '--name-only')).toBe('')
  })

  it('before the first commit, and one that is only announced', async () => {
    rig = await createRig()
    await rig.write('a', 'a')
    await rig.write('b', 'b')
    rig.git('add', '-N', 'b')
    done(await stage(''))
    expect(rig.short()).toEqual(['A  a', 'A  b'])
    done(await unstage('a'))
    expect(rig.short()).toEqual(['?? a', 'A  b'])
    done(await unstage(''))
    expect(rig.short()).toEqual(['?? a', '?? b'])
  })

  it('with names that look like options, patterns or something else', async () => {
    rig = await createRig()
    const names = [
      '-n',
      '--all',
      '*.ts',
      ':(top)x',
      ':!y',
      'a\nb',
      'tab\tquote"',
      ' space ',
      'ü',
      'u\u0308',
      'x'.repeat(255),
      '日本語',
      '$(touch z)',
    ]
    for (const name of names) await rig.write(name, 'x')
    await rig.write('other.ts', 'x')
    for (const name of names) done(await stage(name))
    const staged = () => rig.git('diff', '--cached', '--name-only', '-z').split('\0').filter(Boolean).sort()
    expect(staged()).toEqual([...names].sort())
    for (const name of names) {
      const content = await diff(name, 'head', 'index')
      expect(content).toMatchObject({ kind: 'text', change: 'added', newMode: '100644' })
      done(await unstageLines(name, content.token, linesOf(content)))
    }
    expect(staged()).toEqual([])
    done(await stage(...names))
    expect(staged()).toEqual([...names].sort())
  })

  it('refuses what is ignored, gone, outside, in conflict, and says who holds the lock', async () => {
    rig = await createRig()
    await rig.write('.gitignore', 'ignored\n')
    await rig.write('ignored', 'x')
    await rig.write('a', 'base\n')
    rig.commit()
    expect(refused(await stage('ignored'))).toMatchObject({
      reason: 'notPossible',
      message: expect.stringContaining('.gitignore'),
    })
    expect(refused(await stage('nowhere'))).toMatchObject({ reason: 'missing', next: ['refresh'] })
    await expect(stage('../home')).rejects.toMatchObject({ code: 'invalid' })
    await symlink(rig.home, join(rig.folder, 'out'))
    await expect(stage('out/x')).rejects.toMatchObject({ code: 'outside' })
    await rig.write('.git/index.lock', '')
    await rig.write('a', 'changed')
    expect(refused(await stage('a'))).toMatchObject({
      reason: 'locked',
      message: expect.stringContaining(join(rig.folder, '.git/index.lock')),
    })
    await rm(join(rig.folder, '.git/index.lock'))
    rig.git('switch', '-q', '-c', 'side')
    rig.commit()
    rig.git('switch', '-q', 'main')
    await rig.write('a', 'other')
    rig.commit()
    expect(() => rig.git('merge', 'side')).toThrow()
    for (const outcome of [await stage(''), await unstage('a')])
      expect(refused(outcome)).toMatchObject({ reason: 'conflict', files: ['a'], next: ['resolve'] })
    expect(rig.short()).toEqual(['A  out', 'UU a'])
  })

  it('of a part of a bigger repository, and of a repository inside', async () => {
    rig = await createRig({ below: 'part' })
    rig.gitIn(rig.top, 'commit', '-q', '--allow-empty', '-m', 'x')
    await rig.write('in', 'x\n')
    await rig.write('../beside', 'x\n')
    done(await stage(''))
    expect(rig.short()).toEqual(['?? beside', 'A  part/in'])
    const part = await diff('in', 'head', 'index')
    done(await unstageLines('in', part.token, linesOf(part)))
    await mkdir(join(rig.folder, 'inner'))
    rig.gitIn(join(rig.folder, 'inner'), 'init', '-q')
    await rig.write('inner/deep/file', 'x\n')
    done(await rig.handlers.stage({ ...rig.here, inside: 'inner', paths: ['inner/deep'] }, rig.context))
    expect(rig.gitIn(join(rig.folder, 'inner'), 'status', '--short').trim()).toBe('A  deep/file')
  })
})

describe('lines', () => {
  it('go in and out one by one; what changed since they were shown is refused', async () => {
    rig = await createRig()
    await rig.write('a', '1\n2\n3\n4\n5\n6\n7\n8\n8\n9\n')
    rig.commit()
    await rig.write('a', '1\nTWO\n3\n4\n5\n6\n7\n8\n8\nNINE\nTEN\n')
    const shown = await diff('a')
    expect(shown.hunks.map(hunk => [hunk.oldStart, hunk.firstLine, hunk.lines.length])).toEqual([
      [1, 0, 6],
      [7, 6, 6],
    ])
    done(await stageLines('a', shown.token, linesOf(shown, '2', 'TWO', 'TEN')))
    expect(rig.staged('a')).toBe('1\nTWO\n3\n4\n5\n6\n7\n8\n8\n9\nTEN\n')
    expect(refused(await stageLines('a', shown.token, linesOf(shown)))).toMatchObject({
      reason: 'stale',
      next: ['refresh'],
    })
    const staged = await diff('a', 'head', 'index')
    done(await unstageLines('a', staged.token, linesOf(staged, 'TEN')))
    expect(rig.staged('a')).toBe('1\nTWO\n3\n4\n5\n6\n7\n8\n8\n9\n')
    const again = await diff('a')
    await rig.write('a', 'quite different\n')
    expect(refused(await stageLines('a', again.token, linesOf(again)))).toMatchObject({ reason: 'stale' })
    expect(rig.staged('a')).toBe('1\nTWO\n3\n4\n5\n6\n7\n8\n8\n9\n')
  })

  it('of a new file, of a deleted one, with their modes', async () => {
    rig = await createRig()
    await rig.write('deleted', 'a\nb\nc\n', 0o755)
    rig.commit()
    await rm(join(rig.folder, 'deleted'))
    await rig.write('new', 'x\ny\nz', 0o755)
    const added = await diff('new')
    expect(added).toMatchObject({ change: 'added', oldMode: null, newMode: '100755' })
    done(await stageLines('new', added.token, linesOf(added, 'y', 'z')))
    expect([rig.staged('new'), rig.short()]).toEqual(['y\nz', [' D deleted', 'AM new']])
    const gone = await diff('deleted')
    done(await stageLines('deleted', gone.token, linesOf(gone, 'b')))
    expect([rig.staged('deleted'), rig.short()]).toEqual(['a\nc\n', ['AM new', 'MD deleted']])
    const rest = await diff('deleted')
    done(await stageLines('deleted', rest.token, linesOf(rest)))
    expect(rig.short()).toEqual(['AM new', 'D  deleted'])
    const back = await diff('deleted', 'head', 'index')
    done(await unstageLines('deleted', back.token, linesOf(back, 'c')))
    expect(rig.staged('deleted')).toBe('c\n')
    expect(rig.git('ls-files', '--stage').match(/^100755/gm)).toHaveLength(2)
  })

  it('are refused for what has none: binary, a link, a submodule, a file that a filter of the repository changes', async () => {
    rig = await createRig()
    await rig.write('bin', Buffer.from([0, 1, 2]))
    await rig.write('filtered', 'a\nb\n')
    await symlink('a', join(rig.folder, 'link'))
    rig.commit()
    await rig.write('bin', Buffer.from([0, 1, 3]))
    await rm(join(rig.folder, 'link'))
    await symlink('b', join(rig.folder, 'link'))
    await rig.write('.git/info/attributes', 'filtered filter=own\n')
    rig.git('config', 'filter.own.clean', 'tr a-z A-Z')
    await rig.write('filtered', 'c\nd\n')
    const binary = await diff('bin')
    expect(binary.kind).toBe('binary')
    expect(refused(await stageLines('bin', binary.token, [0]))).toMatchObject({ reason: 'nothing' })
    const link = await diff('link')
    expect(refused(await stageLines('link', link.token, [0]))).toMatchObject({ reason: 'notPossible' })
    const filtered = await diff('filtered')
    expect(refused(await stageLines('filtered', filtered.token, linesOf(filtered, 'c')))).toMatchObject({
      reason: 'notPossible',
      message: expect.stringContaining('filter'),
    })
    done(await stageLines('filtered', filtered.token, linesOf(filtered)))
    expect(rig.staged('filtered')).toBe('C\nD\n')
  })

  it('where line ends are converted, are stored as git stores them and come back as they lie on the disk', async () => {
    rig = await createRig()
    rig.git('config', 'core.autocrlf', 'true')
    await rig.write('a', '1\r\n2\r\n3\r\n')
    rig.commit()
    await rig.write('a', '1\r\nTWO\r\n3\r\n4\r\n')
    const shown = await diff('a')
    done(await stageLines('a', shown.token, linesOf(shown, '4')))
    expect(rig.staged('a')).toBe('1\n2\n3\n4\n')
    const rest = await diff('a')
    done(
      await rig.handlers.discardLines({ ...rig.here, path: 'a', token: rest.token, lines: linesOf(rest) }, rig.context),
    )
    expect(await rig.read('a')).toBe('1\r\n2\r\n3\r\n4\r\n')
    expect(rig.short()).toEqual(['M  a'])
  })
})

describe('any choice of lines', () => {
  it('the rest follows to the work tree; all unstaged is HEAD; all staged is the work tree', async () => {
    rig = await createRig()
    const blob = () => rig.gitRaw('cat-file', 'blob', ':f')
    const stageSome = async (some: (all: number[]) => number[]) => {
      const shown = await diff('f')
      const lines = some(linesOf(shown))
      if (lines.length > 0) done(await stageLines('f', shown.token, lines))
    }
    const unstageSome = async (some: (all: number[]) => number[]) => {
      const shown = await diff('f', 'head', 'index')
      const lines = some(linesOf(shown))
      if (lines.length > 0) done(await unstageLines('f', shown.token, lines))
    }
    const all = (lines: number[]) => lines
    const property = fc.asyncProperty(anyText, anyText, fc.infiniteStream(fc.boolean()), async (old, now, coin) => {
      const some = (lines: number[]) => lines.filter(() => coin.next().value)
      await rig.write('f', old)
      rig.commit()
      await rig.write('f', now)
      await stageSome(some)
      await stageSome(all)
      expect(blob()).toEqual(now)
      await unstageSome(some)
      await unstageSome(all)
      expect(blob()).toEqual(old)
    })
    await fc.assert(property, { numRuns: 8 })
  }, 60_000)
})

describe('discarding', () => {
  const discard = async (...paths: string[]) => rig.handlers.discard({ ...rig.here, paths }, rig.context)
  const undo = async (undoId: string) => rig.handlers.undoDiscard({ ...rig.here, undoId }, rig.context)

  it('brings files back to the index, and undo brings back what they were', async () => {
    rig = await createRig()
    for (const name of ['changed', 'deleted', 'staged']) await rig.write(name, `${name}\n`)
    await symlink('changed', join(rig.folder, 'link'))
    rig.commit()
    await rig.write('changed', Buffer.from([0, 255, 13, 10]), 0o755)
    await rm(join(rig.folder, 'deleted'))
    await rig.write('staged', 'in the index\n')
    rig.git('add', 'staged')
    await rig.write('staged', 'beyond\n')
    await rig.write('new/deep/file', 'new\n')
    await rig.write('announced', 'announced\n')
    rig.git('add', '-N', 'announced')
    await rm(join(rig.folder, 'link'))
    await symlink('elsewhere', join(rig.folder, 'link'))
    const before = rig.short()
    const { undoId } = done(await discard(''))
    expect(rig.short()).toEqual(['M  staged'])
    expect([await rig.read('changed'), await rig.read('deleted'), await rig.read('staged')]).toEqual([
      'changed\n',
      'deleted\n',
      'in the index\n',
    ])
    await expect(lstat(join(rig.folder, 'new'))).rejects.toThrow()
    done(await undo(undoId))
    expect(rig.short()).toEqual(before.map(each => each.replace(' A announced', '?? announced')).sort())
    expect(await readFile(join(rig.folder, 'changed'))).toEqual(Buffer.from([0, 255, 13, 10]))
    expect((await lstat(join(rig.folder, 'changed'))).mode & 0o100).toBe(0o100)
    expect(refused(await undo(undoId))).toMatchObject({ reason: 'stale' })
  })

  it('is not undone over something newer, and takes nothing where it fails', async () => {
    rig = await createRig()
    await rig.write('a', 'a\n')
    rig.commit()
    await rig.write('a', 'mine\n')
    const { undoId } = done(await discard('a'))
    await rig.write('a', 'newer\n')
    expect(refused(await undo(undoId))).toMatchObject({ reason: 'stale' })
    expect(await rig.read('a')).toBe('newer\n')
    await rig.write('.git/index.lock', '')
    expect(refused(await discard('a'))).toMatchObject({ reason: 'locked' })
    expect(await rig.read('a')).toBe('newer\n')
    await rm(join(rig.folder, '.git/index.lock'))
    rig.git('checkout', '-q', 'a')
    expect(refused(await discard(''))).toMatchObject({ reason: 'nothing' })
  })

  it('of lines leaves the others, also of a new and of a deleted file', async () => {
    rig = await createRig()
    await rig.write('a', '1\n2\n3\n', 0o755)
    await rig.write('gone', '1\n2\n')
    rig.commit()
    await rig.write('a', '1\nTWO\n3\nFOUR')
    await chmod(join(rig.folder, 'a'), 0o755)
    await rig.write('new', 'x\ny\n')
    await rm(join(rig.folder, 'gone'))
    const discardLines = async (path: string, ...texts: string[]) => {
      const shown = await diff(path)
      const lines = linesOf(shown, ...texts)
      return rig.handlers.discardLines({ ...rig.here, path, token: shown.token, lines }, rig.context)
    }
    const { undoId } = done(await discardLines('a', '2', 'TWO'))
    expect(await rig.read('a')).toBe('1\n2\n3\nFOUR')
    done(await undo(undoId))
    expect(await rig.read('a')).toBe('1\nTWO\n3\nFOUR')
    expect((await lstat(join(rig.folder, 'a'))).mode & 0o100).toBe(0o100)
    done(await discardLines('new', 'x'))
    expect(await rig.read('new')).toBe('y\n')
    done(await discardLines('new'))
    done(await discardLines('gone', '2'))
    expect(await rig.read('gone')).toBe('2\n')
    expect(rig.short()).toEqual([' M a', ' M gone'])
  })
})
