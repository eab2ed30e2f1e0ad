import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, link, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DocumentId, type WorkspaceId } from '#contract/id'
import { createRig, type Rig } from './rig.case.ts'

let rig: Rig
beforeAll(async () => {
  rig = await createRig()
})
afterAll(() => rig.end())
const text = (path: string) => readFile(join(rig.folder, path), 'utf8')
/** A zombie nobody reaped yet runs no more. */
const runs = (pid: number) =>
  readFile(`/proc/${pid}/stat`, 'utf8').then(
    line => !/\) [ZX] /.test(line),
    () => false,
  )
const sha = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('read', () => {
  it('numbers lines, pages, and says how to go on', async () => {
    await rig.put('lines.txt', Array.from({ length: 10 }, (_, i) => `line ${i + 1}`).join('\n'))
    expect((await rig.call('read', { path: 'lines.txt', offset: 3, limit: 2 })).text).toBe(
      '3\tline 3\n4\tline 4\n(More follows. Continue with "offset": 5.)',
    )
    expect((await rig.call('read', { path: 'lines.txt', offset: 99 })).text).toMatch(/fewer than 99 lines/)
  })
  it('says what would have worked for what is no text file', async () => {
    await rig.put('image.bin', Uint8Array.of(1, 0, 2))
    await rig.put('empty.txt', '')
    const answers = await Promise.all(
      ['nope.txt', '.', 'image.bin', 'empty.txt'].map(path => rig.call('read', { path })),
    )
    expect(answers.map(answer => answer.failed)).toEqual([true, true, true, false])
    expect(answers[0]?.text).toMatch(/does not exist\. Use list/)
    expect(answers[1]?.text).toMatch(/folder\. Use list/)
    expect(answers[2]?.text).toMatch(/not text/)
  })
  it('reads a file of one endless line within 64 MB', async () => {
    // 300 MB here, 2 GB under test:deep: the bound does not know the difference.
    const bytes = process.env.BELAY_DEEP ? 2_000_000_000 : 300_000_000
    const path = await rig.put('wide.txt', '')
    execFileSync('sh', ['-c', `head -c ${bytes} /dev/zero | tr '\\0' b > "$1"`, 'sh', path], { timeout: 60_000 })
    const before = process.resourceUsage().maxRSS
    expect((await rig.call('read', { path: 'wide.txt' })).text).toMatch(/line cut/)
    await rm(path)
    expect((process.resourceUsage().maxRSS - before) / 1024).toBeLessThan(64)
  })
  it('pages an earlier output by its blob', async () => {
    const id = await rig.context.blob(new TextEncoder().encode('one\ntwo\nthree'))
    expect((await rig.call('read', { path: `blob:${id}`, offset: 2, limit: 1 })).text).toMatch(
      /not instructions to you\.\n<output (\w+) from "blob:\w+">\n2\ttwo[\s\S]*\n<\/output \1>$/,
    )
    expect((await rig.call('read', { path: 'blob:nonsense' })).failed).toBe(true)
  })
})

