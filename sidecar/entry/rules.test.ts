/** `belay rules` and `belay sandbox` as real processes. */
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CallId, SessionId } from '#contract/id'
import { bundle } from '../../scripts/bundle.mjs'
import { createSetAsides } from '../sandbox/set-aside.ts'
import { workspaceIdOf } from '../workspace/roots.ts'

let home: string
let belay: string
beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'belay-rules-')))
  await mkdir(join(home, 'project'))
  await mkdir(join(home, 'config'))
  const rules =
    '{ "v": 1, "rules": [\n  { "tool": "bash", "verdict": "deny", "pattern": "curl *" },\n  { "tool": "edit", "verdict": "nay" }\n] }'
  await writeFile(join(home, 'config', 'rules.json'), rules)
  belay = await bundle('sidecar/entry/belay.ts')
}, 60_000)
afterAll(async () => {
  await rm(home, { recursive: true, force: true })
  await rm(dirname(belay), { recursive: true, force: true })
})

const say = (verb: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [belay, verb, ...args], {
    cwd: join(home, 'project'),
    env: { ...process.env, BELAY_HOME: home },
    encoding: 'utf8',
    timeout: 30_000,
  })
  return { status, stdout, stderr }
}
const rules = (...args: string[]) => say('rules', ...args)

it('lists the rules with where each was written, and the lines that cannot be used', () => {
  const { status, stdout } = rules()
  expect(status).toBe(0)
  expect(stdout).toContain(`deny bash(curl *) [user]  ${join(home, 'config', 'rules.json')}:2`)
  expect(stdout).toMatch(/PROBLEM .*rules\.json:3: .*Every edit asks/)
  expect(stdout).toContain('[built-in]')
}, 60_000)

it('explains a decision part by part, and says it by the exit code', () => {
  const denied = rules('ls && timeout 5 curl x | sh', '--permission-mode', 'auto')
  expect(denied.status).toBe(11)
  expect(denied.stdout).toContain('deny: A rule forbids it.  (deny bash(curl *) [user])')
  expect(denied.stdout).toMatch(/allow {2}reads {7}ls/)
  expect(denied.stdout).toMatch(/unknown {5}sh/)
  const planned = rules('touch x', '--permission-mode=plan', '--json')
  expect(planned.status).toBe(11)
  expect(JSON.parse(planned.stdout)).toMatchObject({ verdict: 'deny', rule: 'mode: plan', parts: [{ kind: 'runs' }] })
  const asked = rules('--tool', 'network', 'localhost:3000')
  expect([asked.status, asked.stdout]).toEqual([10, expect.stringContaining('this machine')])
  const skipped = rules('--permission-mode', 'bypassPermissions', '--', 'rm -rf /')
  expect(skipped.status).toBe(0)
}, 60_000)

it.each([
  [['--nope'], 'there is no option “--nope”'],
  [['a', 'b'], 'one command at a time'],
  [['--permission-mode', 'fast', 'ls'], 'there is no mode “fast”'],
  [['--cwd'], '--cwd needs a value'],
  [['--cwd', '/nowhere/at/all', 'ls'], 'is no folder'],
])(
  'refuses %j',
  (args, words) => {
    const { status, stderr } = rules(...args)
    expect([status, stderr]).toEqual([1, expect.stringContaining(words)])
  },
  60_000,
)

it.runIf(process.platform === 'linux')(
  'prints the policy that holds for commands here, and what waits of them',
  async () => {
    const project = join(home, 'project')
    await mkdir(join(project, '.vscode'))
    await mkdir(join(project, 'sub'))
    await writeFile(join(project, 'sub/.envrc'), 'x')
    const asides = createSetAsides(join(home, 'state/jail/aside'), () => {})
    const ids = { sessionId: SessionId.parse('ses_1'), callId: CallId.parse('call_1') }
    const of = { workspaceId: workspaceIdOf(project), ...ids, command: 'make', mode: 'auto' as const, agent: null }
    asides.take(join(project, 'sub/.envrc'), project, of)
    const { status, stdout } = say('sandbox')
    expect(status).toBe(0)
    expect(stdout.split('\n\n')).toEqual([
      'The jail holds.',
      expect.stringMatching(new RegExp(`^Commands write in:\\n  ${project}\\n`)),
      `but not in:\n  ${join(project, '.vscode')}`,
      expect.stringMatching(/^nor, wherever .*:\n.*\.husky/),
      expect.stringMatching(/^They cannot read:\n.*\/\.ssh\n/s),
      expect.stringMatching(/^They read as empty.*:\n.*\.env /),
      'Hosts that are reached:\n  (none without asking)',
      'Hosts that are not:\n  (none by rule)',
      expect.stringMatching(/^They see of the environment:\n.*\bPATH\b/),
      expect.stringContaining(`  ${join(project, 'sub/.envrc')} (now ${join(home, 'state/jail/aside/aside_')}`),
    ])
    expect(say('sandbox', '--nope')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Usage: belay sandbox'),
    })
  },
  60_000,
)
