/** Repositories whose configuration, attributes and hooks name programs: what looks starts none of them. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { createRig, type Rig } from './rig.case.ts'

let rig: Rig
afterEach(() => rig.end())

/** One file that a commit has and that is changed now, and a configuration that names a program for everything. */
async function hostile(options?: Parameters<typeof createRig>[0]): Promise<void> {
  rig = await createRig(options)
  await rig.write('a.ts', 'one\n')
  rig.commit()
  const program = await rig.bait('bait', 'cat')
  await rig.write('.gitattributes', '*.ts filter=e=v.il diff=x merge=x\n')
  await rig.write('a.ts', 'changed!\n')
  for (const name of [
    ...['core.fsmonitor', 'core.pager', 'core.editor', 'core.sshCommand', 'core.askPass', 'core.gitProxy'],
    ...['core.alternateRefsCommand', 'sequence.editor', 'credential.helper', 'diff.external', 'diff.x.textconv'],
    ...['diff.x.command', 'filter.e=v.il.clean', 'filter.e=v.il.smudge', 'filter.e=v.il.process', 'gpg.program'],
    ...['gpg.ssh.program', 'alias.status', 'alias.diff', 'alias.log', 'remote.origin.uploadpack', 'pager.log'],
  ])
    rig.git('config', name, name.startsWith('alias.') ? `!${program}` : program)
  rig.git('config', 'core.hooksPath', rig.base)
  rig.git('config', 'filter.e=v.il.required', 'true')
  rig.git('config', 'log.showSignature', 'true')
  for (const hook of ['post-index-change', 'reference-transaction', 'pre-commit'])
    await writeFile(join(rig.base, hook), await readFile(program), { mode: 0o755 })
}

it('untrusted: not even git is started', async () => {
  await hostile({ trusted: false })
  expect(await rig.handlers.status(rig.here, rig.context)).toMatchObject({ standing: 'untrusted', files: [] })
  expect(await rig.ran()).toEqual([])
})

it('trusted: reading starts none of its programs', async () => {
  await hostile()
  const { files } = await rig.handlers.status(rig.here, rig.context)
  expect(files.map(file => file.path.path)).toEqual(['a.ts', '.gitattributes'])
  const path = { rootId: rig.rootId, path: 'a.ts' }
  expect(await rig.handlers.headText({ workspaceId: rig.workspaceId, path }, rig.context)).toEqual({ text: 'one\n' })
  expect(await rig.ran()).toEqual([])
})
