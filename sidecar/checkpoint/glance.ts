/**
 * More eyes for a look: threads that compare the times of many files at once with what is known of them. They tell the folders in
 * which something differs, and nothing else; a folder of which they may not know the latest is not theirs to look at.
 */
import { availableParallelism } from 'node:os'
import { isMainThread, type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads'
import { factsAt } from './facts-at.ts'
import { type Folder, foldersOf } from './tree.ts'

export interface Glances {
  /** Takes folders over, as many as are its share. Call it when nothing is under way. */
  cover(tree: Folder, root: string): void
  /** Of these, by `Folder.covered`, those in which something differs. */
  look(covered: readonly number[]): Promise<Set<number>>
  end(): void
}

const WORK = 'belay:glance'
const MOST_THREADS = 3
/** Numbers that tell a file: changed at, size, inode. */
const STAMP = 3

interface Held {
  readonly id: number
  readonly absolute: string
  readonly names: readonly string[]
  readonly stamps: Float64Array
}
type Told = { hold: Held[] } | { look: readonly number[] } | { forget: true }

if (!isMainThread && parentPort && (workerData as { work?: unknown } | null)?.work === WORK) serve(parentPort)

function serve(port: MessagePort): void {
  const held = new Map<number, Held>()
  port.on('message', (told: Told) => {
    if ('forget' in told) held.clear()
    else if ('hold' in told) for (const each of told.hold) held.set(each.id, each)
    else
      port.postMessage(
        told.look.filter(id => {
          const each = held.get(id)
          return !each || differs(each)
        }),
      )
  })
}

function differs({ absolute, names, stamps }: Held): boolean {
  for (let at = 0; at < names.length; at++) {
    const facts = factsAt(`${absolute}/${names[at]}`)
    const from = at * STAMP
    if (facts?.ctimeMs !== stamps[from] || facts?.size !== stamps[from + 1] || facts?.ino !== stamps[from + 2])
      return true
  }
  return false
}

/** Null where it would not help: one processor, or unbuilt. */
export function startGlances(here: URL): Glances | null {
  const count = Math.min(MOST_THREADS, availableParallelism() - 1)
  if (count < 1 || here.pathname.endsWith('.ts')) return null
  const eyes = Array.from({ length: count }, () => createEye(here))
  let next = 1
  let ended = false
  const eyeOf = (id: number): number => id % count

  return {
    cover(tree, root) {
      const all = [...foldersOf(tree)].filter(([, folder]) => folder.files.size > 0)
      const covered = all.filter(([, folder]) => folder.covered > 0).length
      const share = Math.floor((all.length * count) / (count + 1))
      // Small losses are made up for later.
      if (ended || covered > share * 0.8) return
      for (const eye of eyes) eye.tell({ forget: true })
      const hold: Held[][] = eyes.map(() => [])
      for (const [, folder] of all) folder.covered = 0
      // The last are looked at last by whoever walks the tree: these are begun with at once.
      for (const [path, folder] of all.slice(all.length - share)) {
        if ([...folder.files.values()].some(({ racy }) => racy)) continue
        const id = next++
        folder.covered = id
        const absolute = path === '' ? root : `${root}/${path}`
        const stamps = Float64Array.from([...folder.files.values()].flatMap(f => [f.changedMs, f.bytes, f.ino]))
        hold[eyeOf(id)]?.push({ id, absolute, names: [...folder.files.keys()], stamps })
      }
      eyes.forEach((eye, at) => {
        eye.tell({ hold: hold[at] ?? [] })
      })
    },
    async look(covered) {
      const asked = eyes.map((eye, at) => eye.look(covered.filter(id => eyeOf(id) === at)))
      return new Set((await Promise.all(asked)).flat())
    },
    end() {
      ended = true
      for (const eye of eyes) eye.end()
    },
  }
}

/** One thread. Where it dies it has seen nothing, so that all of its share is looked at by others. */
function createEye(here: URL) {
  const worker = new Worker(here, { workerData: { work: WORK }, stdin: false })
  worker.unref()
  let dead = false
  let asked: { ids: readonly number[]; answer(ids: readonly number[]): void } | null = null
  const answer = (ids: readonly number[]) => {
    asked?.answer(ids)
    asked = null
  }
  const die = () => {
    dead = true
    answer(asked?.ids ?? [])
  }
  worker.on('message', answer)
  worker.on('error', die)
  worker.on('exit', die)
  return {
    tell: (told: Told) => worker.postMessage(told),
    look: (ids: readonly number[]): Promise<readonly number[]> =>
      new Promise(resolve => {
        if (dead) return resolve(ids)
        asked = { ids, answer: resolve }
        worker.postMessage({ look: ids } satisfies Told)
      }),
    end: () => void worker.terminate(),
  }
}
