import { link, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CallId, RootId, SessionId, WorkspaceId } from '#contract/id'
import { Mode } from '#contract/session-event'
import type { Action, Decision } from '../agent/ports.ts'
import { createPermission, type Permission } from './permission.ts'

let home: string
let root: string
let count = 0
let permission: Permission
const sessionId = SessionId.parse('ses_1')
const workspaceId = WorkspaceId.parse('wsp_1')
const folders = () => ({
  config: join(home, 'config'),
  data: join(home, 'data'),
  state: join(home, 'state'),
  cache: join(home, 'cache'),
})
const fresh = (): Permission =>
  createPermission({
    folders: folders(),
    log: () => {},
    workspaceRoots: () => [{ rootId: RootId.parse('root_1'), absolute: root, name: 'root', readOnly: false }],
    dirtyPaths: () => [{ rootId: RootId.parse('root_1'), path: 'src/dirty.ts' }],
  })

beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'belay-permission-')))
  root = join(home, 'project')
  await mkdir(join(root, 'src'), { recursive: true })
  await mkdir(join(root, '.git'), { recursive: true })
  await mkdir(join(home, 'elsewhere'))
  for (const file of ['src/a.ts', 'src/b.ts', '.git/config', '.env', '.env.example'])
    await writeFile(join(root, file), 'x')
  await writeFile(join(home, 'elsewhere', 'c.ts'), 'x')
  await link(join(root, 'src/b.ts'), join(home, 'elsewhere', 'linked.ts'))
  await symlink(join(home, 'elsewhere'), join(root, 'out'))
  await symlink(join(root, '.git'), join(root, 'innocent'))
  await mkdir(join(root, 'tasks'))
  await symlink(join(root, 'tasks'), join(root, '.vscode'))
  await symlink(join(home, 'nowhere'), join(root, 'dangling'))
})
afterAll(() => rm(home, { recursive: true, force: true }))
beforeEach(async () => {
  await rm(join(home, 'data'), { recursive: true, force: true })
  await rm(join(home, 'config'), { recursive: true, force: true })
  permission = fresh()
})

const write = (path: string, creates = false): Action => ({
  kind: 'write',
  path: path.startsWith('/') ? path : join(root, path),
  creates,
  exact: 'the diff',
})
const readOf = (path: string): Action => ({ kind: 'read', path: path.startsWith('/') ? path : join(root, path) })
const command: Action = { kind: 'command', command: 'npm test', cwd: '/w', background: false, exact: 'npm test' }

async function judge(action: Action, mode: Mode = 'default', tool = 'edit', by = permission): Promise<Decision> {
  const callId = CallId.parse(`call_${++count}`)
  const [decision] = await by.authorize([{ callId, tool, action }], {
    sessionId,
    workspaceId,
    mode,
    rules: [],
    persona: null,
  })
  if (!decision) throw new Error('no decision')
  return decision
}
const short = async (action: Action, mode?: Mode, tool?: string): Promise<string> => {
  const decision = await judge(action, mode, tool)
  return decision.verdict === 'ask' && decision.firm ? 'firm' : decision.verdict
}

describe('mode by kind of action', () => {
  const rows: [string, () => Action, Record<Mode, string>][] = [
    ['nothing', () => ({ kind: 'none' }), all('allow')],
    ['a question', () => ({ kind: 'ask' }), all('allow')],
    ['a read inside', () => readOf('src/a.ts'), all('allow')],
    ['a read outside', () => readOf('/etc/hostname'), { ...all('ask'), dontAsk: 'deny', bypassPermissions: 'allow' }],
    ['a read of secrets', () => readOf('.env'), { ...all('firm'), dontAsk: 'deny', bypassPermissions: 'allow' }],
    [
      'an edit inside',
      () => write('lib/a.ts', true),
      {
        plan: 'deny',
        default: 'ask',
        acceptEdits: 'allow',
        auto: 'allow',
        dontAsk: 'deny',
        bypassPermissions: 'allow',
      },
    ],
    ['an edit outside', () => write('/etc/hosts'), all('deny')],
    [
      'an edit of a protected place',
      () => write('.git/config'),
      { ...all('firm'), plan: 'deny', dontAsk: 'deny', bypassPermissions: 'allow' },
    ],
    ['a command', () => command, { ...all('ask'), plan: 'deny', dontAsk: 'deny', bypassPermissions: 'allow' }],
  ]
  const cases = rows.flatMap(([what, action, verdicts]) =>
    Mode.options.map(mode => [what, mode, verdicts[mode], action] as const),
  )
  it.each(cases)('%s in %s: %s', async (_what, mode, verdict, action) => {
    expect(await short(action(), mode)).toBe(verdict)
  })
})
function all(verdict: string): Record<Mode, string> {
  return Object.fromEntries(Mode.options.map(mode => [mode, verdict])) as Record<Mode, string>
}

