/**
 * Files of the work tree that a verb is about to overwrite. Promise: what they were lies in Belay's trash before anything is
 * touched, comes back where the verb fails, and can be brought back later unless something newer stands there.
 */
import { lstat, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { newId } from '../base/id.ts'
import { explained } from '../workspace/fault.ts'
import { fingerprint, moveEntry, removeEntry } from '../workspace/place-entry.ts'
import type { Trash } from '../workspace/trash.ts'
import { refuse } from './refusal.ts'
import { absoluteOf, type Repository } from './repository.ts'
import { refuseFolder, refuseNames } from './spared.ts'
import type { Here, Outcome, Verbs } from './verbs.ts'

/** A file that was set aside. */
interface Aside {
  readonly absolute: string
  /** Null: there was none. */
  readonly inTrash: string | null
  /** What stands there now, as `fingerprint` has it; '' for nothing. */
  after: string
}

const MOST_UNDOABLE = 200

export interface Asides {
  /** Sets aside, has `work` put there what shall be. `names` from the top; `what` reads like "Nothing was discarded". */
  replacing(
    here: Here,
    repository: Repository,
    names: readonly string[],
    what: string,
    work: () => Promise<Outcome>,
  ): Promise<Outcome<{ undoId: string }>>
  bringBack(here: Here, repository: Repository, undoId: string): Promise<Outcome>
}

export function createAsides(verbs: Verbs, trash: Trash): Asides {
  const undoable = new Map<string, Aside[]>()
  const remember = (asides: Aside[]): { ok: true; undoId: string } => {
    const undoId = newId('undo')
    undoable.set(undoId, asides)
    for (const oldest of undoable.keys()) {
      if (undoable.size <= MOST_UNDOABLE) break
      undoable.delete(oldest)
    }
    return { ok: true, undoId }
  }
  return {
    async replacing(here, repository, names, what, work) {
      const spared = refuseNames(repository, what, names)
      if (spared) return spared
      const absolutes = names.map(name => absoluteOf(repository, name))
      const asides: Aside[] = []
      const takeBack = () => Promise.all(asides.map(each => restored(each, trash)))
      try {
        for (const absolute of absolutes) {
          const there = await lstat(absolute).catch(() => null)
          asides.push({ absolute, inTrash: there ? await trash.put(absolute) : null, after: '' })
        }
        const outcome = await work()
        if (!outcome.ok) {
          await takeBack()
          return outcome
        }
      } catch (thrown) {
        await takeBack()
        throw explained(thrown, what)
      } finally {
        await verbs.touched(here, absolutes)
      }
      for (const each of asides) each.after = await fingerprint(each.absolute)
      return remember(asides)
    },
    async bringBack(here, repository, undoId) {
      const what = 'What was discarded was not brought back'
      const asides = undoable.get(undoId)
      if (!asides) return refuse('stale', `${what}: this can no longer be undone. It still lies in Belay’s trash.`, [])
      for (const each of asides) {
        const spared = refuseFolder(repository, what, each.absolute)
        if (spared) return spared
        if ((await fingerprint(each.absolute)) !== each.after)
          return refuse('stale', `${what}: a file was changed since. Nothing was done.`, ['refresh'])
      }
      undoable.delete(undoId)
      try {
        for (const each of asides) await restored(each, trash)
      } catch (thrown) {
        throw explained(thrown, what)
      } finally {
        await verbs.touched(
          here,
          asides.map(each => each.absolute),
        )
      }
      return { ok: true }
    },
  }
}

/** What stands there now is in git or was nothing: it goes. */
async function restored({ absolute, inTrash }: Aside, trash: Trash): Promise<void> {
  if (await lstat(absolute).catch(() => null)) await removeEntry(absolute)
  if (inTrash === null) return
  await mkdir(dirname(absolute), { recursive: true })
  await moveEntry(inTrash, absolute)
  await trash.emptied(inTrash)
}
