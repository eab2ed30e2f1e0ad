/** A workspace of several folders, of which several are in git, and some may only be read. */
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { RootId } from '#contract/id'
import type { WorkspaceInfo } from '#contract/workspace'
import { createRig, done, type Rig, refused, until } from './rig.case.ts'

let rig: Rig
afterEach(() => rig.end())

/** As a person adds it; answers the verbs' name of it. */
async function add(folder: string, readOnly = false): Promise<typeof rig.here> {
  const { workspaceId } = rig
  const wish = { workspaceId, folder, kind: 'files', alias: null, readOnly, trust: true } as const
  const { roots } = (await rig.workspaces.handlers.workspace.addRoot(wish, rig.context)) as WorkspaceInfo
  await rig.workspaces.get(workspaceId).ready
  const root = roots.find(({ absolute }) => absolute === folder)
  if (!root) throw new Error(`not added: ${folder}`)
  return { workspaceId, rootId: root.rootId as RootId, inside: '' }
}
const setReadOnly = ({ rootId }: { rootId: RootId }, readOnly: boolean) =>
  rig.workspaces.handlers.workspace.setReadOnly({ workspaceId: rig.workspaceId, rootId, readOnly }, rig.context)
const status = (here: typeof rig.here) => rig.handlers.status(here, rig.context)
const files = async (here: typeof rig.here) => (await status(here)).files.map(({ path }) => path.path)
async function put(absolute: string, text: string): Promise<void> {
  await mkdir(dirname(absolute), { recursive: true })
  await writeFile(absolute, text)
}

