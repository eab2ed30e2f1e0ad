/** How a command of the agent is started: which shell, which environment, in its own process group. The jail will wrap this one place. */
import { foreignEnvironment } from '../base/environment.ts'
import type { ChildLedger } from '../base/process-group.ts'

export interface CommandSetup {
  /** Program and the arguments that go before the command text. */
  readonly shell: readonly [string, ...string[]]
  readonly env: Record<string, string>
  readonly ledger: ChildLedger
}

/** Whatever looks like a credential: a command does not need the model's keys. */
const secret = /(_API_KEY|_AUTH_TOKEN|_ACCESS_TOKEN|_SECRET_KEY)$/i

/** What a command sees of the person's environment, with everything that would open a pager, an editor or a prompt answered. */
export function commandEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(foreignEnvironment(env)).filter(([name]) => !secret.test(name))
  return {
    ...Object.fromEntries(kept),
    TERM: 'dumb',
    NO_COLOR: '1',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: 'true',
  }
}

/** The shell that gets the text: bash where there is one, for it is what models write; cmd's successor on Windows. */
export function commandShell(platform: NodeJS.Platform, hasBash: boolean): CommandSetup['shell'] {
  if (platform === 'win32') return ['powershell.exe', '-NoLogo', '-NoProfile', '-NonInteractive', '-Command']
  return hasBash ? ['bash', '--noprofile', '--norc', '-c'] : ['sh', '-c']
}
