/** For specs: a second start of the app on the same profile, which ends by itself. */
import { repository } from '../../fixtures/place.ts'
import { launchOnDouble } from './launch.ts'
import type { DoubleOptions } from './options.ts'

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
  const { cwd = repository, double } = options
  const env = { ...process.env, BELAY_HOME: home }
  const { exited, faults, output } = await launchOnDouble({ args, cwd, env, double })
  const code = await exited
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return { code, said: output() }
}