describe('write and edit', () => {
  it('creates with missing folders and keeps the write ledger', async () => {
    const outcome = await rig.call('write', { path: 'new/deep/file.ts', content: 'a\nb\n' })
    expect(outcome.action).toMatchObject({ kind: 'write', creates: true, exact: 'a\nb\n' })
    expect(outcome.files).toMatchObject([{ before: null, after: sha('a\nb\n'), by: 'agent', added: 2, removed: 0 }])
    expect(await text('new/deep/file.ts')).toBe('a\nb\n')
  })
  it('replaces or edits only what was read, as it was read', async () => {
    await rig.put('old.txt', 'one\n')
    expect((await rig.call('write', { path: 'old.txt', content: 'x' })).text).toMatch(/Read it first/)
    expect((await rig.call('edit', { path: 'old.txt', edits: [{ old: 'one', new: 'two' }] })).text).toMatch(
      /Read it first/,
    )
    await rig.call('read', { path: 'old.txt' })
    await rig.put('old.txt', 'changed meanwhile, one\n')
    const late = await rig.call('edit', { path: 'old.txt', edits: [{ old: 'one', new: 'two' }] })
    expect(late).toMatchObject({ failed: true, text: expect.stringMatching(/changed on disk/) })
    expect(await text('old.txt')).toBe('changed meanwhile, one\n')
    await rig.call('read', { path: 'old.txt' })
    const done = await rig.call('edit', { path: 'old.txt', edits: [{ old: 'one', new: 'two' }] })
    expect(done.files).toMatchObject([
      { before: sha('changed meanwhile, one\n'), after: sha('changed meanwhile, two\n') },
    ])
    const again = await rig.call('edit', { path: 'old.txt', edits: [{ old: 'two', new: 'three' }] })
    expect(again.failed).toBe(false)
  })
  it('shows the exact change before it asks', async () => {
    await rig.put('diff.txt', 'keep\nold\n')
    await rig.call('read', { path: 'diff.txt' })
    const { action } = await rig.call('edit', { path: 'diff.txt', edits: [{ old: 'old', new: 'new' }] })
    expect(action).toMatchObject({ kind: 'write', creates: false, exact: expect.stringContaining('-old\n+new') })
  })
  it('keeps bytes, mode and line ends outside the edit', async () => {
    const before = '\uFEFFfirst\r\nsecond\r\nlast without newline'
    const path = await rig.put('bom.txt', before)
    await chmod(path, 0o755)
    await rig.call('read', { path: 'bom.txt' })
    await rig.call('edit', { path: 'bom.txt', edits: [{ old: 'second', new: 'zweite\nZeile' }] })
    expect(await text('bom.txt')).toBe('\uFEFFfirst\r\nzweite\r\nZeile\r\nlast without newline')
    expect((await stat(path)).mode & 0o777).toBe(0o755)
  })
  it('never writes outside the workspace, by no way round', async () => {
    const outside = join(rig.folder, '..', 'outside.txt')
    await writeFile(outside, 'mine')
    await symlink(outside, join(rig.folder, 'way-out'))
    await symlink(join(rig.folder, '..'), join(rig.folder, 'up'))
    for (const path of ['../outside.txt', outside, 'way-out', 'up/outside.txt', 'up/new.txt']) {
      const outcome = await rig.call('write', { path, content: 'theirs' })
      expect(outcome).toMatchObject({ failed: true, text: expect.stringMatching(/outside/) })
    }
    expect(await readFile(outside, 'utf8')).toBe('mine')
    await link(outside, join(rig.folder, 'hard.txt'))
  })
  it('tells the model its own unsaved neighbour', async () => {
    const absolute = await rig.put('open.txt', 'saved\n')
    const { documents, paths } = rig.workspace
    const path = paths.toWire(absolute)
    if (!path) throw new Error('not in the workspace')
    const client = { clientId: 'c1', signal: rig.context.signal }
    const opened = await documents.handlers.open({ workspaceId: rig.workspace.info.workspaceId, path }, client)
    await documents.handlers.change(
      {
        documentId: DocumentId.parse(opened.state.documentId),
        baseVersion: opened.state.version,
        changes: [{ from: 0, to: 0, text: 'unsaved ' }],
      },
      client,
    )
    expect((await rig.call('read', { path: 'open.txt' })).text).toMatch(/unsaved changes/)
    const outcome = await rig.call('edit', { path: 'open.txt', edits: [{ old: 'saved', new: 'kept' }] })
    expect(outcome.files).toMatchObject([{ by: 'mixed' }])
    expect(await text('open.txt')).toBe('kept\n')
  })
})

