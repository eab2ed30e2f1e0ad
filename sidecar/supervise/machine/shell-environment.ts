/** The environment of the person's login shell, asked for once, in the home folder. The opened workspace has no say in it. */
import { randomBytes } from 'node:crypto'
import { homedir, userInfo } from 'node:os'
import { setTimeout as after } from 'node:timers/promises'
import { nodeProgram, shellQuoted } from '../../base/node-program.ts'
import { type ChildLedger, type ProcessGroup, spawnGroup } from '../../base/process-group.ts'
import { GROUP_MARK } from '../../base/process-tree.ts'

export type Environment = Record<string, string>

const TIMEOUT_MS = 5000
const GRACE_MS = 100
/** Ours or the asking shell's own, no part of what a terminal would have. */
const notTheirs = [GROUP_MARK, 'ELECTRON_RUN_AS_NODE', 'ELECTRON_NO_ATTACH_CONSOLE', 'SHLVL', '_', 'OLDPWD', 'PWD']

export interface ShellEnvironment {
  /**
   * Asks once; whoever comes later has the same answer. Falls back to the own environment. Never rejects.
   */
  get(): Promise<Environment>
  /** Ends the shell that is being asked, and everything it started. Never rejects. */
  end(): Promise<void>
}

/**
 * `fromTerminal`: Belay was started in a terminal, whose variables then win over what the login shell says; otherwise the
 * login shell's PATH wins (a desktop starts programs with a poor one). `ledger` knows the shell if this process is killed.
 */
export function createShellEnvironment(options: {
  env: NodeJS.ProcessEnv
  fromTerminal: boolean
  ledger?: ChildLedger
  timeoutMs?: number
}): ShellEnvironment {
  const own = cleaned(options.env)
  let group: ProcessGroup | null = null
  let answer: Promise<Environment> | null = null
  const ask = async (): Promise<Environment> => {
    if (process.platform === 'win32') return own
    const mark = randomBytes(12).toString('hex')
    const asked = askingShell(own, mark, options.ledger)
    group = asked
    const login = await answerOf(asked, mark, options.timeoutMs ?? TIMEOUT_MS)
    if (!login) return own
    const path = (options.fromTerminal ? own.PATH : login.PATH) ?? own.PATH
    return cleaned({ ...login, ...own, ...(path ? { PATH: path } : {}) })
  }
  return {
    get() {
      answer ??= ask().catch(() => own)
      return answer
    },
    async end() {
      await group?.end(GRACE_MS)
      await answer
    },
  }
}

function askingShell(env: Environment, mark: string, ledger: ChildLedger | undefined): ProcessGroup {
  const script = `process.stdout.write('${mark}' + JSON.stringify(process.env) + '${mark}')`
  const shell = env.SHELL || userInfo().shell || '/bin/sh'
  const node = nodeProgram()
  const asked = `${shellQuoted(node.command)} -e "${script}"`
  return spawnGroup(shell, ['-i', '-l', '-c', asked], {
    cwd: homedir(),
    env: { ...env, ...node.env },
    ...(ledger ? { ledger } : {}),
  })
}

/** Between marks: start-up files may print what they like. Null: no answer in time. */
async function answerOf(group: ProcessGroup, mark: string, timeoutMs: number): Promise<Environment | null> {
  let output = ''
  group.stdout.setEncoding('utf8').on('data', chunk => {
    if (output.length < 4_000_000) output += chunk
  })
  group.stderr.resume()
  await Promise.race([group.exited, after(timeoutMs, undefined, { ref: false })])
  await group.end(GRACE_MS)
  const answer = output.split(mark)[1]
  return answer === undefined ? null : (JSON.parse(answer) as Environment)
}

function cleaned(env: NodeJS.ProcessEnv): Environment {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !notTheirs.includes(entry[0]),
  )
  return Object.fromEntries(kept)
}
