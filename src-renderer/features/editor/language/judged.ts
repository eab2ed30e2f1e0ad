/** Waiting, a moment at most, until a server has said what is wrong with a text as it stands. */
import { problemMirror } from '../../../state/mirror/problem.ts'
import type { About } from './ask.ts'

const MOST_MS = 1000

/** Never rejects: what is not said in time is not waited for. */
export function judged({ documentId, version }: About, signal: AbortSignal): Promise<void> {
  const isSaid = () =>
    [...problemMirror.getState().entries.values()].some(
      ({ of }) => of?.documentId === documentId && of.version === version,
    )
  if (isSaid()) return Promise.resolve()
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer)
      end()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, MOST_MS)
    const end = problemMirror.subscribe(() => isSaid() && done())
    signal.addEventListener('abort', done)
  })
}