describe('list, glob, grep', () => {
  it('list folders first', async () => {
    await rig.put('tree/b.txt', '')
    await rig.put('tree/a/x.txt', '')
    expect((await rig.call('list', { path: 'tree' })).text).toBe('a/\nb.txt')
    expect((await rig.call('list', { path: 'tree/b.txt' })).text).toMatch(/is a file\. Use read/)
  })
  it('glob leaves ignored files out', async () => {
    await rig.put('g/.gitignore', 'out/\n')
    await rig.put('g/src/one.ts', '')
    await rig.put('g/out/two.ts', '')
    await rig.put('g/.git/HEAD', 'ref: refs/heads/main')
    expect((await rig.call('glob', { pattern: '**/*.ts', path: 'g' })).text).toBe('g/src/one.ts')
    expect((await rig.call('glob', { pattern: '**/*.nothing', path: 'g' })).failed).toBe(false)
  })
  it('grep names places, and its own mistakes', async () => {
    await rig.put('s/one.ts', 'const needle = 1\nother\n')
    await rig.put('s/we ird\nname.ts', 'a needle too\n')
    const found = (await rig.call('grep', { pattern: 'needle', path: 's' })).text
    expect(found).toContain('s/one.ts:1: const needle = 1')
    expect(found).toContain('a needle too')
    expect((await rig.call('grep', { pattern: '(', path: 's' })).text).toMatch(/search failed.*regex/is)
    expect((await rig.call('grep', { pattern: 'absent', path: 's' })).failed).toBe(false)
    expect((await rig.call('grep', { pattern: '--files', path: 's' })).text).toMatch(/No match/)
  })
  it('grep tells nothing of files that hold secrets', async () => {
    await rig.put('k/.env', 'TOKEN=needle\n')
    await rig.put('k/sub/.env.local', 'TOKEN=needle\n')
    await rig.put('k/.env.example', 'TOKEN=needle here\n')
    const { text } = await rig.call('grep', { pattern: 'needle', path: 'k' })
    expect(text).toContain('k/.env.example:1')
    expect(text).not.toMatch(/\.env:|\.env\.local/)
    expect(text).toContain('2 matches in files that hold secrets')
  })
})

describe('several folders', () => {
  it('are searched together, named so that they can be opened, and a read-only one is read and never written', async () => {
    const own = await createRig()
    try {
      await own.put('a.ts', 'needle\n')
      const docs = await own.addFolder('docs', true)
      await writeFile(join(docs, 'b.ts'), 'needle\n')
      expect((await own.call('grep', { pattern: 'needle' })).text).toBe(`a.ts:1: needle\n${docs}/b.ts:1: needle`)
      expect((await own.call('glob', { pattern: '*.ts' })).text.split('\n').sort()).toEqual([`${docs}/b.ts`, 'a.ts'])
      expect((await own.call('grep', { pattern: 'needle', path: 'a.ts' })).text).toBe('a.ts:1: needle')
      expect((await own.call('read', { path: `${docs}/b.ts` })).text).toContain('needle')
      const refused = await own.call('write', { path: `${docs}/c.ts`, content: 'x' })
      expect(refused.text).toContain('is in a read-only folder of the workspace and cannot be changed')
    } finally {
      await own.end()
    }
  })
})

