import { appendFile, chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createRig, done, type Rig, refused, until } from './rig.case.ts'

let rig: Rig
afterEach(() => rig.end())
const commit = async (message: string, more: object = {}, context = rig.context) =>
  rig.handlers.commit(
    { ...rig.here, operationId: 'op', message, amend: false, signOff: false, all: false, ...more },
    context,
  )
const head = () => rig.git('log', '-1', '--format=%B').trimEnd()
const hook = async (name: string, text: string) => {
  await rig.write(`.git/hooks/${name}`, `#!/bin/sh\n${text}\n`)
  await chmod(join(rig.folder, '.git/hooks', name), 0o755)
}
const printed = () =>
  rig.told
    .flatMap(({ name, payload, clientId }) => (name === 'git/printed' && clientId === 'one' ? [payload.text] : []))
    .join('')

describe('a commit', () => {
  it('takes what is staged, with the message as it was typed; then more: all, amend, sign-off', async () => {
    rig = await createRig()
    await rig.write('a', 'a')
    await rig.write('b', 'b')
    rig.git('add', 'a')
    const { commit: first } = done(await commit('First ü\n\n# not a comment\n'))
    expect([first, head(), rig.short()]).toEqual([
      rig.git('rev-parse', 'HEAD').trim(),
      'First ü\n\n# not a comment',
      ['?? b'],
    ])
    await rig.write('a', 'changed')
    done(await commit('-m looks like an option', { all: true, signOff: true }))
    expect([head(), rig.short()]).toEqual([
      '-m looks like an option\n\nSigned-off-by: Tess <tess@example.org>',
      ['?? b'],
    ])
    rig.git('add', 'b')
    expect(await rig.handlers.commitMessage({ ...rig.here, amend: true }, rig.context)).toEqual({ message: head() })
    done(await commit('Both', { amend: true }))
    expect([head(), rig.git('rev-list', '--count', 'HEAD').trim(), rig.short()]).toEqual(['Both', '2', []])
  })

  it('is refused with nothing to it, without a message, in conflict, without a name; then with the name that is set', async () => {
    rig = await createRig()
    expect(refused(await commit('x'))).toMatchObject({ reason: 'nothing' })
    expect(refused(await commit('x', { all: true }))).toMatchObject({ reason: 'nothing' })
    expect(refused(await commit(' \n'))).toMatchObject({ reason: 'notPossible' })
    await rig.write('a', 'a')
    rig.commit()
    await rig.write('untracked', 'a')
    expect(refused(await commit('x', { all: true }))).toMatchObject({ reason: 'nothing' })
    await writeFile(join(rig.home, '.gitconfig'), '[user]\n\tuseConfigOnly = true\n')
    rig.git('add', '--all')
    expect(refused(await commit('x'))).toMatchObject({ reason: 'identity', next: ['setIdentity'] })
    expect(await rig.handlers.identity(rig.here, rig.context)).toEqual({ name: null, email: null })
    const set = async (name: string, email: string, scope: 'repository' | 'person' = 'person') =>
      rig.handlers.setIdentity({ ...rig.here, person: { name, email }, scope }, rig.context)
    expect(refused(await set('A', '<a@b>'))).toMatchObject({ reason: 'name' })
    expect(refused(await set('--unset', 'a@b'))).toMatchObject({ reason: 'name' })
    done(await set('Änne', 'a@example.org'))
    done(await set('Here', 'h@example.org', 'repository'))
    expect(await rig.handlers.identity(rig.here, rig.context)).toEqual({ name: 'Here', email: 'h@example.org' })
    expect(await readFile(join(rig.home, '.gitconfig'), 'utf8')).toContain('Änne')
    done(await commit('x'))
    expect(rig.git('log', '-1', '--format=%an').trim()).toBe('Here')
  })

  it('runs hooks as git would: what they print comes as it is printed, and a no keeps everything', async () => {
    rig = await createRig()
    await rig.write('a', 'a')
    rig.git('add', '--all')
    await hook(
      'pre-commit',
      'echo "checking $(git diff --cached --name-only)"; echo "not \x1b[31mgood\x1b[0m enough" >&2; exit 1',
    )
    const no = refused(await commit('x'))
    expect(no).toMatchObject({ reason: 'hook', next: ['retry'] })
    expect(no.output).toContain('checking a\n')
    expect(no.output).toContain('good')
    expect(printed()).toContain('checking a')
    expect(rig.short()).toEqual(['A  a'])
    await hook('pre-commit', 'exit 0')
    await hook('commit-msg', 'echo "Checked: yes" >> "$1"')
    done(await commit('With a hook'))
    expect(head()).toContain('Checked: yes')
  })

  it('that waits in a hook is cancelled whole, and leaves no lock', async () => {
    rig = await createRig()
    await rig.write('a', 'a')
    rig.git('add', '--all')
    await hook('pre-commit', `echo here; touch ${join(rig.base, 'waits')}; sleep 600`)
    const cancel = new AbortController()
    const running = commit('x', {}, { ...rig.context, signal: cancel.signal })
    await until(
      () =>
        readFile(join(rig.base, 'waits')).then(
          () => true,
          () => false,
        ),
      'the hook to run',
    )
    cancel.abort()
    await expect(running).rejects.toMatchObject({ code: 'cancelled' })
    await rm(join(rig.folder, '.git/hooks/pre-commit'))
    done(await commit('y'))
  })

  it('is signed where that is configured; a failing signature is said; the program is never the repository’s own', async () => {
    rig = await createRig()
    await rig.write('a', 'a')
    rig.git('add', '--all')
    rig.git('config', 'gpg.program', await rig.bait('evil'))
    await appendFile(
      join(rig.home, '.gitconfig'),
      `[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = ${await rig.bait('own', 'exit 1')}\n`,
    )
    expect(refused(await commit('x'))).toMatchObject({ reason: 'signing' })
    expect((await rig.ran()).map(line => line.split(' ')[0])).toEqual(['own'])
    const good = await rig.bait(
      'good',
      'cat > /dev/null; echo "[GNUPG:] SIG_CREATED " >&2; echo "-----BEGIN PGP SIGNATURE-----\n\nx\n-----END PGP SIGNATURE-----"',
    )
    await appendFile(join(rig.home, '.gitconfig'), `[gpg]\n\tprogram = ${good}\n`)
    await until(async () => (await commit('x')).ok, 'the configuration to be read again')
    expect(rig.git('cat-file', 'commit', 'HEAD')).toContain('gpgsig')
  })

  it('is undone: its changes stay staged, also those of the first one; of another HEAD it is not', async () => {
    rig = await createRig()
    await rig.write('a', 'a')
    const first = rig.commit('first')
    await rig.write('a', 'b')
    const second = rig.commit('second\n\nwith words')
    const undo = async (oid: string) => rig.handlers.undoCommit({ ...rig.here, commit: oid }, rig.context)
    expect(refused(await undo(first))).toMatchObject({ reason: 'stale' })
    expect(await undo(second)).toEqual({ ok: true, message: 'second\n\nwith words' })
    expect(rig.short()).toEqual(['M  a'])
    rig.git('reset', '-q', '--hard')
    expect(await undo(first)).toEqual({ ok: true, message: 'first' })
    expect(rig.short()).toEqual(['A  a'])
  })

  it('of a merge begins with its message, and is a merge', async () => {
    rig = await createRig()
    rig.commit('base')
    rig.git('switch', '-q', '-c', 'side')
    await rig.write('b', 'b')
    rig.commit('side')
    rig.git('switch', '-q', 'main')
    rig.git('merge', '--no-commit', '--no-ff', 'side')
    const { message } = await rig.handlers.commitMessage({ ...rig.here, amend: false }, rig.context)
    expect(message).toBe("Merge branch 'side'")
    done(await commit(message))
    expect(rig.git('log', '-1', '--format=%P').trim().split(' ')).toHaveLength(2)
  })
})

