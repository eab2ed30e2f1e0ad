/**
 * Repositories whose configuration, attributes and hooks name programs. What looks starts none of them. What a person does in a
 * folder they trust runs its hooks, filters and merge drivers, as git would, and no other program that it names.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { createRig, done, type Rig } from './rig.case.ts'

let rig: Rig
afterEach(() => rig.end())

const named = [
  ...['core.fsmonitor', 'core.pager', 'core.editor', 'core.sshCommand', 'core.askPass', 'core.gitProxy'],
  ...['core.alternateRefsCommand', 'sequence.editor', 'credential.helper', 'credential.http://127.0.0.1.helper'],
  ...['diff.external', 'diff.x.textconv', 'diff.x.command', 'gpg.program', 'gpg.ssh.program', 'pager.log'],
  ...['gpg.ssh.defaultKeyCommand', 'remote.origin.uploadpack', 'remote.origin.receivepack', 'interactive.diffFilter'],
  ...['alias.status', 'alias.diff', 'alias.log', 'alias.commit', 'uploadpack.packObjectsHook', 'filter.e=v.il.process'],
]
const run = ['filter.e=v.il.clean', 'filter.e=v.il.smudge']

/** One file that a commit has and that is changed now, and a configuration that names a program for everything. */
async function hostile(options?: Parameters<typeof createRig>[0]): Promise<void> {
  rig = await createRig(options)
  await rig.write('a.ts', 'one\n')
  await rig.write('b', 'one\n')
  rig.commit()
  await rig.write('.gitattributes', '*.ts filter=e=v.il diff=x\n')
  await rig.write('a.ts', 'changed!\n')
  for (const name of [...named, ...run]) {
    const program = await rig.bait(name.replaceAll('/', '_'), 'cat')
    if (name !== 'filter.e=v.il.process') rig.git('config', name, name.startsWith('alias.') ? `!${program}` : program)
  }
  rig.git('config', 'filter.e=v.il.required', 'true')
  rig.git('config', 'log.showSignature', 'true')
  rig.git('config', 'core.hooksPath', 'hooks')
  await mkdir(join(rig.folder, 'hooks'))
  for (const hook of [
    'post-index-change',
    'reference-transaction',
    'pre-commit',
    'post-checkout',
    'fsmonitor-watchman',
  ])
    await writeFile(join(rig.folder, 'hooks', hook), `#!/bin/sh\necho hook:${hook} >> '${rig.base}/ran'\n`, {
      mode: 0o755,
    })
}

/** Names of what ran, once each. */
const ran = async () => [...new Set((await rig.ran()).map(line => line.split(' ')[0] ?? ''))].sort()

it('untrusted: not even git is started, whatever is asked', async () => {
  await hostile({ trusted: false })
  expect(await rig.handlers.status(rig.here, rig.context)).toMatchObject({ standing: 'untrusted', files: [] })
  const op = { ...rig.here, operationId: 'x' }
  const { handlers, here, context } = rig
  for (const ask of [
    () => handlers.diff({ ...here, path: 'a.ts', from: 'index', to: 'worktree' }, context),
    () => handlers.log({ ...here, skip: 0, limit: 5, of: 'head', follow: false }, context),
    () => handlers.stage({ ...here, paths: [''] }, context),
    () => handlers.commit({ ...op, message: 'x', amend: false, signOff: false, all: true }, context),
    () => handlers.fetch({ ...op, remote: null, all: false, prune: false }, context),
    () => handlers.init({ workspaceId: here.workspaceId, rootId: here.rootId, branch: 'main' }, context),
    () => handlers.repositories({ workspaceId: here.workspaceId, rootId: here.rootId }, context),
    () => handlers.writeMessage(here, context),
  ])
    await expect((async () => ask())()).rejects.toMatchObject({ code: 'untrusted' })
  expect(await ran()).toEqual([])
})

it('trusted: whatever only looks starts none of its programs', async () => {
  await hostile()
  const { handlers, here, context } = rig
  const { files } = await handlers.status(here, context)
  expect(files.map(file => file.path.path)).toContain('a.ts')
  const path = { rootId: rig.rootId, path: 'a.ts' }
  expect(await handlers.headText({ workspaceId: rig.workspaceId, path }, context)).toEqual({ text: 'one\n' })
  for (const [from, to] of [
    ['index', 'worktree'],
    ['head', 'index'],
    ['head', 'worktree'],
    ['nothing', 'head'],
  ] as const)
    await handlers.diff({ ...here, path: 'a.ts', from, to }, context)
  for (const at of ['head', 'index', 'worktree'] as const) await handlers.text({ ...here, path: 'a.ts', at }, context)
  await handlers.log({ ...here, skip: 0, limit: 5, of: 'all', follow: false }, context)
  await handlers.log({ ...here, skip: 0, limit: 5, of: 'head', path: 'a.ts', follow: true }, context)
  await handlers.commitDetails({ ...here, commit: 'HEAD' }, context)
  await handlers.blame({ ...here, path: 'a.ts', line: 1 }, context)
  for (const list of ['branches', 'stashes', 'tags', 'remotes', 'worktrees', 'identity', 'writeMessage'] as const)
    await handlers[list](here, context)
  await handlers.commitMessage({ ...here, amend: true }, context)
  expect(await ran()).toEqual([])
})

it('trusted: a person’s own verbs run its hooks and filters, as git would, and nothing else that it names', async () => {
  await hostile()
  const { handlers, here, context } = rig
  const op = { ...here, operationId: 'x' }
  rig.gitIn(rig.base, 'clone', '-q', '--bare', rig.folder, 'remote.git')
  rig.git('remote', 'add', 'other', join(rig.base, 'remote.git'))
  rig.git('config', 'remote.origin.url', join(rig.base, 'remote.git'))
  rig.git('config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*')
  done(await handlers.stage({ ...here, paths: ['a.ts'] }, context))
  expect(await ran()).toEqual(['filter.e=v.il.clean'])
  done(await handlers.unstage({ ...here, paths: ['a.ts'] }, context))
  done(await handlers.discard({ ...here, paths: ['a.ts'] }, context))
  expect((await ran()).filter(name => name.startsWith('hook:'))).toEqual([])
  await rig.write('b', 'two\n')
  done(await handlers.commit({ ...op, message: 'x', amend: false, signOff: false, all: true }, context))
  expect(await ran()).toContain('hook:pre-commit')
  done(await handlers.createBranch({ ...here, name: 'side', switchTo: true }, context))
  done(await handlers.fetch({ ...op, remote: 'origin', all: false, prune: false }, context))
  done(await handlers.push({ ...op, remote: 'origin', publish: true, force: false, tags: false }, context))
  await rig.write('b', 'three\n')
  const { stash } = done(await handlers.stashPush({ ...here, message: '', untracked: false, staged: false }, context))
  done(await handlers.stashApply({ ...here, index: 0, stash, drop: true }, context))
  done(await handlers.commit({ ...op, message: 'y', amend: false, signOff: false, all: true }, context))
  done(await handlers.rebase({ ...op, onto: 'main' }, context))
  done(await handlers.createTag({ ...here, name: 'v1', message: 'one' }, context))
  expect((await ran()).filter(name => !name.startsWith('hook:') && !run.includes(name))).toEqual([])
})
