import { afterEach, expect, it } from 'vitest'
import { createRig, type Rig } from './rig.case.ts'

let rig: Rig
afterEach(() => rig.end())
const log = async (more: object = {}) =>
  rig.handlers.log({ ...rig.here, skip: 0, limit: 100, of: 'head', follow: false, ...more }, rig.context)
const subjects = async (more: object = {}) => (await log(more)).commits.map(each => each.subject)

it('lists commits in pages, with refs, of branches and tags, by path, author and text', async () => {
  rig = await createRig()
  expect(await log()).toEqual({ commits: [], more: false })
  expect(await log({ of: 'all' })).toEqual({ commits: [], more: false })
  await rig.write('a', '1\n')
  const first = rig.commit('first\n\nwith a body, [brackets] and ü')
  rig.git('tag', '-a', 'v1', '-m', 'one')
  await rig.write('dir/b', '1\n')
  rig.git('add', '--all')
  rig.git('-c', 'user.name=Änne Other', 'commit', '-q', '-m', 'second: 100%')
  rig.git('switch', '-q', '-c', 'side', first)
  await rig.write('c', '1\n')
  rig.commit('on side')
  rig.git('switch', '-q', 'main')
  rig.git('merge', '-q', '--no-ff', '-m', 'merged', 'side')
  const { commits, more } = await log()
  expect([commits.map(each => each.subject), more]).toEqual([['merged', 'on side', 'second: 100%', 'first'], false])
  expect(commits[0]).toMatchObject({
    parents: [commits[2]?.oid, commits[1]?.oid],
    author: { name: 'Tess', email: 'tess@example.org' },
    refs: [{ kind: 'branch', name: 'main', current: true }],
  })
  expect(commits[3]?.refs).toEqual([{ kind: 'tag', name: 'v1' }])
  expect(await log({ skip: 1, limit: 2 })).toMatchObject({
    more: true,
    commits: [{ subject: 'on side' }, { subject: 'second: 100%' }],
  })
  expect(await subjects({ of: 'side' })).toEqual(['on side', 'first'])
  expect(await subjects({ path: 'dir' })).toEqual(['second: 100%'])
  expect(await subjects({ author: 'änne' })).toEqual(['second: 100%'])
  expect(await subjects({ text: '[BRACKETS]' })).toEqual(['first'])
  expect(await subjects({ text: first.slice(0, 9) })).toEqual(['first'])
  expect(await subjects({ text: '--output=x' })).toEqual([])
  rig.git('switch', '-q', '--detach', first)
  expect(await subjects()).toEqual(['first'])
  expect(await subjects({ of: 'all' })).toHaveLength(4)
  await expect(log({ of: 'nowhere' })).rejects.toMatchObject({ code: 'not_found' })
})

it('follows a file through its names, and shows it at each commit and between two', async () => {
  rig = await createRig({ below: 'part' })
  const text = Array.from({ length: 30 }, (_, at) => `line ${at}\n`).join('')
  await rig.write('old', text)
  const first = rig.commit('first')
  rig.git('mv', 'part/old', 'part/new\nname')
  await rig.write('new\nname', `${text}more\n`)
  const second = rig.commit('renamed')
  await rig.write('new\nname', `${text}more and more\n`)
  rig.commit('third')
  const { commits } = await log({ path: 'new\nname', follow: true })
  expect(commits.map(each => [each.subject, each.path])).toEqual([
    ['third', 'new\nname'],
    ['renamed', 'new\nname'],
    ['first', 'old'],
  ])
  const textAt = async (path: string, commit: string) =>
    rig.handlers.text({ ...rig.here, path, at: { commit } }, rig.context)
  expect(await textAt('old', first)).toEqual({ kind: 'text', text, exact: true })
  expect(await textAt('old', second)).toEqual({ kind: 'missing' })
  const diff = await rig.handlers.diff(
    { ...rig.here, path: 'new\nname', oldPath: 'old', from: { commit: first }, to: { commit: second } },
    rig.context,
  )
  expect(diff.hunks.flatMap(hunk => hunk.lines).filter(each => each.kind !== 'context')).toEqual([
    { kind: 'added', text: 'more' },
  ])
  const added = await rig.handlers.diff(
    { ...rig.here, path: 'old', from: 'nothing', to: { commit: first } },
    rig.context,
  )
  expect([added.change, added.hunks[0]?.lines.length]).toEqual(['added', 30])
})