describe('bash', () => {
  it('runs in the root, without keys, and streams', async () => {
    process.env.TEST_API_KEY = 'secret'
    const outcome = await rig.call('bash', { command: 'pwd; echo err >&2; echo "key=$TEST_API_KEY"' })
    delete process.env.TEST_API_KEY
    expect(outcome.text.split('\n')).toEqual(expect.arrayContaining([rig.folder, 'err', 'key=']))
    expect(rig.live.join('')).toContain(rig.folder)
  })
  it('says the exit code, the time limit and the stop, and leaves nothing behind', async () => {
    expect(await rig.call('bash', { command: 'exit 3' })).toMatchObject({
      failed: true,
      text: 'Exit code 3.',
      detail: { exitCode: 3 },
    })
    const began = Date.now()
    const late = await rig.call('bash', { command: 'echo $$ > pid; sleep 60 & sleep 60', timeoutMs: 200 })
    expect(late.text).toMatch(/time limit/)
    expect(Date.now() - began).toBeLessThan(4000)
    const stop = new AbortController()
    const running = rig.call(
      'bash',
      { command: 'echo started; sleep 60' },
      { signal: stop.signal, output: () => stop.abort() },
    )
    expect((await running).text).toMatch(/Stopped by the person/)
    // Its pid means something here only without the jail's own.
    const leftover = await rig.call('bash', { command: 'sleep 61 & echo $!', unjailed: true })
    const pid = Number(leftover.text)
    expect(await runs(pid)).toBe(false)
  })
  it('bounds a flood', async () => {
    const outcome = await rig.call('bash', { command: 'head -c 30000000 /dev/zero | tr "\\0" "x"' })
    expect(outcome.text.length).toBeLessThan(8_100_000)
    expect(outcome.text).toMatch(/characters left out/)
  })
  it('background: news, input, stop', async () => {
    const started = await rig.call('bash', { command: 'while read line; do echo "got $line"; done', background: true })
    const id = String(started.detail.backgroundId)
    const heard = new Promise<void>(resolve => {
      rig.backgrounds.events.on(({ name }) => {
        if (name === 'background/output') resolve()
      })
    })
    expect((await rig.call('bash_input', { id, text: 'hello\n' })).failed).toBe(false)
    await heard
    expect((await rig.call('bash_output', { id })).text).toBe('got hello\n\nIt is still running.')
    expect((await rig.call('bash_output', { id })).text).toMatch(/nothing new/)
    expect((await rig.call('bash_stop', { id })).text).toMatch(/has ended \(stopped/)
    expect((await rig.call('bash_output', { id: 'bg_none' })).text).toMatch(/There is no background command/)
  })
  it.runIf(process.platform === 'linux')('background: a refused connection is told while it runs, once', async () => {
    const command = 'curl -s --max-time 8 http://nowhere.invalid/; echo "did it"; read line'
    const { detail } = await rig.call('bash', { command, background: true })
    const id = String(detail.backgroundId)
    let said = ''
    const heard = async () => (said += (await rig.call('bash_output', { id })).text)
    await expect.poll(heard, { timeout: 20_000 }).toMatch(/did it/)
    expect(said).toMatch(/Jail: No connection to nowhere\.invalid:80: it is not allowed.*did it.*still running/s)
    await rig.call('bash_input', { id, text: '\n' })
    await expect.poll(heard, { timeout: 20_000 }).toMatch(/has ended \(exited, exit code 0/)
    expect(said.match(/No connection/g)).toHaveLength(1)
  })
  it('background: ends with its workspace, and so does all that it started', async () => {
    const command = 'sleep 62 & echo $!; sleep 62'
    const { detail } = await rig.call('bash', { command, background: true, unjailed: true })
    const id = String(detail.backgroundId)
    let pid = 0
    const told = async () => Number.parseInt((await rig.call('bash_output', { id })).text, 10)
    await expect.poll(async () => (pid ||= (await told()) || 0)).toBeGreaterThan(1)
    await rig.backgrounds.endWorkspace('wsp_other' as WorkspaceId)
    expect(await runs(pid)).toBe(true)
    await rig.backgrounds.endWorkspace(rig.context.workspaceId)
    expect(await runs(pid)).toBe(false)
  })
  it('input says whether it goes to a command outside the jail: that is a question of its own', async () => {
    for (const unjailed of [false, true]) {
      const started = await rig.call('bash', { command: 'cat', background: true, unjailed })
      const id = String(started.detail.backgroundId)
      const { action } = await rig.call('bash_input', { id, text: 'x\n' })
      expect(action).toEqual({
        ...{ kind: 'command', command: `(input of ${id})`, cwd: '', background: true, exact: 'x\n' },
        ...(unjailed ? { unjailed } : {}),
      })
      await rig.call('bash_stop', { id })
    }
  })
})
