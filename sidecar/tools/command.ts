/** How a command of the agent is started: in the jail, unless a person allowed that very command to run without it. */
import type { Violation } from '#contract/sandbox'
import type { Root } from '#contract/workspace'
import type { ToolContext } from '../agent/ports.ts'
import { foreignEnvironment } from '../base/environment.ts'
import { findOnPath } from '../base/on-path.ts'
import { type ChildLedger, type ProcessGroup, spawnGroup } from '../base/process-group.ts'
import { unattended } from '../sandbox/environment.ts'
import type { Jail } from '../sandbox/jail.ts'
import type { WatchWrites } from './command-writes.ts'

export interface CommandSetup {
  /** Program and the arguments that go before the command text. */
  readonly shell: readonly [string, ...string[]]
  /** Of a command that runs without the jail. No command starts before it is known. */
  environment(): Promise<Record<string, string>>
  readonly ledger: ChildLedger
  readonly jail: Jail
  /** Finds what it writes; without it nobody looks. */
  readonly watchWrites?: WatchWrites
  /** Told of what the jail stopped, for the record. Never throws. */
  readonly violated?: (violations: readonly Violation[], context: ToolContext) => void
}

export interface CommandPlace {
  readonly command: string
  readonly cwd: string
  readonly roots: readonly Root[]
  readonly unjailed: boolean
  readonly withSecrets: boolean
}

export interface StartedCommand {
  readonly group: ProcessGroup
  readonly jailed: boolean
  /** Once the group has ended. `output`: the end of what it wrote. All that was stopped of it. Never rejects. */
  settle(output: string): Promise<Violation[]>
}

/** Throws `unavailable` with words for the model where the jail does not hold; then nothing ran. `stopped`: told while it runs. */
export async function startCommand(
  { shell, environment, ledger, jail, violated }: CommandSetup,
  { command, cwd, roots, unjailed, withSecrets }: CommandPlace,
  stdin: 'pipe' | 'ignore',
  context: ToolContext,
  stopped: (violation: Violation) => void = () => {},
): Promise<StartedCommand> {
  const [program, ...before] = shell
  const env = await environment()
  if (unjailed || context.mode() === 'bypassPermissions') {
    const group = spawnGroup(program, [...before, wordFor(program, command)], { cwd, env, stdin, ledger })
    return { group, jailed: false, settle: async () => [] }
  }
  const { sessionId, workspaceId, callId } = context
  const reach = (host: string, port: number) => context.reach(host, port)
  const by = { mode: context.mode(), agent: context.persona?.name ?? null }
  const told = new Set<Violation>()
  const tell = (violation: Violation) => {
    told.add(violation)
    violated?.([violation], context)
    stopped(violation)
  }
  const jailed = await jail.prepare({
    ...{ command, shell: program, cwd, roots, withSecrets, sessionId, workspaceId, callId, reach, ...by },
    stopped: tell,
  })
  try {
    const [wrapper, ...words] = jailed.words
    const group = spawnGroup(wrapper, words, { cwd, env: jailed.env, stdin, ledger, inherit: jailed.inherit })
    const settle = async (output: string): Promise<Violation[]> => {
      const violations = await jailed.finish(output)
      violated?.(
        violations.filter(each => !told.has(each)),
        context,
      )
      return violations
    }
    return { group, jailed: true, settle }
  } catch (fault) {
    await jailed.finish('')
    throw fault
  } finally {
    jailed.started()
  }
}

/** Whatever looks like a credential: a command does not need the model's keys. */
const secret = /(_API_KEY|_AUTH_TOKEN|_ACCESS_TOKEN|_SECRET_KEY)$/i

/** What a command without a jail sees of the person's environment, with everything that would open a pager or a prompt answered. */
export function commandEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(foreignEnvironment(env)).filter(([name]) => !secret.test(name))
  return { ...Object.fromEntries(kept), ...unattended }
}

/** The shell that gets the text: bash where there is one, for it is what models write; cmd's successor on Windows. */
export function commandShell(platform: NodeJS.Platform, hasBash: boolean): CommandSetup['shell'] {
  if (platform === 'win32') return ['powershell.exe', '-NoLogo', '-NoProfile', '-NonInteractive', '-EncodedCommand']
  return hasBash ? ['bash', '--noprofile', '--norc', '-c'] : ['sh', '-c']
}

/**
 * The last argument for that shell. PowerShell has its text in a coding that no quoting of Windows touches; it answers in
 * UTF-8 and ends as its last command did, which by itself it does neither.
 */
export function wordFor(program: string, command: string): string {
  if (program !== 'powershell.exe') return command
  const lines = [
    '[Console]::OutputEncoding = [Text.UTF8Encoding]::new($false)',
    command,
    'if ($?) { exit 0 } elseif ($LASTEXITCODE) { exit $LASTEXITCODE } else { exit 1 }',
  ]
  return Buffer.from(lines.join('\n'), 'utf16le').toString('base64')
}

let here: CommandSetup['shell'] | null = null
/** Of this machine; looks for bash once, and runs nothing for that. */
export function shellHere(): CommandSetup['shell'] {
  here ??= commandShell(process.platform, hasBash())
  return here
}

const hasBash = (): boolean => process.platform !== 'win32' && findOnPath(['bash']) !== null