describe('protected places', () => {
  it.each([
    ...['.belay/settings.json', '.mcp.json', '.vscode-x/../.idea/x', '.claude/agents/a.md', '.git/hooks/pre-commit'],
    ...['.husky/pre-push', '.envrc', '.bashrc', 'deep/down/.zshrc', '.github/workflows/ci.yml', '.gitlab-ci.yml'],
    ...[
      '.GIT/config',
      '.Git/Hooks/x',
      '.VSCode/tasks.json',
      'a/.MCP.json',
      '.git./config',
      '.git ',
      '.git::$INDEX_ALLOCATION/x',
    ],
    ...['GIT~1/config', '.g\u200cit/config', '.ＧＩＴ/config', 'x.code-workspace', 'nested/repo/.git/config'],
  ])('%s asks, existing or not, whatever the mode', async path => {
    for (const mode of ['default', 'acceptEdits', 'auto'] as const) {
      expect(await short(write(path, true), mode)).toBe('firm')
      expect(await short(write(path), mode, 'write')).toBe('firm')
    }
  })

  it.each(['src/git.ts', '.github/CODEOWNERS', '.gitignore', '.editorconfig', 'vscode/x', 'docs/.env.md'])(
    '%s is not one',
    async path => {
      expect(await short(write(path, true), 'acceptEdits')).toBe('allow')
    },
  )

  it('are found through links: what a link leads to counts, and what a protected name leads to', async () => {
    expect(await short(write('innocent/config'), 'auto')).toBe('firm')
    expect(await short(write('tasks/tasks.json', true), 'auto')).toBe('firm')
  })

  it('offer nothing to remember', async () => {
    expect(await judge(write('.git/config'))).toMatchObject({ call: { remember: [], rule: 'protected: .git' } })
  })
})

describe('where a path really leads', () => {
  it('a link out of the folder is outside, also one that leads nowhere', async () => {
    expect(await short(write('out/c.ts'), 'auto')).toBe('deny')
    expect(await short(write('dangling', true), 'auto')).toBe('deny')
    expect(await short(readOf('out/c.ts'), 'auto')).toBe('ask')
    expect(await short(write('../elsewhere/c.ts'), 'auto')).toBe('deny')
    expect(await short(write(`${root}-not`, true), 'auto')).toBe('deny')
  })

  it('a file with a second name asks before it is written', async () => {
    expect(await judge(write('src/b.ts'), 'auto')).toMatchObject({ verdict: 'ask', firm: true })
  })

  it("Belay's own folders are closed, inside a root too", async () => {
    const wide = createPermission({
      folders: folders(),
      log: () => {},
      workspaceRoots: () => [{ rootId: RootId.parse('root_1'), absolute: home, name: 'home', readOnly: false }],
      dirtyPaths: () => [],
    })
    for (const action of [
      write(join(home, 'config/settings.json'), true),
      readOf(join(home, 'state/instances/x.json')),
    ])
      expect(await judge(action, 'auto', 'edit', wide)).toMatchObject({ verdict: 'deny' })
  })
})

describe('secrets', () => {
  it.each(['.env', '.env.local', 'a/.ENV.production', 'id_ed25519', 'server.pem', '.aws/credentials', '.netrc'])(
    'reading %s asks',
    async path => expect(await short(readOf(path), 'auto', 'read')).toBe('firm'),
  )
  it.each(['.env.example', 'environment.ts', 'src/env.ts', 'key.ts'])('reading %s does not', async path =>
    expect(await short(readOf(path), 'auto', 'read')).toBe('allow'),
  )
})

