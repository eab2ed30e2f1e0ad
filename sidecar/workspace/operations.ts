/**
 * What the explorer does to files: create, move, copy, remove, each undone and redone as one. Never overwrites, never follows a
 * link down, never touches a root itself; an undo that would lose something newer is refused (`stale`).
 */
import { lstat, mkdir, open } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { BelayError } from '#contract/error'
import type { Move, WirePath } from '#contract/path'
import { baseName } from '#contract/path'
import { newId } from '../base/id.ts'
import { createSerial } from '../base/serial.ts'
import { explained, shown } from './fault.ts'
import { checkNewName, type Paths, relativeBelow } from './paths.ts'
import { copyEntry, fingerprint, moveEntry, refuseTaken } from './place-entry.ts'
import type { Trash } from './trash.ts'

/** One reversible thing that happened. */
type Step =
  | { kind: 'made'; path: string; mark: string }
  | { kind: 'moved'; from: string; to: string }
  | { kind: 'trashed'; from: string; inTrash: string }

export interface Operations {
  createFile(path: WirePath): Promise<{ undoId: string }>
  createFolder(path: WirePath): Promise<{ undoId: string }>
  move(moves: readonly Move[]): Promise<{ undoId: string }>
  copy(copies: readonly Move[]): Promise<{ undoId: string }>
  /** Takes over what lies outside every root (absolute, Belay's own): it is moved, not copied. */
  adopt(things: readonly { absolute: string; to: WirePath }[]): Promise<{ undoId: string }>
  /** `system`: all of it lies in the system's trash. */
  remove(paths: readonly WirePath[]): Promise<{ undoId: string; trash: 'system' | 'own' }>
  undo(undoId: string): Promise<{ redoId: string | null }>
}

/** Operations that can still be undone. */
const MOST_UNDOABLE = 500

export interface OperationsOptions {
  paths: Paths
  trash: Trash
  /** Told after each, with absolute paths. */
  onChanged(absolutes: string[]): void
  /** Runs `work`, which moves one entry, so that what is open in it goes along. */
  moving(from: string, to: string, work: () => Promise<void>): Promise<void>
}

export function createOperations(options: OperationsOptions): Operations {
  const { paths, trash } = options
  const undoable = new Map<string, Step[]>()
  const serial = createSerial()

  const remember = (steps: Step[]): string => {
    const undoId = newId('undo')
    undoable.set(undoId, steps)
    for (const oldest of undoable.keys()) {
      if (undoable.size <= MOST_UNDOABLE) break
      undoable.delete(oldest)
    }
    return undoId
  }
  const changed = (steps: Step[]) =>
    options.onChanged([...new Set(steps.flatMap(step => ('from' in step ? [step.from] : []).concat(placeOf(step))))])

  /** All or nothing: what was done before a fault is taken back. */
  const perform = (work: (done: Step[]) => Promise<void>): Promise<{ undoId: string }> =>
    serial(async () => {
      const done: Step[] = []
      try {
        await work(done)
      } catch (fault) {
        for (const step of [...done].reverse()) await reversed(step, options).catch(() => null)
        changed(done)
        throw fault
      }
      changed(done)
      return { undoId: remember(done) }
    })

  const entry = async (path: WirePath, what: string): Promise<string> => {
    if (path.path === '') throw new BelayError('invalid', `${what}: that is the opened folder itself.`)
    const absolute = await paths.toEntry(path)
    refuseReadOnly(absolute, what)
    return absolute
  }
  const refuseReadOnly = (absolute: string, what: string): void => {
    const root = paths.readOnlyRoot(absolute)
    if (root)
      throw new BelayError('read_only', `${what}: the folder ${shown(root.name)} is read-only. Nothing was changed.`)
  }
  const target = async (path: WirePath, what: string): Promise<string> => {
    checkNewName(baseName(path.path))
    return entry(path, what)
  }

  const create = (path: WirePath, make: (absolute: string) => Promise<void>) => {
    const what = `Could not create ${shown(path.path)}`
    return perform(async done => {
      for (const part of path.path.split('/')) checkNewName(part)
      const absolute = await target(path, what)
      await refuseTaken(absolute)
      try {
        const top = await missingTop(absolute)
        if (top !== absolute) {
          await mkdir(dirname(absolute), { recursive: true })
          done.push({ kind: 'made', path: top, mark: '' })
        }
        await make(absolute)
        done.splice(0, 1, { kind: 'made', path: top, mark: await fingerprint(top) })
      } catch (fault) {
        throw explained(fault, what)
      }
    })
  }

  return {
    createFile: path => create(path, async absolute => (await open(absolute, 'wx', 0o666)).close()),
    createFolder: path => create(path, async absolute => void (await mkdir(absolute))),
    move: moves =>
      perform(async done => {
        for (const { from, to } of moves) {
          const what = `Could not move ${shown(from.path)}`
          const source = await entry(from, what)
          const place = await target(to, what)
          if (source === place) continue
          refuseIntoItself(source, place, what)
          await said(what, () => options.moving(source, place, () => moveEntry(source, place)))
          done.push({ kind: 'moved', from: source, to: place })
        }
      }),
    copy: copies =>
      perform(async done => {
        for (const { from, to } of copies) {
          const what = `Could not copy ${shown(from.path)}`
          const source = await paths.toEntry(from)
          const place = await target(to, what)
          refuseIntoItself(source, place, what)
          await said(what, () => copyEntry(source, place))
          done.push({ kind: 'made', path: place, mark: await fingerprint(place) })
        }
      }),
    adopt: things =>
      perform(async done => {
        for (const { absolute, to } of things) {
          const what = `Could not take in ${shown(to.path)}`
          const place = await target(to, what)
          await said(what, () => moveEntry(absolute, place))
          done.push({ kind: 'made', path: place, mark: await fingerprint(place) })
        }
      }),
    async remove(removed) {
      let whole = true
      const { undoId } = await perform(async done => {
        for (const path of removed) {
          const what = `Could not delete ${shown(path.path)}`
          const source = await entry(path, what)
          if (done.some(step => relativeBelow(placeOf(step, 'from'), source) !== null)) continue
          const { place, system } = await said(what, () => trash.remove(source))
          whole &&= system
          done.push({ kind: 'trashed', from: source, inTrash: place })
        }
      })
      return { undoId, trash: whole ? 'system' : 'own' }
    },
    undo: undoId =>
      serial(async () => {
        const steps = undoable.get(undoId)
        if (!steps) throw new BelayError('stale', 'This can no longer be undone. The files are as you see them.')
        const back = [...steps].reverse()
        for (const step of back) {
          refuseReadOnly(placeOf(step), 'Could not undo')
          refuseReadOnly(placeOf(step, 'from'), 'Could not undo')
          await refuseStale(step)
        }
        undoable.delete(undoId)
        const done: Step[] = []
        try {
          for (const step of back) done.push(await said('Could not undo', () => reversed(step, options)))
        } finally {
          changed(done)
        }
        return { redoId: remember(done) }
      }),
  }
}

