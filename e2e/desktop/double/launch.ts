/** One main process on the double: started, asked, and watched by what it says and by what the double refuses it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { built } from '../../fixtures/start.ts'
import { type Asking, askingOf, type ErrorBox, toldBy } from './asking.ts'
import { builtDouble } from './build.ts'
import { type DoubleOptions, OPTIONS } from './options.ts'

export interface Launched {
  readonly child: ChildProcess
  readonly asking: Asking
  /** What the double refused, growing. */
  readonly faults: readonly string[]
  /** Error boxes that were shown, growing: also of a start that ends before anything can be asked. */
  readonly boxes: readonly ErrorBox[]
  /** How it asked to be started again, growing. */
  readonly relaunched: readonly Electron.RelaunchOptions[]
  readonly exited: Promise<number | null>
  output(): string
  /** Whatever state it is in; resolves with its exit code. */
  end(): Promise<number | null>
  /** SIGKILL, and waits for its end. */
  kill(): Promise<void>
}

/** A limit of the machine, not of a test. */
const LONGEST_MS = 900_000
const END_MS = 10_000

export async function launchOnDouble(options: {
  /** The built app's, unless another is named. */
  main?: string
  args: readonly string[]
  env: NodeJS.ProcessEnv
  cwd: string
  double?: DoubleOptions
  /** What Belay is started by, for a stranger world than ours. */
  launcher?: readonly string[]
  longestMs?: number
}): Promise<Launched> {
  const [command = process.execPath, ...args] = [
    ...(options.launcher ?? []),
    process.execPath,
    join(await builtDouble(), 'run.mjs'),
    options.main ?? join(built, 'main/index.js'),
    ...options.args,
  ]
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...options.env, [OPTIONS]: JSON.stringify(options.double ?? {}) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    timeout: options.longestMs ?? LONGEST_MS,
    killSignal: 'SIGKILL',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', chunk => {
      output += chunk
    })
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  return {
    child,
    asking: askingOf(child),
    faults: toldBy(child, 'fault'),
    boxes: toldBy(child, 'box'),
    relaunched: toldBy(child, 'relaunched'),
    exited,
    output: () => output,
    async end() {
      // It ends without whom it belongs to.
      if (child.connected) child.disconnect()
      const late = setTimeout(() => child.kill('SIGKILL'), END_MS)
      const code = await exited
      clearTimeout(late)
      return code
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
