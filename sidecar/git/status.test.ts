import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { GitStatus } from '#contract/git'
import { createRig, type Rig, until } from './rig.case.ts'

let rig: Rig
afterEach(() => rig.end())
const status = (inside = ''): Promise<GitStatus> =>
  Promise.resolve(rig.handlers.status({ ...rig.here, inside }, rig.context)) as Promise<GitStatus>
/** `index worktree` of each file. */
const sides = ({ files }: GitStatus) =>
  Object.fromEntries(
    files.map(({ path, index, worktree, conflict }) => [path.path, conflict ?? `${index ?? '-'} ${worktree ?? '-'}`]),
  )
const toldOf = (holds: (status: GitStatus) => boolean) =>
  rig.told.some(each => each.name === 'git/changed' && holds(each.payload))

describe('the status', () => {
  it('tells both sides of every file, the branch and HEAD’s text; and tells again when they change', async () => {
    rig = await createRig()
    for (const name of ['a', 'b', 'c', 'd', 'both', 'link']) await rig.write(name, `${name}\n`.repeat(20))
    rig.commit('first')
    await rig.write('a', 'changed\n')
    await rig.write('both', 'one\n')
    rig.git('add', 'both')
    await rig.write('both', 'two\n')
    rig.git('mv', 'b', 'renamed')
    await rm(join(rig.folder, 'c'))
    rig.git('rm', '-q', 'd')
    await rm(join(rig.folder, 'link'))
    await symlink('a', join(rig.folder, 'link'))
    await rig.write('new\n😀', 'x')
    await rig.write('announced', 'x')
    rig.git('add', '-N', 'announced')
    const now = await status()
    expect(now).toMatchObject({
      ...{ standing: 'ready', repository: true, branch: 'main', detached: false, ahead: 0, behind: 0, upstream: null },
      ...{ truncated: false, inProgress: null, stashes: 0, stagedOutside: 0, top: rig.folder },
      counts: { staged: 3, unstaged: 5, untracked: 1, conflicted: 0, files: 8 },
    })
    expect(sides(now)).toEqual({
      a: '- modified',
      announced: '- added',
      both: 'modified modified',
      c: '- deleted',
      d: 'deleted -',
      link: '- typeChanged',
      renamed: 'renamed -',
      'new\n😀': '- untracked',
    })
    expect(now.files.find(file => file.path.path === 'renamed')).toMatchObject({ from: 'b', staged: true })
    const headText = (path: string) =>
      rig.handlers.headText({ workspaceId: rig.workspaceId, path: { rootId: rig.rootId, path } }, rig.context)
    expect(await headText('a')).toEqual({ text: 'a\n'.repeat(20) })
    expect(await headText('new\n😀')).toEqual({ text: null })
    rig.commit('second')
    await until(() => toldOf(({ files }) => files.length === 0), 'the status after a commit')
  })

  it('tells what is committed before the watch of its folder stands', async () => {
    rig = await createRig()
    await rig.write('a', 'a')
    rig.commit()
    await rig.write('a', 'b')
    expect((await status()).files).toHaveLength(1)
    // Nothing else has its turn meanwhile.
    rig.git('commit', '-q', '-a', '-m', 'second')
    await until(() => toldOf(({ files }) => files.length === 0), 'the status after a commit')
  })

  it('tells that a branch or a tag was made elsewhere', async () => {
    rig = await createRig()
    rig.commit()
    let { refs } = await status()
    for (const verb of [
      ['branch', 'x'],
      ['tag', 'v1'],
      ['branch', '-D', 'x'],
    ]) {
      rig.git(...verb)
      await until(() => toldOf(each => each.refs !== refs), verb.join(' '))
      refs = (await status()).refs
      rig.told.length = 0
    }
  })

  it('of an unborn branch, a detached HEAD, an upstream that is ahead, behind and gone', async () => {
    rig = await createRig()
    expect(await status()).toMatchObject({ standing: 'ready', branch: 'main', head: null, detached: false })
    const first = rig.commit('first')
    const second = rig.commit('second')
    rig.gitIn(rig.base, 'clone', '-q', '--bare', rig.folder, 'remote.git')
    rig.git('remote', 'add', 'origin', join(rig.base, 'remote.git'))
    rig.git('fetch', '-q', 'origin')
    rig.git('branch', '-q', '--set-upstream-to', 'origin/main')
    rig.git('reset', '-q', '--hard', first)
    rig.commit('another')
    expect(await status()).toMatchObject({ upstream: 'origin/main', upstreamGone: false, ahead: 1, behind: 1 })
    rig.git('update-ref', '-d', 'refs/remotes/origin/main')
    expect(await status()).toMatchObject({ upstream: 'origin/main', upstreamGone: true, ahead: 0, behind: 0 })
    rig.git('checkout', '-q', second)
    expect(await status()).toMatchObject({ detached: true, branch: second.slice(0, 8), head: second, upstream: null })
  })

  it('names conflicts first and by kind, and what is in progress', async () => {
    rig = await createRig()
    for (const name of ['both', 'gone', 'went']) await rig.write(name, 'base\n')
    rig.commit()
    rig.git('switch', '-q', '-c', 'side')
    await rig.write('both', 'side\n')
    await rig.write('gone', 'side\n')
    await rm(join(rig.folder, 'went'))
    await rig.write('new', 'side\n')
    const side = rig.commit()
    rig.git('switch', '-q', 'main')
    await rig.write('both', 'main\n')
    await rm(join(rig.folder, 'gone'))
    await rig.write('went', 'main\n')
    await rig.write('new', 'main\n')
    rig.commit()
    await rig.write('aaa', 'untracked')
    for (const [verb, kind] of [
      ['merge', 'merge'],
      ['rebase', 'rebase'],
      ['cherry-pick', 'cherryPick'],
    ] as const) {
      expect(() => rig.git(verb, 'side')).toThrow()
      const now = await status()
      expect(now.inProgress).toMatchObject({
        kind,
        ...(kind === 'rebase' ? { step: 1, of: 1, what: 'main' } : { what: side.slice(0, 8) }),
      })
      expect(now.counts).toMatchObject({ conflicted: 4, untracked: 1 })
      expect(now.files.slice(0, 4).every(file => file.state === 'conflicted')).toBe(true)
      const us =
        kind === 'rebase'
          ? { gone: 'deletedByThem', went: 'deletedByUs' }
          : { gone: 'deletedByUs', went: 'deletedByThem' }
      expect(sides(now)).toMatchObject({ both: 'bothModified', new: 'bothAdded', ...us })
      rig.git(verb, '--abort')
    }
    rig.git('bisect', 'start')
    expect(await status()).toMatchObject({ inProgress: { kind: 'bisect' } })
  })

  it('of a part of a bigger repository: its own files, and how much is staged elsewhere', async () => {
    rig = await createRig({ below: 'part/ü' })
    await writeFile(join(rig.top, 'outside'), 'x')
    await rig.write('in', 'x')
    rig.git('add', '--all')
    const now = await status()
    expect(now).toMatchObject({ standing: 'ready', top: rig.top, stagedOutside: 1, counts: { staged: 1, files: 1 } })
    expect(sides(now)).toEqual({ in: 'added -' })
  })

  it('of a repository inside, with paths of the root; a submodule is one entry', async () => {
    rig = await createRig()
    await mkdir(join(rig.folder, 'deep'))
    rig.gitIn(join(rig.folder, 'deep'), 'init', '-q', '-b', 'main', 'inner')
    await rig.write('deep/inner/file', 'x')
    const inner = join(rig.folder, 'deep/inner')
    rig.gitIn(inner, 'add', '--all')
    rig.gitIn(inner, 'commit', '-q', '-m', 'inner')
    rig.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', './deep/inner', 'deep/inner')
    rig.commit()
    await rig.write('deep/inner/file', 'y')
    expect(sides(await status('deep/inner'))).toEqual({ 'deep/inner/file': '- modified' })
    expect((await status()).files).toEqual([])
    rig.gitIn(inner, 'commit', '-q', '-a', '-m', 'second')
    expect((await status()).files).toMatchObject([
      { path: { path: 'deep/inner' }, submodule: true, worktree: 'modified' },
    ])
  })

  it('counts and pages what is too much for one answer', async () => {
    rig = await createRig()
    rig.commit()
    await Promise.all(Array.from({ length: 5100 }, (_, at) => rig.write(`f${String(at).padStart(5, '0')}`, '')))
    const now = await status()
    expect(now).toMatchObject({ truncated: true, counts: { untracked: 5100, files: 5100 } })
    expect(now.files).toHaveLength(5000)
    const page = (version: number) => rig.handlers.files({ ...rig.here, version, page: 1 }, rig.context)
    const rest = await page(now.version)
    expect(rest).toMatchObject({ version: now.version, nextPage: null })
    expect([rest.files.length, rest.files[0]?.path.path]).toEqual([100, 'f05000'])
    expect(await page(now.version - 1)).toMatchObject({ version: null, files: [] })
  })
})

