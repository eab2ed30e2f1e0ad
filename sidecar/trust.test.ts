/** Trust of a folder, with the real core: what opening a hostile one does (nothing), what trusting it enables, and taking it back. */
import { createHook } from 'node:async_hooks'
import childProcess from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { connect as connectTo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RequestId } from '#contract/id'
import type { SessionEvent } from '#contract/session-event'
import { openWindow, startCore } from './core.case.ts'
import type { Core } from './core.ts'
import { createTrap, type Trap, writeHostileFolder } from './hostile.case.ts'

let home: string
let folder: string
let trap: Trap
let core: Core

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'belay-trust-')))
  folder = join(home, 'project')
  const outside = join(home, 'outside')
  await Promise.all([mkdir(folder), mkdir(outside)])
  trap = await createTrap(join(home, 'trap'))
  await writeHostileFolder(folder, trap, outside)
  core = await newCore()
})
afterEach(async () => {
  await core.dispose()
  trap.close()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

const newCore = () => startCore(home, join(home, 'outside'))
const connect = () => openWindow(core)

/** Processes that this one starts and connections that it makes, by their kind, while `work` runs. */
async function startedBy(work: () => Promise<void>): Promise<string[]> {
  const started: string[] = []
  const telling = /^(PROCESSWRAP|TCPCONNECTWRAP|PIPECONNECTWRAP|TLSWRAP|UDPWRAP|GETADDRINFOREQWRAP|QUERYWRAP|WORKER)$/
  const hook = createHook({ init: (_, type) => void (telling.test(type) && started.push(type)) })
  const before = { ...childProcess }
  for (const name of ['spawnSync', 'execSync', 'execFileSync'] as const)
    Object.assign(childProcess, {
      [name]: (...args: unknown[]) => {
        started.push(`${name} ${String(args[0])}`)
        return Reflect.apply(before[name], childProcess, args)
      },
    })
  syncBuiltinESMExports()
  hook.enable()
  try {
    await work()
  } finally {
    hook.disable()
    Object.assign(childProcess, before)
    syncBuiltinESMExports()
  }
  return started
}

const requestId = () => crypto.randomUUID() as RequestId
const refused = { code: 'untrusted' }

describe.skipIf(process.platform === 'win32')('a hostile folder that nobody trusts', () => {
  it('is hostile, and what starts would be seen', async () => {
    const started = await startedBy(async () => {
      childProcess.execFileSync('git', ['status'], { cwd: folder, stdio: 'ignore', env: { PATH: process.env.PATH } })
      await once(childProcess.spawn('true'), 'exit')
      await once(connectTo(trap.port, '127.0.0.1'), 'close')
    })
    expect(started).toEqual(['execFileSync git', 'PROCESSWRAP', 'TCPCONNECTWRAP'])
    expect(await trap.ran()).toContain('fsmonitor')
    expect(trap.connections()).toBeGreaterThan(1)
  })

  it('opens as text: whatever a window asks of it starts no process and makes no connection', async () => {
    const client = await connect()
    const started = await startedBy(async () => {
      const info = await client.workspace.open({ folder })
      expect(info.trusted).toBe(false)
      const { workspaceId, roots } = info
      const rootId = roots[0]?.rootId as (typeof roots)[number]['rootId']
      const at = (path: string) => ({ rootId, path })
      for (const path of ['', 'src', '.git', '.vscode', 'nested'])
        await client.workspace.list({ workspaceId, path: at(path), page: 0 })
      for (const path of ['README.md', '.git/config', 'package.json', 'src/a.ts', 'eslint.config.js'])
        await client.document.open({ workspaceId, path: at(path) })
      expect((await client.workspace.find({ workspaceId, query: 'a.ts', limit: 5 })).files[0]?.path.path).toBe(
        'src/a.ts',
      )
      expect(await client.git.status({ workspaceId, rootId })).toMatchObject({ repository: false, files: [] })
      expect(await client.git.headText({ workspaceId, path: at('src/a.ts') })).toEqual({ text: null })
      const { values } = await client.settings.get({ workspaceId })
      for (const [key, value] of [
        ['agent.mode', 'default'],
        ['web.search', 'none'],
        ['agent.webSearch', false],
        ['terminal.shell', ''],
      ])
        expect(values.find(each => each.key === key)?.value).toEqual(value)
      const { servers } = await client.language.servers({ workspaceId })
      expect(new Set(servers.map(({ state }) => state))).toEqual(new Set(['untrusted']))
      await expect(client.language.restart({ workspaceId, id: servers[0]?.id ?? '' })).rejects.toMatchObject(refused)
      expect((await client.agents.list({ workspaceId })).agents.filter(({ scope }) => scope === 'workspace')).toEqual(
        [],
      )
      const searched = client.workspace.search({
        workspaceId,
        searchId: 's',
        query: 'x',
        regex: false,
        matchCase: false,
        wholeWord: false,
        include: '',
        exclude: '',
        limit: 5,
      })
      await expect(searched).rejects.toMatchObject(refused)
      await expect(client.terminalTicket.mint({ workspaceId })).rejects.toMatchObject(refused)
      const { sessionId } = await client.session.create({ workspaceId, model: 'scripted/default' })
      await client.session.open({ sessionId })
      const parts = [{ kind: 'text' as const, text: 'script:[[{"call":"bash","arguments":{"command":"make"}}]]' }]
      await expect(
        client.session.prompt({ sessionId, requestId: requestId(), parts, whenRunning: 'queue' }),
      ).rejects.toMatchObject(refused)
      expect(await client.workspace.trustFacts({ workspaceId })).toEqual({
        git: true,
        advice: ['AGENTS.md'],
        agents: ['evil'],
        rules: 1,
        settings: ['editor.tabSize'],
        notRun: [
          '.mcp.json',
          '.belay/hooks.json',
          '.claude/settings.json',
          '.vscode/tasks.json',
          '.vscode/settings.json',
          '.envrc',
        ],
      })
      // What comes late comes now: the watcher, and what it tells.
      await writeFile(join(folder, 'new.txt'), 'x')
      await client.workspace.list({ workspaceId, path: at(''), page: 0 })
    })
    expect(started).toEqual([])
    expect(await trap.ran()).toEqual([])
    expect(trap.connections()).toBe(0)
  })

  it('that is trusted still runs nothing of its own: git, agents and settings count, and widen nothing', async () => {
    const client = await connect()
    const { workspaceId, roots } = await client.workspace.open({ folder })
    const rootId = roots[0]?.rootId as (typeof roots)[number]['rootId']
    expect((await client.workspace.trust({ workspaceId, trusted: true })).trusted).toBe(true)
    expect(await client.git.status({ workspaceId, rootId })).toMatchObject({ repository: true })
    await client.git.headText({ workspaceId, path: { rootId, path: 'src/a.ts' } })
    const { values, problems } = await client.settings.get({ workspaceId })
    expect(values.flatMap(({ scope, key }) => (scope === 'workspace' ? key : []))).toEqual(['editor.tabSize'])
    expect(problems.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['agent.mode', 'web.search', 'web.searchUrl', 'agent.providers']),
    )
    expect(await trap.ran()).toEqual([])
    expect(trap.connections()).toBe(0)
  })
})

describe('trust', () => {
  it('is of that folder alone, kept in the profile, and taken back: what works there ends', async () => {
    const client = await connect()
    const { workspaceId } = await client.workspace.open({ folder })
    const agentsChanged = new Promise(resolve => client.on('agents/changed', resolve))
    await client.workspace.trust({ workspaceId, trusted: true })
    await agentsChanged
    expect(JSON.parse(await readFile(join(home, 'belay/data/trust.json'), 'utf8'))).toEqual({ folders: [folder] })
    expect((await client.workspace.open({ folder: join(folder, 'src') })).trusted).toBe(false)
    const events: SessionEvent[] = []
    client.on('session/happened', batch => void events.push(...batch.events))
    const { sessionId } = await client.session.create({ workspaceId, model: 'scripted/default' })
    await client.session.open({ sessionId })
    const text = 'script:[[{"text":"This takes"},{"delayMs":60000}]]'
    await client.session.prompt({
      sessionId,
      requestId: requestId(),
      parts: [{ kind: 'text', text }],
      whenRunning: 'queue',
    })
    await client.workspace.trust({ workspaceId, trusted: false })
    await expect.poll(() => events.find(event => event.type === 'turn.ended')).toMatchObject({ outcome: 'stopped' })
    await expect(client.terminalTicket.mint({ workspaceId })).rejects.toMatchObject(refused)
    await core.dispose()
    core = await newCore()
    expect((await (await connect()).workspace.open({ folder })).trusted).toBe(false)
  })

  it('for a run alone is in what Belay ships; what the folder brings needs --trust or an earlier answer', async () => {
    const brought = async () => {
      const client = await connect()
      const { workspaceId, trusted } = await client.workspace.open({ folder })
      const { agents } = await client.agents.list({ workspaceId })
      return { trusted, agents: agents.flatMap(({ scope, name }) => (scope === 'workspace' ? name : [])) }
    }
    await core.openFolder(folder)
    expect(await brought()).toEqual({ trusted: true, agents: [] })
    await core.openFolder(folder, { trust: true })
    expect(await brought()).toEqual({ trusted: true, agents: ['evil'] })
    await core.dispose()
    core = await newCore()
    await core.openFolder(folder)
    expect(await brought()).toEqual({ trusted: true, agents: [] })
    const client = await connect()
    const { workspaceId } = await client.workspace.open({ folder })
    await client.workspace.trust({ workspaceId, trusted: true })
    await core.dispose()
    core = await newCore()
    await core.openFolder(folder)
    expect(await brought()).toEqual({ trusted: true, agents: ['evil'] })
  })
})
