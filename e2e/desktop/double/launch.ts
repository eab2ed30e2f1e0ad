/** One main process on the double: started, asked, and watched by what it says and by what the double refuses it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Asking, askingOf, boxesOf, type ErrorBox, faultsOf } from './asking.ts'
import { builtDouble } from './build.ts'
import { type DoubleOptions, OPTIONS } from './options.ts'

export interface Launched {
  readonly child: ChildProcess
  readonly asking: Asking
  /** What the double refused, growing. */
  readonly faults: readonly string[]
  /** Error boxes that were shown, growing: also of a start that ends before anything can be asked. */
  readonly boxes: readonly ErrorBox[]
  readonly exited: Promise<number | null>
  output(): string
  /** SIGKILL, and waits for its end. */
  kill(): Promise<void>
}

/** For limits of the machine, not of a test. */
const LONGEST_MS = 900_000

export async function launchOnDouble(options: {
  main: string
  args: readonly string[]
  env: NodeJS.ProcessEnv
  cwd: string
  double?: DoubleOptions
  /** What Belay is started by, for a stranger world than ours. */
  launcher?: readonly string[]
}): Promise<Launched> {
  const [command = process.execPath, ...args] = [
    ...(options.launcher ?? []),
    process.execPath,
    join(await builtDouble(), 'run.mjs'),
    options.main,
    ...options.args,
  ]
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...options.env, [OPTIONS]: JSON.stringify(options.double ?? {}) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    timeout: LONGEST_MS,
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
    faults: faultsOf(child),
    boxes: boxesOf(child),
    exited,
    output: () => output,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
