/** Whether a command is of the kind that moves branches, HEAD, the index or the stash of git, as far as it is understood. */
import { understand } from './shell/understand.ts'

/** Never rejects. */
export async function movesRefs(command: string): Promise<boolean> {
  const { parts } = await understand(command, { cwd: null, home: '/' })
  return parts.some(({ kind }) => kind === 'moves-refs')
}