describe('several folders in git', { timeout: 60_000 }, () => {
  it('have each its own status, history and commits; what happens in one is no news of another', async () => {
    rig = await createRig()
    await rig.write('a', 'one\n')
    rig.commit('of the first')
    const far = join(rig.base, 'far')
    await put(join(far, 'b'), 'one\n')
    rig.gitIn(far, 'init', '-q', '-b', 'trunk')
    rig.gitIn(far, 'add', '.')
    rig.gitIn(far, 'commit', '-q', '-m', 'of the second')
    await mkdir(join(rig.base, 'plain'))
    const [second, third] = [await add(far), await add(join(rig.base, 'plain'))]

    expect(await status(rig.here)).toMatchObject({ branch: 'main', files: [], top: rig.top })
    expect(await status(second)).toMatchObject({ branch: 'trunk', files: [], top: far })
    expect(await status(third)).toMatchObject({ standing: 'none' })
    await put(join(far, 'b'), 'two\n')
    await until(
      () => rig.told.some(({ payload }) => payload.rootId === second.rootId && payload.counts?.files === 1),
      'the second is told',
    )
    expect(await files(rig.here)).toEqual([])
    expect(await files(second)).toEqual(['b'])
    const path = { rootId: second.rootId, path: 'b' }
    expect(await rig.handlers.headText({ workspaceId: rig.workspaceId, path }, rig.context)).toEqual({ text: 'one\n' })

    done(await rig.handlers.stage({ ...second, paths: ['b'] }, rig.context))
    const message = 'its own'
    const wish = { operationId: 'x', message, amend: false, signOff: false, all: false }
    done(await rig.handlers.commit({ ...second, ...wish }, rig.context))
    expect(rig.gitIn(far, 'log', '--format=%s')).toBe('its own\nof the second\n')
    expect(rig.git('log', '--format=%s')).toBe('of the first\n')
    await expect(rig.handlers.stage({ ...third, paths: ['x'] }, rig.context)).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('of one repository: verbs of both wait for each other, and each tells its own files', async () => {
    rig = await createRig()
    const part = join(rig.top, 'part')
    for (let at = 0; at < 8; at++) await rig.write(`part/f${at}`, 'x\n')
    for (let at = 0; at < 8; at++) await rig.write(`g${at}`, 'x\n')
    const second = await add(part)
    const all = Array.from({ length: 8 }, (_, at) => [
      rig.handlers.stage({ ...rig.here, paths: [`g${at}`] }, rig.context),
      rig.handlers.stage({ ...second, paths: [`f${at}`] }, rig.context),
    ])
    for (const outcome of await Promise.all(all.flat())) done(outcome)
    expect(await status(second)).toMatchObject({ counts: { staged: 8 }, stagedOutside: 8 })
    expect((await status(rig.here)).counts.staged).toBe(16)
  })
})

describe('where only reading is allowed', { timeout: 60_000 }, () => {
  /** Two branches that differ in a folder and beside it; the folder is a root of its own that may only be read. */
  async function spared(): Promise<{ vendor: typeof rig.here; state(): Promise<string> }> {
    rig = await createRig()
    await rig.write('a', 'base\n')
    await rig.write('vendor/lib', 'base\n')
    rig.commit('base')
    rig.git('switch', '-q', '-c', 'side')
    await rig.write('vendor/lib', 'side\n')
    rig.commit('in the folder')
    rig.git('switch', '-q', '-c', 'beside', 'main')
    await rig.write('a', 'beside\n')
    rig.commit('beside it')
    rig.git('switch', '-q', 'main')
    const vendor = await add(join(rig.top, 'vendor'), true)
    const state = async () => JSON.stringify([await readdir(join(rig.top, 'vendor')), await rig.read('vendor/lib')])
    return { vendor, state }
  }
  const operation = { operationId: 'x' }

  it('no verb writes there, from whichever root; beside it all of them work', async () => {
    const { state } = await spared()
    const { handlers, here, context } = rig
    const before = await state()
    const head = rig.git('rev-parse', 'HEAD')
    const own = rig.git('rev-parse', 'side').trim()
    const verbs = {
      switch: () => handlers.switch({ ...here, to: 'side', detach: false, stash: false }, context),
      detach: () => handlers.switch({ ...here, to: own, detach: true, stash: false }, context),
      create: () => handlers.createBranch({ ...here, name: 'new', from: 'side', switchTo: true }, context),
      merge: () => handlers.merge({ ...here, ...operation, from: 'side', how: 'auto' }, context),
      rebase: () => handlers.rebase({ ...here, ...operation, onto: 'side' }, context),
      pick: () => handlers.cherryPick({ ...here, ...operation, commit: own }, context),
      revert: () => handlers.revertCommit({ ...here, ...operation, commit: head.trim() }, context),
      worktree: () =>
        handlers.addWorktree({ ...here, folder: join(rig.top, 'vendor/tree'), branch: 'w', create: true }, context),
    }
    for (const [name, verb] of Object.entries(verbs)) {
      const refusal = refused((await verb()) as Parameters<typeof refused>[0])
      expect(refusal, name).toMatchObject({ reason: 'notPossible', message: expect.stringContaining('“vendor”') })
      expect([await state(), rig.git('rev-parse', 'HEAD'), rig.short()], name).toEqual([before, head, []])
    }
    expect(rig.git('branch', '--format=%(refname:short)').split('\n').filter(Boolean)).toEqual([
      'beside',
      'main',
      'side',
    ])

    done(await handlers.merge({ ...here, ...operation, from: 'beside', how: 'commit' }, context))
    done(await handlers.switch({ ...here, to: 'beside', detach: false, stash: false }, context))
    done(await handlers.rebase({ ...here, ...operation, onto: 'main' }, context))
    done(await handlers.revertCommit({ ...here, ...operation, commit: rig.git('rev-parse', 'beside').trim() }, context))
    expect([await rig.read('a'), await state()]).toEqual(['base\n', before])
  })

  it('what was changed there stays: neither discarded nor stashed, nor brought back later', async () => {
    const { vendor, state } = await spared()
    const { handlers, here, context } = rig
    await setReadOnly(vendor, false)
    await rig.write('vendor/lib', 'mine\n')
    await rig.write('vendor/new', 'mine\n')
    const discarded = done(await handlers.discard({ ...here, paths: ['vendor/new'] }, context))
    const stash = { message: '', untracked: true, staged: false }
    const { stash: commit } = done(await handlers.stashPush({ ...here, ...stash }, context))
    await rig.write('vendor/lib', 'again\n')
    await rig.write('a', 'mine\n')
    await setReadOnly(vendor, true)

    const before = await state()
    const said = { reason: 'notPossible', message: expect.stringContaining('“vendor”') }
    const diff = await handlers.diff({ ...here, path: 'vendor/lib', from: 'index', to: 'worktree' }, context)
    for (const [name, outcome] of Object.entries({
      discard: await handlers.discard({ ...here, paths: [''] }, context),
      lines: await handlers.discardLines({ ...here, path: 'vendor/lib', token: diff.token, lines: [0, 1] }, context),
      undo: await handlers.undoDiscard({ ...here, undoId: discarded.undoId }, context),
      stash: await handlers.stashPush({ ...here, ...stash }, context),
      part: await handlers.stashPush({ ...here, ...stash, paths: ['vendor'] }, context),
      apply: await handlers.stashApply({ ...here, index: 0, stash: commit, drop: true }, context),
      switch: await handlers.switch({ ...here, to: 'beside', detach: false, stash: true }, context),
    })) {
      expect(refused(outcome as Parameters<typeof refused>[0]), name).toMatchObject(said)
      expect([await state(), await rig.read('a')], name).toEqual([before, 'mine\n'])
    }
    // What lies beside it, and the index, may be written.
    done(await handlers.stashPush({ ...here, ...stash, paths: ['a'] }, context))
    done(await handlers.stage({ ...here, paths: ['vendor/lib'] }, context))
    expect([await rig.read('a'), rig.short()]).toEqual(['base\n', ['M  vendor/lib']])
  })

  it('what was begun before is neither gone on with nor aborted where that would write there', async () => {
    const { vendor, state } = await spared()
    const { handlers, here, context } = rig
    rig.git('switch', '-q', 'beside')
    await rig.write('vendor/lib', 'beside\n')
    rig.commit('both')
    for (const [verb, hows] of [
      ['merge', ['abort']],
      ['cherry-pick', ['abort', 'skip']],
      ['rebase', ['abort', 'skip', 'continue']],
    ] as const) {
      await setReadOnly(vendor, false)
      expect(() => rig.git(verb, 'side')).toThrow()
      if (verb === 'rebase') rig.git('add', 'vendor/lib')
      await setReadOnly(vendor, true)
      const before = await state()
      for (const how of hows) {
        const outcome = await handlers.proceed({ ...here, ...operation, how }, context)
        expect(refused(outcome), `${verb} ${how}`).toMatchObject({ reason: 'notPossible' })
        expect(await state()).toBe(before)
      }
      await setReadOnly(vendor, false)
      done(await handlers.proceed({ ...here, ...operation, how: 'abort' }, context))
    }
  })

  it('a repository in such a folder is not written from anywhere: itself, what lies in it, a worktree of it', async () => {
    rig = await createRig()
    await rig.write('a', 'x\n')
    const docs = join(rig.base, 'docs')
    await put(join(docs, 'drafts/b'), 'x\n')
    rig.gitIn(docs, 'init', '-q', '-b', 'main')
    rig.gitIn(docs, 'commit', '-q', '--allow-empty', '-m', 'x')
    rig.gitIn(docs, 'worktree', 'add', '-q', join(rig.base, 'tree'))
    await put(join(rig.base, 'tree/c'), 'x\n')
    const bare = join(rig.base, 'bare')
    await mkdir(bare)
    const [whole, drafts, tree, empty] = [
      await add(docs, true),
      await add(join(docs, 'drafts')),
      await add(join(rig.base, 'tree')),
      await add(bare, true),
    ]
    for (const [here, path] of [
      [whole, 'drafts/b'],
      [drafts, 'b'],
      [tree, 'c'],
    ] as const) {
      expect((await status(here)).standing).toBe('ready')
      await expect(rig.handlers.stage({ ...here, paths: [path] }, rig.context), path).rejects.toMatchObject({
        code: 'read_only',
      })
    }
    const { workspaceId } = rig
    await expect(
      rig.handlers.init({ workspaceId, rootId: empty.rootId, branch: 'main' }, rig.context),
    ).rejects.toMatchObject({ code: 'read_only' })
    expect(await readdir(bare)).toEqual([])
    expect(rig.gitIn(docs, 'status', '--short').trim()).toBe('?? drafts/')
    await setReadOnly(whole, false)
    for (const [here, path] of [
      [drafts, 'b'],
      [tree, 'c'],
    ] as const)
      done(await rig.handlers.stage({ ...here, paths: [path] }, rig.context))
    expect(await readFile(join(rig.base, 'tree/c'), 'utf8')).toBe('x\n')
    await rm(bare, { recursive: true })
  })

  it('is not cloned into where it may only be read, also not by way of a link; beside it one may', async () => {
    rig = await createRig()
    await rig.write('a', 'one\n')
    rig.commit('one')
    const closed = join(rig.base, 'closed')
    await mkdir(closed)
    await symlink(closed, join(rig.base, 'link'))
    const root = await add(closed, true)
    const into = (folder: string) =>
      rig.handlers.clone({ cloneId: 'c', address: rig.top, into: folder, name: 'copy' }, rig.context)
    for (const folder of [closed, join(closed, 'deeper/still'), join(rig.base, 'link')])
      await expect(into(folder)).rejects.toMatchObject({ code: 'read_only' })
    expect(await readdir(closed)).toEqual([])
    expect(await into(rig.base)).toEqual({ folder: join(rig.base, 'copy') })
    await setReadOnly(root, false)
    expect(await into(closed)).toEqual({ folder: join(closed, 'copy') })
  })
})