describe('where there is nothing to work with', () => {
  it('says what it is: no repository, untrusted, bare, broken, files elsewhere', async () => {
    rig = await createRig({ start: false, trusted: false })
    expect(await status()).toMatchObject({ standing: 'untrusted', repository: false })
    await rig.trust(true)
    expect(await status()).toMatchObject({ standing: 'none' })
    rig.git('init', '-q', '--bare')
    expect(await status()).toMatchObject({ standing: 'bare', note: expect.stringContaining('bare') })
    for (const name of await readdir(rig.folder)) await rm(join(rig.folder, name), { recursive: true })
    await rig.write('.git', 'gitdir: /nowhere/at/all\n')
    expect(await status()).toMatchObject({ standing: 'broken', note: expect.stringContaining('/nowhere/at/all') })
    await rm(join(rig.folder, '.git'))
    rig.git('init', '-q')
    rig.git('config', 'core.worktree', rig.home)
    await until(async () => (await status()).standing === 'broken', 'a work tree elsewhere')
    expect(await status()).toMatchObject({ note: expect.stringContaining('core.worktree') })
    await rig.write('.git/config', 'this is [no configuration')
    await until(async () => /bad config/.test((await status()).note ?? ''), 'a broken configuration')
  })

  it('says that there is no git', async () => {
    rig = await createRig()
    rig.env.PATH = '/nowhere'
    expect(await status()).toMatchObject({ standing: 'unavailable', note: expect.stringContaining('Install git') })
    rig.env.PATH = process.env.PATH
  })
})
