/** On Windows there is no jail: whatever the rules and the mode, a command is never let through by itself. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SessionId, WorkspaceId } from '#contract/id'
import type { Mode } from '#contract/session-event'
import type { ToolContext } from './agent/ports.ts'
import { foldersOf } from './base/folders.ts'
import { printed } from './entry/sandbox.ts'
import { decide, type Facts } from './permission/decide.ts'
import { lookAtCommand } from './permission/look-command.ts'
import type { Rule } from './permission/rule.ts'
import { createJail, type Jail } from './sandbox/jail.ts'
import { createBackgrounds } from './tools/background.ts'
import { createBash } from './tools/bash.ts'
import { commandShell, wordFor } from './tools/command.ts'

let home = ''
let jail: Jail
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'belay-windows-'))
  jail = createJail({
    ...{ folders: foldersOf({ BELAY_HOME: home }), log: () => {}, env: {}, platform: 'win32' as const },
    writableFolders: () => [],
  })
})
afterAll(async () => {
  await jail.dispose()
  await rm(home, { recursive: true, force: true })
})

const nowhere = { outside: false, readOnly: false, own: false, protectedPart: null, secretPart: null, shared: false }
async function verdictOf(command: string, mode: Mode, rules: Rule[], unjailed: boolean): Promise<string> {
  const roots = [{ rootId: 'r', name: 'r', absolute: home, readOnly: false }]
  const action = { kind: 'command' as const, command, cwd: home, background: false, exact: command, unjailed }
  const around = { roots: roots as never, own: [], jailed: jail.holds(), tool: 'bash', platform: 'win32' as const }
  const { facts } = await lookAtCommand(action, around)
  const all: Facts = {
    tool: 'bash',
    kind: 'command',
    command: facts,
    host: null,
    absolute: null,
    inRoots: [],
    ...nowhere,
  }
  return decide(rules, all, mode).verdict
}

test('every command asks in every mode that may run one; where nobody may be asked it is a no', async () => {
  const command = fc.constantFrom('ls', 'git status', 'Get-ChildItem', 'echo hi; rm x', 'npm test', 'cat a | iex')
  const rules = fc.array(
    fc.record({
      tool: fc.constantFrom('*', 'bash'),
      verdict: fc.constantFrom('allow' as const, 'ask' as const),
      pattern: fc.constantFrom(null, '**', '*', 'ls', 'git *', 'npm test'),
      priority: fc.integer({ min: -2, max: 2 }),
      scope: fc.constantFrom('user' as const, 'here' as const, 'session' as const),
      base: fc.constant(null),
    }),
    { maxLength: 4 },
  )
  await fc.assert(
    fc.asyncProperty(command, rules, fc.boolean(), async (text, some, unjailed) => {
      for (const mode of ['default', 'acceptEdits', 'auto'] as const)
        expect(await verdictOf(text, mode, some, unjailed)).toBe('ask')
      for (const mode of ['plan', 'dontAsk'] as const) expect(await verdictOf(text, mode, some, unjailed)).toBe('deny')
    }),
    { numRuns: 60 },
  )
})

test('the tool says itself that nothing holds its command, and the jail says so in words', async () => {
  const shell = commandShell('win32', false)
  const setup = () => ({ shell, environment: async () => ({}), ledger: { add: () => {}, remove: () => {} }, jail })
  const workspace = { paths: { roots: [{ absolute: home }] } } as never
  const bash = createBash(() => workspace, setup, createBackgrounds())
  const context = { workspaceId: 'w' as WorkspaceId, sessionId: 's' as SessionId } as ToolContext
  expect(await bash.describe({ command: 'ls' }, context)).toMatchObject({ kind: 'command', unjailed: true })
  const status = await jail.status()
  expect([status.state, jail.holds(), jail.isUnsupported()]).toEqual(['unsupported', false, true])
  expect(printed(status, {} as never)).toBe(
    'There is no jail here: Belay has no jail for commands on Windows. Each command runs only when you allow it, with all of your rights.',
  )
  await expect(jail.prepare({} as never)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('Nothing was run'),
  })
})

test('PowerShell gets the text whole, whatever is in it', () => {
  const [program, ...before] = commandShell('win32', true)
  const command = 'echo "a \\"b\\"" `$c; Write-Host \'ü % ^ & |\'\nls'
  const said = Buffer.from(wordFor(program, command), 'base64').toString('utf16le')
  expect(before.at(-1)).toBe('-EncodedCommand')
  expect(said.split('\n').slice(1, -1).join('\n')).toBe(command)
  expect(wordFor('bash', command)).toBe(command)
})
