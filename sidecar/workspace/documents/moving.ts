/** Open texts go with their file: a move waits for what is being written, and unsaved text is then unsaved at the new place. */
import { basename } from 'node:path'
import { BelayError } from '#contract/error'
import { shown } from '../fault.ts'
import { relativeBelow } from '../paths.ts'
import type { OpenText } from './open-text.ts'
import { reconcile } from './reconcile.ts'
import { rename, type Store } from './store.ts'

/**
 * Runs `work`, which moves a file or folder, while nothing is read or written in it. Throws `already_exists` before that
 * where unsaved text of a file that is gone waits at the new place, and whatever `work` throws.
 */
export async function moving(store: Store, from: string, to: string, work: () => Promise<void>): Promise<void> {
  const concerned = [...store.byFile.values()].filter(({ absolute }) => relativeBelow(from, absolute) !== null)
  const placeOf = ({ absolute }: OpenText) => to + absolute.slice(from.length)
  for (const opened of concerned) {
    const there = store.byFile.get(placeOf(opened))
    if (there?.dirty && there !== opened)
      throw new BelayError(
        'already_exists',
        `Unsaved text waits under the name ${shown(basename(there.absolute))}. Nothing was moved; save or discard it first.`,
      )
  }
  const within = async (rest: readonly OpenText[]): Promise<void> => {
    const [next, ...others] = rest
    if (next) return store.alone(next.absolute, () => within(others))
    await work()
    for (const opened of concerned) {
      const place = placeOf(opened)
      const path = store.paths.toWire(place)
      if (path && store.byFile.get(opened.absolute) === opened) rename(store, opened, place, path)
    }
  }
  await within(concerned)
  await Promise.all(concerned.map(opened => store.alone(opened.absolute, () => reconcile(store, opened))))
}