it('tells a commit in detail: its message, files with counts, and what lies outside the root', async () => {
  rig = await createRig({ below: 'part' })
  await rig.write('a', 'a\nb\n')
  await rig.write('bin', Buffer.from([0, 1]))
  await rig.write('../outside', 'x\n')
  const first = rig.commit('Subject\n\nBody of it\n')
  rig.git('mv', 'part/a', 'part/b')
  await rig.write('bin', Buffer.from([0, 2]))
  rig.git('rm', '-q', 'outside')
  const second = rig.commit('second')
  const details = async (commit: string) => rig.handlers.commitDetails({ ...rig.here, commit }, rig.context)
  expect(await details(first)).toMatchObject({
    ...{ message: 'Subject\n\nBody of it', signed: false, truncated: false, committer: { name: 'Tess' } },
    commit: { oid: first, parents: [], subject: 'Subject' },
    files: [
      { name: 'outside', path: null, change: 'added', added: 1, removed: 0 },
      { name: 'part/a', path: 'a', change: 'added', added: 2, removed: 0 },
      { name: 'part/bin', path: 'bin', change: 'added', added: null, removed: null },
    ],
  })
  expect((await details(second.slice(0, 10))).files).toEqual([
    { name: 'outside', path: null, change: 'deleted', added: 0, removed: 1 },
    { name: 'part/b', path: 'b', from: 'a', change: 'renamed', added: 0, removed: 0 },
    { name: 'part/bin', path: 'bin', change: 'modified', added: null, removed: null },
  ])
  await expect(details('nowhere')).rejects.toMatchObject({ code: 'not_found' })
})

it('says who wrote which line, also of unsaved text and page by page', async () => {
  rig = await createRig()
  await rig.write('a', 'one\ntwo\n')
  const first = rig.commit('first')
  await rig.write('a', 'one\nTWO\nthree\n')
  const second = rig.commit('second')
  await rig.write('a', 'zero\none\nTWO\nthree\n')
  const blame = async (more: object = {}) =>
    rig.handlers.blame({ ...rig.here, path: 'a', line: 1, ...more }, rig.context)
  const zeros = '0'.repeat(40)
  const runs = ({ runs: all }: Awaited<ReturnType<typeof blame>>) =>
    all.map(({ start, count, commit }) => [start, count, commit])
  const now = await blame()
  expect(runs(now)).toEqual([
    [1, 1, zeros],
    [2, 1, first],
    [3, 2, second],
  ])
  expect(now).toMatchObject({
    nextLine: null,
    commits: { [second]: { subject: 'second', author: { name: 'Tess', email: 'tess@example.org' }, path: 'a' } },
  })
  expect(runs(await blame({ at: first }))).toEqual([[1, 2, first]])
  expect(runs(await blame({ text: 'one\nnew\nTWO\n' }))).toEqual([
    [1, 1, first],
    [2, 1, zeros],
    [3, 1, second],
  ])
  await rig.write('a', 'x\n'.repeat(2500))
  rig.commit('long')
  const page = await blame()
  expect([page.runs[0]?.count, page.nextLine]).toEqual([2000, 2001])
  expect((await blame({ line: 2001 })).runs).toMatchObject([{ start: 2001, count: 500 }])
  expect(await blame({ line: 2501 })).toEqual({ runs: [], commits: {}, nextLine: null })
  await rig.write('untracked', 'x')
  await expect(blame({ path: 'untracked' })).rejects.toMatchObject({ code: 'not_found' })
})

it('shows files as what they are: pointers of LFS, binary, too large, not UTF-8, submodules, links', async () => {
  rig = await createRig()
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`
  await rig.write('lfs', pointer)
  await rig.write('binary', Buffer.from([1, 0, 2]))
  await rig.write('latin', Buffer.from([0x66, 0xfc, 0x72]))
  await rig.write('large', 'x'.repeat(6 * 1024 * 1024))
  rig.commit()
  const text = async (path: string) => rig.handlers.text({ ...rig.here, path, at: 'head' }, rig.context)
  expect(await text('lfs')).toEqual({ kind: 'lfs', text: pointer, bytes: 12345 })
  expect(await text('binary')).toEqual({ kind: 'binary', bytes: 3 })
  expect(await text('latin')).toEqual({ kind: 'text', text: 'f\ufffdr', exact: false })
  expect(await text('large')).toEqual({ kind: 'tooLarge', bytes: 6 * 1024 * 1024 })
  rig.git('update-index', '--add', '--cacheinfo', `160000,${'b'.repeat(40)},sub`)
  const sub = await rig.handlers.text({ ...rig.here, path: 'sub', at: 'index' }, rig.context)
  expect(sub).toEqual({ kind: 'submodule', commit: 'b'.repeat(40) })
})