describe('remembering', () => {
  const answer = async (action: Action, remember: 'once' | 'session' | 'here', verdict: 'allow' | 'deny' = 'allow') => {
    const asked = await judge(action)
    if (asked.verdict !== 'ask') throw new Error(`it did not ask: ${asked.reason}`)
    const scope = { sessionId, workspaceId }
    const kept = await permission.remember({ callId: asked.call.callId, verdict, remember }, asked.call, scope)
    return kept?.line ?? null
  }

  it('once keeps nothing, and neither does "for this session": that is the mode of the session, not a rule', async () => {
    expect(await answer(write('lib/x.ts', true), 'once')).toBeNull()
    expect(await short(write('lib/x.ts', true))).toBe('ask')
    expect(await answer(write('lib/x.ts', true), 'session')).toBeNull()
    expect(await short(write('lib/x.ts', true))).toBe('ask')
    expect(await readdir(home)).not.toContain('data')
  })

  it('"for this session" is offered where the mode of edits would answer the ask, and nowhere else', async () => {
    const offered = async (action: Action, mode?: Mode) => {
      const asked = await judge(action, mode)
      return asked.verdict === 'ask' ? asked.call.remember : asked.verdict
    }
    expect(await offered(write('lib/x.ts', true))).toEqual(['session', 'here'])
    expect(await offered(write('.git/config'))).toEqual([])
    expect(await offered(command)).toEqual([])
    expect(await offered(readOf('/etc/hostname'))).toEqual([])
    await mkdir(join(home, 'config'), { recursive: true })
    const rules = [{ tool: 'edit', verdict: 'ask', pattern: 'lib/**' }]
    await writeFile(join(home, 'config', 'rules.json'), JSON.stringify({ v: 1, rules }))
    expect(await offered(write('lib/x.ts', true))).toEqual(['here'])
    expect(await offered(write('lib/x.ts', true), 'auto')).toEqual(['here'])
    expect(await offered(write('other/x.ts', true))).toEqual(['session', 'here'])
  })

  it('here keeps it in the profile, never in the folder, also after a restart', async () => {
    expect(await answer(write('lib/[x].ts', true), 'here')).toBe('allow edit(lib/\\[x\\].ts) [here]')
    permission = fresh()
    expect(await short(write('lib/[x].ts'))).toBe('allow')
    expect(await short(write('lib/x.ts', true))).toBe('ask')
    const [name] = await readdir(join(home, 'data', 'rules'))
    expect(JSON.parse(await readFile(join(home, 'data', 'rules', name ?? ''), 'utf8'))).toMatchObject({ folder: root })
    expect(await readdir(root)).not.toContain('.belay')
  })

  it('a no can be kept as well, and is final', async () => {
    expect(await answer(write('lib/no.ts', true), 'here', 'deny')).toBe('deny edit(lib/no.ts) [here]')
    expect(await short(write('lib/no.ts', true), 'auto')).toBe('deny')
  })

  it('commands are never kept, and say what they would not see', async () => {
    expect(await judge(command)).toMatchObject({
      call: { kind: 'command', exact: 'npm test', where: '/w', remember: [], dirty: [{ path: 'src/dirty.ts' }] },
    })
    expect(await answer(command, 'session')).toBeNull()
    expect(await short(command)).toBe('ask')
  })
})

describe('files of rules', () => {
  const rulesFile = async (file: string, text: string): Promise<void> => {
    await mkdir(join(file, '..'), { recursive: true })
    await writeFile(file, text)
  }
  it('a person’s own allow and deny; one that a folder brings only tightens', async () => {
    const rules = (...all: object[]): string => JSON.stringify({ v: 1, rules: all })
    await rulesFile(
      join(home, 'config', 'rules.json'),
      rules({ tool: 'edit', verdict: 'allow', pattern: 'lib/**' }, { tool: 'bash', verdict: 'deny', pattern: 'rm *' }),
    )
    expect(await short(write('lib/deep/x.ts', true))).toBe('allow')
    expect(await short(write('other/x.ts', true))).toBe('ask')
    for (const text of ['rm -rf x', 'ls && rm x', 'rm'])
      expect(await short({ ...command, command: text } as Action, 'auto', 'bash')).toBe('deny')
    const own = join(root, '.belay', 'rules.json')
    await rulesFile(
      own,
      rules({ tool: '*', verdict: 'allow', priority: 900 }, { tool: 'edit', verdict: 'deny', pattern: 'lib/deep/**' }),
    )
    expect(await short(write('other/x.ts', true))).toBe('ask')
    expect(await short(write('lib/deep/x.ts', true))).toBe('deny')
    await rm(join(root, '.belay'), { recursive: true })
  })

  it('one that cannot be read makes everything ask, and is not overwritten', async () => {
    await rulesFile(join(home, 'config', 'rules.json'), '{ broken')
    expect(await judge(write('lib/x.ts', true), 'auto')).toMatchObject({
      verdict: 'ask',
      call: { reason: expect.stringContaining('cannot be read') },
    })
    expect(await short({ kind: 'none' })).toBe('allow')
  })
})