const placeOf = (step: Step, which: 'from' | 'to' = 'to'): string =>
  step.kind === 'made' ? step.path : step.kind === 'trashed' || which === 'from' ? step.from : step.to

async function said<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (fault) {
    throw explained(fault, what)
  }
}

function refuseIntoItself(source: string, place: string, what: string): void {
  if (source !== place && relativeBelow(source, place) && place.startsWith(source))
    throw new BelayError('invalid', `${what}: a folder cannot go into itself. Nothing was moved.`)
}

/** The topmost of the folders that must be made for an entry, or the entry itself. */
async function missingTop(absolute: string): Promise<string> {
  let top = absolute
  while (!(await lstat(dirname(top)).catch(() => null))) top = dirname(top)
  return top
}

const stale = (why: string) => new BelayError('stale', `Not undone: ${why}. Nothing was changed.`)

/** Before anything is touched: would taking this step back lose something? */
async function refuseStale(step: Step): Promise<void> {
  const now = await lstat(step.kind === 'made' ? step.path : step.kind === 'moved' ? step.to : step.inTrash).catch(
    () => null,
  )
  if (!now) throw stale(`${shown(basename(placeOf(step)))} is not there any more`)
  if (step.kind === 'made') {
    if ((await fingerprint(step.path)) !== step.mark) throw stale(`${shown(basename(step.path))} was changed since`)
    return
  }
  await refuseTaken(step.from, step.kind === 'moved' ? step.to : undefined).catch(() => {
    throw stale(`something new is called ${shown(basename(step.from))} now`)
  })
}

/** Takes one step back and answers the step that would take that back. */
async function reversed(step: Step, { trash, moving }: Pick<OperationsOptions, 'trash' | 'moving'>): Promise<Step> {
  if (step.kind === 'made') return { kind: 'trashed', from: step.path, inTrash: await trash.put(step.path) }
  await mkdir(dirname(step.from), { recursive: true })
  if (step.kind === 'moved') {
    await moving(step.to, step.from, () => moveEntry(step.to, step.from))
    return { kind: 'moved', from: step.to, to: step.from }
  }
  await moveEntry(step.inTrash, step.from)
  await trash.emptied(step.inTrash)
  return { kind: 'made', path: step.from, mark: await fingerprint(step.from) }
}
