/**
 * Files that come from outside the core (dropped or pasted in a window), piece by piece: they wait in a place of Belay's own until
 * all are there, and come to theirs as one operation. What is never finished is deleted.
 */
import { appendFile, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BelayError } from '#contract/error'
import type { WirePath } from '#contract/path'
import { explained, shown } from './fault.ts'
import type { Operations } from './operations.ts'
import { checkNewName, checkWire } from './paths.ts'

const UNFINISHED_MS = 3_600_000

export interface Receiving {
  /** In order. `base64` null: a folder. */
  piece(id: string, path: string, base64: string | null): Promise<void>
  /** Never overwrites: all of it comes to its place, or nothing (`already_exists`). */
  place(
    id: string,
    places: readonly { from: string; to: WirePath }[],
    operations: Operations,
  ): Promise<{ undoId: string }>
  /** It is not wanted any more. Never rejects. */
  drop(id: string): Promise<void>
  dispose(): Promise<void>
}

/** `folder` is emptied at once: nothing in it was finished. */
export function createReceiving(folder: string): Receiving {
  const timers = new Map<string, NodeJS.Timeout>()
  const remove = (path: string) => rm(path, { recursive: true, force: true }).catch(() => {})
  const ready = remove(folder)

  const placeOf = (id: string, path: string): string => {
    if (!/^[\w-]{1,64}$/.test(id)) throw new BelayError('invalid', 'This is not the name of a drop.')
    checkWire(path)
    for (const part of path.split('/')) checkNewName(part)
    return join(folder, id, ...path.split('/'))
  }
  const drop = (id: string) => {
    clearTimeout(timers.get(id))
    timers.delete(id)
    return remove(join(folder, id))
  }
  const soonOver = (id: string) => {
    clearTimeout(timers.get(id))
    timers.set(id, setTimeout(() => void drop(id), UNFINISHED_MS).unref())
  }

  return {
    async piece(id, path, base64) {
      const absolute = placeOf(id, path)
      soonOver(id)
      await ready
      try {
        await mkdir(base64 === null ? absolute : dirname(absolute), { recursive: true, mode: 0o700 })
        if (base64 !== null) await appendFile(absolute, Buffer.from(base64, 'base64'))
      } catch (fault) {
        throw explained(fault, `Could not take in ${shown(path)}`)
      }
    },
    async place(id, places, operations) {
      try {
        return await operations.adopt(places.map(({ from, to }) => ({ absolute: placeOf(id, from), to })))
      } finally {
        await drop(id)
      }
    },
    drop,
    async dispose() {
      for (const id of [...timers.keys()]) await drop(id)
    },
  }
}