describe('a message that a model writes', () => {
  const write = async () => rig.handlers.writeMessage(rig.here, rig.context)

  it('comes from what is staged, else from what is changed; secrets are named and never sent', async () => {
    const prompts: string[] = []
    rig = await createRig({
      writeMessage: async ({ prompt }) => {
        prompts.push(prompt)
        return { text: '```\nAdd a thing\n```' }
      },
    })
    expect(refused(await write())).toMatchObject({ reason: 'nothing' })
    await rig.write('a', 'one\n')
    await rig.write('.env', 'TOKEN=1\n')
    rig.commit('fix: an earlier one')
    await rig.write('a', 'staged\n</changes>\n')
    await rig.write('.env', 'TOKEN=hunter2\n')
    rig.git('add', '--all')
    await rig.write('a', 'beyond\n')
    await rig.write('big', 'x'.repeat(200_000))
    expect(await write()).toEqual({ ok: true, message: 'Add a thing' })
    expect(prompts[0]).toContain('+staged')
    expect(prompts[0]).toContain('fix: an earlier one')
    expect(prompts[0]).toContain('.env')
    expect(prompts[0]).not.toMatch(/hunter2|beyond/)
    rig.git('reset', '-q')
    rig.git('add', '-N', 'big')
    done(await write())
    expect(prompts[1]).toContain('+beyond')
    expect(prompts[1]).toMatch(/\d+ bytes are left out/)
    expect(prompts[1]?.length).toBeLessThan(70_000)
  })

  it('is refused where nobody agreed to a model', async () => {
    rig = await createRig()
    await rig.write('a', 'one\n')
    rig.git('add', '--all')
    expect(refused(await write())).toMatchObject({ reason: 'notPossible', message: expect.stringContaining('model') })
  })
})
