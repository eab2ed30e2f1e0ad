/** Folders of agents: who holds a name, what a stranger's folder cannot do, what a page writes, and how a change is heard of. */
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WorkspaceId } from '#contract/id'
import { type Agents, createAgents } from './agents.ts'

const workspaceId = WorkspaceId.parse('wsp_0')
const context = { clientId: 'page', signal: new AbortController().signal }
const toolNames = ['read', 'edit', 'grep', 'bash', 'task']

let home: string
let root: string
let trusted: boolean
let mounts: { absolute: string; readOnly: boolean }[]
let agents: Agents

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'belay-agents-')))
  root = join(home, 'work')
  await mkdir(root)
  trusted = true
  mounts = []
  agents = createAgents({
    configFolder: join(home, 'config'),
    workspace: () => ({ roots: [{ absolute: root, readOnly: false }], mounts, trusted }),
    toolNames: () => toolNames,
    remove: file => rm(file),
    log: () => {},
  })
})
afterEach(async () => {
  agents.dispose()
  await rm(home, { recursive: true, force: true })
})

const text = (name: string | null, ...lines: string[]) =>
  ['---', ...(name ? [`name: ${name}`] : []), 'description: helps', ...lines, '---', 'You help.', ''].join('\n')
const put = async (path: string, content: string) => {
  await mkdir(dirname(join(home, path)), { recursive: true })
  await writeFile(join(home, path), content)
}
const own = (path: string, content: string) => put(`config/agents/${path}`, content)
const brought = (path: string, content: string) => put(`work/.belay/agents/${path}`, content)
const list = async () => {
  const found = await agents.handlers.list({ workspaceId }, context)
  return {
    names: found.agents.filter(({ scope }) => scope !== 'built-in').map(({ name, scope }) => `${name} ${scope}`),
    builtIn: found.agents.filter(({ scope }) => scope === 'built-in').map(({ name }) => name),
    problems: found.problems.map(({ file, line, message }) => `${file.slice(home.length + 1)}:${line}: ${message}`),
  }
}
const at = (scope: 'user' | 'workspace', name: string) => ({ workspaceId, scope, name })

describe('the list', () => {
  it('has those of a mounted folder, and a read-only one keeps them as they are', async () => {
    await put('team/reviewer.md', text(null))
    mounts = [{ absolute: join(home, 'team'), readOnly: true }]
    expect((await list()).names).toEqual(['reviewer workspace'])
    const which = at('workspace', 'reviewer')
    const { hash } = await agents.handlers.read(which, context)
    await expect(agents.handlers.save({ ...which, text: text(null, 'model: x'), hash }, context)).rejects.toMatchObject(
      { code: 'read_only' },
    )
    await expect(agents.handlers.remove(which, context)).rejects.toMatchObject({ code: 'read_only' })
    trusted = false
    expect((await list()).names).toEqual([])
  })
  it('has agents down to the third level, and never a dot file or a folder of the fourth', async () => {
    await own('one.md', text(null))
    await own('a/two.md', text(null))
    await own('a/b/three.md', text(null))
    await own('a/b/c/four.md', text(null))
    await own('.five.md', text(null))
    await own('.six/six.md', text(null))
    await own('seven.txt', text(null))
    await brought('eight.md', text(null))
    expect(await list()).toEqual({
      names: ['eight workspace', 'one user', 'three user', 'two user'],
      builtIn: ['bash', 'commit-message', 'explore', 'general', 'plan'],
      problems: [],
    })
    trusted = false
    expect((await list()).names).toEqual(['one user', 'three user', 'two user'])
  })

  it('shows a broken file with its line, and the others all the same', async () => {
    await own('good.md', text(null))
    await own('bad.md', text(null, 'colour: red'))
    await own('huge.md', text(null) + 'x'.repeat(200_000))
    await put('config/agents/latin.md', '')
    await writeFile(join(home, 'config/agents/latin.md'), Buffer.from([0x2d, 0xff, 0xfe]))
    expect(await list()).toMatchObject({
      names: ['good user'],
      problems: [
        expect.stringMatching(/^config\/agents\/bad\.md:3: .*colour/),
        expect.stringMatching(/^config\/agents\/huge\.md:1: .*larger than 200,000/),
        expect.stringMatching(/^config\/agents\/latin\.md:1: .*UTF-8/),
      ],
    })
  })

  it('lets a person stand their own agent for a built-in one, and keeps the name closed while its file is broken', async () => {
    await own('explore.md', text('Explore', 'tools: [read]'))
    expect(await list()).toMatchObject({
      names: ['Explore user'],
      builtIn: ['bash', 'commit-message', 'general', 'plan'],
    })
    await own('explore.md', text('Explore', 'tols: [read]'))
    await brought('explore.md', text(null, 'tools: ["*"]'))
    expect(await list()).toMatchObject({
      names: [],
      builtIn: ['bash', 'commit-message', 'general', 'plan'],
      problems: [expect.stringContaining('Did you mean `tools`?'), expect.stringContaining('explore is taken by')],
    })
  })

  it('lets a folder take no name that is held', async () => {
    await own('mine.md', text(null))
    for (const name of ['general', 'MINE', 'Bash']) await brought(`${name}.md`, text(name, 'tools: ["*"]'))
    await brought('a.md', text('twin'))
    await brought('b.md', text('Twin'))
    const { names, problems } = await list()
    expect(names).toEqual(['mine user', 'twin workspace'])
    expect(problems.map(line => line.replace(/ by another file,.*/, ' by another file'))).toEqual([
      expect.stringMatching(/Bash\.md:2: .*built-in/),
      expect.stringMatching(/MINE\.md:2: .*an agent of your own/),
      'work/.belay/agents/b.md:2: The name Twin is taken by another file',
      expect.stringMatching(/general\.md:2: .*built-in/),
    ])
  })

  it.runIf(process.platform !== 'win32')('follows no link out of its folder', async () => {
    await put('elsewhere/evil.md', text(null, 'tools: ["*"]'))
    await brought('inside.md', text(null))
    await symlink(join(home, 'elsewhere/evil.md'), join(root, '.belay/agents/evil.md'))
    await symlink(join(home, 'elsewhere'), join(root, '.belay/agents/more'))
    await symlink(join(root, '.belay/agents/inside.md'), join(root, '.belay/agents/same.md'))
    expect(await list()).toMatchObject({
      names: ['inside workspace', 'same workspace'],
      problems: [expect.stringMatching(/evil\.md:1: .*leads out/)],
    })
    await rm(join(root, '.belay'), { recursive: true })
    await symlink(join(home, 'elsewhere'), join(root, '.belay'))
    await put('elsewhere/agents/evil.md', text(null))
    expect((await list()).names).toEqual([])
    await expect(
      agents.handlers.save({ ...at('workspace', 'x'), text: text('x'), hash: null }, context),
    ).rejects.toMatchObject({
      code: 'outside',
    })
    expect(await readdir(join(home, 'elsewhere/agents'))).toEqual(['evil.md'])
  })
})

