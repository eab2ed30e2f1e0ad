/** For specs: a second start of the app on the same profile, which ends by itself. */
import { join } from 'node:path'
import { launchOnDouble } from './launch.ts'
import type { DoubleOptions } from './options.ts'

const root = join(import.meta.dirname, '../../..')

export interface SecondEnd {
  readonly code: number | null
  readonly said: string
}

/** Throws what the double refused. */
export async function startAgain(
  home: string,
  args: readonly string[],
  options: { cwd?: string; double?: DoubleOptions } = {},
): Promise<SecondEnd> {
  const { cwd = root, double = {} } = options
  const main = join(root, 'out/main/index.js')
  const { exited, faults, output } = await launchOnDouble({
    ...{ main, args, cwd, double },
    env: { ...process.env, BELAY_HOME: home },
  })
  const code = await exited
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return { code, said: output() }
}
