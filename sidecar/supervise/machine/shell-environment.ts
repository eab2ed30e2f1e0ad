/** The environment of the person's login shell, asked for in the home folder. The opened workspace has no say in it. */
import { existsSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import type { ShellReport } from '#contract/machine'
import { createEmitter, type Emitter } from '../../base/emitter.ts'
import { nodeProgram } from '../../base/node-program.ts'
import { type ChildLedger, type ProcessGroup, spawnGroup } from '../../base/process-group.ts'
import { GROUP_MARK } from '../../base/process-tree.ts'
import { answerOf, type Failure, type Read } from './shell-answer.ts'
import { type Environment, questionFor } from './shell-question.ts'

const TIMEOUT_MS = 5000
const GRACE_MS = 100
/** Ours or the asking shell's own, no part of what a terminal would have. */
const notTheirs = [
  ...[GROUP_MARK, 'ELECTRON_RUN_AS_NODE', 'ELECTRON_NO_ATTACH_CONSOLE', 'BELAY_RESOLVING_ENVIRONMENT'],
  ...['SHLVL', '_', 'OLDPWD', 'PWD'],
]

export interface ShellEnvironment {
  /** Asks once; whoever comes later has the same answer. Falls back to the own environment. Never rejects. */
  get(): Promise<Environment>
  /** Forgets an answer that failed: the next `get` asks anew, and `changed` tells of it. */
  askAgain(): void
  readonly report: ShellReport
  readonly changed: Emitter<ShellReport>
  /** Ends the shell that is being asked, and everything that an answered one left running. Never rejects. */
  end(): Promise<void>
}

/**
 * `fromTerminal`: Belay was started in a terminal, whose variables then win over what the login shell says; otherwise the
 * login shell's win (a desktop starts programs with a poor environment). `ledger` knows the shell if this process is killed.
 */
export function createShellEnvironment(options: {
  env: NodeJS.ProcessEnv
  fromTerminal: boolean
  ledger?: ChildLedger
  timeoutMs?: number
  platform?: NodeJS.Platform
}): ShellEnvironment {
  const own = cleaned(options.env)
  const { platform = process.platform } = options
  const shell = own.SHELL || userInfo().shell || '/bin/sh'
  const changed = createEmitter<ShellReport>()
  const used = { shell, reason: null, said: '', path: pathOf(own) }
  const started: ProcessGroup[] = []
  let report: ShellReport = { ...used, state: platform === 'win32' ? 'own' : 'unasked' }
  let answer: Promise<Environment> | null = null

  const become = (next: Partial<ShellReport>) => {
    report = { ...used, ...next, state: next.state ?? report.state }
    changed.emit(report)
  }
  const failed = ({ reason, said }: Failure): Environment => {
    become({ state: 'failed', reason, said })
    return own
  }
  const merged = (login: Environment): Environment => {
    const path = (options.fromTerminal ? own.PATH : login.PATH) || own.PATH
    const both = options.fromTerminal ? { ...login, ...own } : { ...own, ...login }
    return cleaned({ ...both, ...(path ? { PATH: path } : {}) })
  }
  const ask = async (): Promise<Environment> => {
    if (platform === 'win32') return own
    become({ state: 'asking' })
    const read = await askShell(shell, own, options, started)
    if ('reason' in read) return failed(read)
    const env = merged(read.env)
    become({ state: 'read', path: pathOf(env) })
    return env
  }
  return {
    get() {
      answer ??= ask().catch(fault => failed({ reason: 'unreadable', said: String(fault) }))
      return answer
    },
    askAgain() {
      if (report.state !== 'failed') return
      answer = null
      become({ state: 'unasked' })
    },
    get report() {
      return report
    },
    changed,
    async end() {
      await Promise.all(started.map(group => group.end(GRACE_MS)))
      await answer
    },
  }
}

/** What an answered shell's start-up files left running (an ssh-agent, say) is named by its answer: it lives as long as Belay. */
async function askShell(
  shell: string,
  env: Environment,
  options: { ledger?: ChildLedger; timeoutMs?: number },
  started: ProcessGroup[],
): Promise<Read | Failure> {
  const node = nodeProgram()
  const { mark, args } = questionFor(shell, node.command)
  let group: ProcessGroup
  try {
    group = spawnGroup(shell, args, {
      cwd: existsSync(homedir()) ? homedir() : '/',
      // Start-up files may look at it to be quick.
      env: { ...env, ...node.env, BELAY_RESOLVING_ENVIRONMENT: '1' },
      ...(options.ledger ? { ledger: options.ledger } : {}),
    })
  } catch (fault) {
    return { reason: 'missing', said: (fault as Error).message }
  }
  started.push(group)
  const read = await answerOf(group, mark, options.timeoutMs ?? TIMEOUT_MS)
  if ('reason' in read) await group.end(GRACE_MS)
  return read
}

const pathOf = (env: Environment): string => env.PATH ?? env.Path ?? ''

function cleaned(env: NodeJS.ProcessEnv): Environment {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !notTheirs.includes(entry[0]),
  )
  return Object.fromEntries(kept)
}