describe('a page', () => {
  it('writes a new one, changes it, and is told when it changed elsewhere', async () => {
    const { save, read, remove } = agents.handlers
    const made = await save({ ...at('workspace', 'mine'), text: text('mine'), hash: null }, context)
    expect(await read(at('workspace', 'mine'), context)).toEqual({ text: text('mine'), hash: made.hash })
    expect(await readFile(join(root, '.belay/agents/mine.md'), 'utf8')).toBe(text('mine'))
    const changed = await save(
      { ...at('workspace', 'mine'), text: text('mine', 'hidden: true'), hash: made.hash },
      context,
    )
    for (const hash of [made.hash, null])
      await expect(save({ ...at('workspace', 'mine'), text: text('mine'), hash }, context)).rejects.toMatchObject({
        code: 'stale',
      })
    expect((await read(at('workspace', 'mine'), context)).hash).toBe(changed.hash)
    await remove(at('workspace', 'mine'), context)
    await expect(read(at('workspace', 'mine'), context)).rejects.toMatchObject({ code: 'not_found' })
    expect((await list()).names).toEqual([])
  })

  it('writes nothing that is no agent, or that takes a name', async () => {
    const { save } = agents.handlers
    await own('mine.md', text(null))
    const refused = [
      [at('user', 'x'), text('x', 'tols: [read]'), 'Line 4'],
      [at('user', 'x'), text('y'), 'saved as x'],
      [at('user', 'other'), text('mine'), 'saved as other'],
      [at('workspace', 'mine'), text('mine'), 'taken by'],
      [at('workspace', 'general'), text('general'), 'built-in'],
    ] as const
    for (const [which, content, words] of refused)
      await expect(save({ ...which, text: content, hash: null }, context), words).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringMatching(`^Nothing was written.*${words}`),
      })
    expect(await readdir(join(home, 'config/agents'))).toEqual(['mine.md'])
    await expect(readdir(join(root, '.belay'))).rejects.toMatchObject({ code: 'ENOENT' })
    await save({ ...at('user', 'general'), text: text('general'), hash: null }, context)
    trusted = false
    await expect(save({ ...at('workspace', 'x'), text: text('x'), hash: null }, context)).rejects.toMatchObject({
      code: 'untrusted',
    })
  })

  it('mends a broken file, found by its name', async () => {
    await own('bad.md', text('Elsewise', 'tols: [read]'))
    const { text: broken, hash } = await agents.handlers.read(at('user', 'bad'), context)
    expect(broken).toContain('tols')
    await agents.handlers.save({ ...at('user', 'bad'), text: text('Elsewise', 'tools: [read]'), hash }, context)
    expect(await list()).toMatchObject({ names: ['Elsewise user'], problems: [] })
  })

  it('hears of a change in folders that were not there before', async () => {
    await list()
    const heard = () =>
      new Promise<void>(resolve => {
        const stop = agents.changed.on(() => {
          stop()
          resolve()
        })
      })
    for (const [write, name] of [
      [brought, 'one'],
      [own, 'two'],
      [brought, 'three'],
    ] as const) {
      // A folder is watched only from a moment after it came: write until it is heard.
      const next = heard()
      let done = false
      void next.then(() => {
        done = true
      })
      for (let i = 0; !done; i++) {
        await write(`${name}.md`, text(null, `# ${i}`))
        await Promise.race([next, new Promise(resolve => setTimeout(resolve, 100))])
      }
      expect((await list()).names.join()).toContain(name)
    }
  })
})
