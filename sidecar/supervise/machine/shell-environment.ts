/** The environment of the person's login shell, asked for once, in the home folder. The opened workspace has no say in it. */
import { randomBytes } from 'node:crypto'
import { homedir, userInfo } from 'node:os'
import { setTimeout as after } from 'node:timers/promises'
import { spawnGroup } from '../../base/process-group.ts'
import { GROUP_MARK } from '../../base/process-tree.ts'

export type Environment = Record<string, string>

const TIMEOUT_MS = 5000
/** Ours or the asking shell's own, no part of what a terminal would have. */
const notTheirs = [GROUP_MARK, 'ELECTRON_RUN_AS_NODE', 'ELECTRON_NO_ATTACH_CONSOLE', 'SHLVL', '_', 'OLDPWD', 'PWD']

/**
 * `fromTerminal`: Belay was started in a terminal, whose variables then win over what the login shell says; otherwise the
 * login shell's PATH wins (a desktop starts programs with a poor one). Falls back to the own environment. Never rejects.
 */
export async function loginEnvironment(options: {
  env: NodeJS.ProcessEnv
  fromTerminal: boolean
  timeoutMs?: number
}): Promise<Environment> {
  const own = cleaned(options.env)
  if (process.platform === 'win32') return own
  const login = await askShell(own, options.timeoutMs ?? TIMEOUT_MS).catch(() => null)
  if (!login) return own
  const path = (options.fromTerminal ? own.PATH : login.PATH) ?? own.PATH
  return cleaned({ ...login, ...own, ...(path ? { PATH: path } : {}) })
}

/** Marks around the answer: start-up files may print what they like. */
async function askShell(env: Environment, timeoutMs: number): Promise<Environment | null> {
  const mark = randomBytes(12).toString('hex')
  const script = `process.stdout.write('${mark}' + JSON.stringify(process.env) + '${mark}')`
  const shell = env.SHELL || userInfo().shell || '/bin/sh'
  const asked = `'${process.execPath.replaceAll("'", "'\\''")}' -e "${script}"`
  const group = spawnGroup(shell, ['-i', '-l', '-c', asked], {
    cwd: homedir(),
    env: { ...env, ELECTRON_RUN_AS_NODE: '1' },
  })
  let output = ''
  group.stdout.setEncoding('utf8').on('data', chunk => {
    if (output.length < 4_000_000) output += chunk
  })
  group.stderr.resume()
  await Promise.race([group.exited, after(timeoutMs, undefined, { ref: false })])
  await group.end(100)
  const answer = output.split(mark)[1]
  return answer === undefined ? null : (JSON.parse(answer) as Environment)
}

function cleaned(env: NodeJS.ProcessEnv): Environment {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !notTheirs.includes(entry[0]),
  )
  return Object.fromEntries(kept)
}
