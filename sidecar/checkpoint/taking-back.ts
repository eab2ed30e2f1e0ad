/** The part of a ledger that brings back files, and takes that back: what would be done, and doing it, all or nothing. */
import type { FileState, LedgerWrite, RestoreLine } from '#contract/ledger'
import { pathKey, type WirePath } from '#contract/path'
import type { RestoredFile } from '#contract/session-event'
import type { Root } from '#contract/workspace'
import { type BroughtBack, bringBack, type Step } from './bring-back.ts'
import { isInTheWay } from './in-the-way.ts'
import type { Ledger, Plan, RestoreRequest } from './ledger.ts'
import { mergedOf } from './merged.ts'
import { planRestore } from './restore.ts'
import type { RunningStore } from './thread.ts'
import { isHalfDone, planUndo } from './undo.ts'

interface Over extends Pick<Ledger, 'since' | 'take' | 'contentOf'> {
  each<T>(work: (store: RunningStore, root: Root) => Promise<T>, among?: Root[]): Promise<T[]>
  /** Roots that something is known of already. */
  known(): Root[]
  linesOf(path: WirePath): Promise<LedgerWrite[]>
}

export function createTakingBack({
  each,
  known,
  since,
  take,
  contentOf,
  linesOf,
}: Over): Pick<Ledger, 'plan' | 'restore' | 'undo'> {
  const statesOf = async (paths: readonly WirePath[]): Promise<Map<string, FileState | null>> => {
    const states = await each(async (store, root) => {
      const here = [...new Set(paths.flatMap(({ rootId, path }) => (rootId === root.rootId ? path : [])))]
      const found = await store.now(here)
      return here.map((path, at) => [pathKey({ rootId: root.rootId, path }), found[at] ?? null] as const)
    }, known())
    return new Map(states.flat())
  }
  /** Once what was written is in the journal: a process that ends after that leaves nothing that somebody else seems to have done. */
  const noticed = async (work: Promise<BroughtBack>): Promise<BroughtBack> => {
    const done = await work
    await each(store => store.now([]), known())
    return done
  }
  /** What a process that died left of bringing back it could not tell any more. Answers the paths of which it wrote the beginning. */
  const claim = async (files: readonly RestoredFile[], contentOf: ContentOf): Promise<ReadonlySet<string>> => {
    const author = { by: 'person', via: 'restore' } as const
    const now = await statesOf(files.map(({ path }) => path))
    const cut = await cutIn(files, now, contentOf)
    await each(async (store, { rootId }) => {
      for (const { path, ...states } of files) {
        const is = now.get(pathKey(path)) ?? null
        if (path.rootId === rootId && isHalfDone(states, is, cut.has(pathKey(path))))
          await store.claim(path.path, author, { before: states.before, after: is })
      }
    })
    return cut
  }
  /** What cannot come back because something else stands there by now. */
  const withRoom = async (planned: readonly RestoreLine[]): Promise<RestoreLine[]> => {
    const places = new Map(known().map(({ rootId, absolute }) => [rootId, { absolute, goes: new Set<string>() }]))
    for (const { action, path } of planned) if (action === 'remove') places.get(path.rootId)?.goes.add(path.path)
    return Promise.all(
      planned.map(async (line): Promise<RestoreLine> => {
        const place = line.action === 'restore' && line.now === null ? places.get(line.path.rootId) : undefined
        const blocked = place && (await isInTheWay(place.absolute, line.path.path, place.goes))
        return blocked ? { ...line, action: 'cannot', why: 'in_the_way' } : line
      }),
    )
  }
  const plan: Ledger['plan'] = async request => {
    const all = await since(request.checkpointId)
    if (!all) return null
    const lines = wantedOf(all, request)
    const { mine, kept, unsaved = [] } = request
    const now = await statesOf(lines.map(({ path }) => path))
    const planned = planRestore({ lines, mine, kept, now, unsaved: new Set(unsaved.map(pathKey)) })
    const merged: Plan['merged'] = line => mergedOf(line, { lines, mine, kept, contentOf })
    const wanted = new Set((request.merge ?? []).map(pathKey))
    for (const [at, line] of planned.entries())
      if (line.action === 'keep' && wanted.has(pathKey(line.path)) && (await merged(line)))
        planned[at] = { ...line, action: 'merge' }
    return { lines: await withRoom(planned), merged }
  }

  return {
    plan,
    async restore(request, hands, begun) {
      const planned = await plan(request)
      // Nothing is touched that could not be had again.
      const before = planned && (await take())
      if (!planned || !before) return null
      const merged = async (line: RestoreLine) => (await planned.merged(line))?.text ?? null
      const telling = begun && ((steps: readonly Step[]) => begun(before, steps))
      return { ...(await noticed(bringBack(planned.lines, { contentOf, merged, hands, begun: telling }))), before }
    },
    async undo(files, hands, { unsaved, afterCrash = false, contentOf: elsewhere, begun }) {
      const content = async (state: FileState) => (await contentOf(state)) ?? elsewhere(state)
      const cut = afterCrash ? await claim(files, content) : none
      const before = await take()
      if (!before) return null
      const now = await statesOf(files.map(({ path }) => path))
      const last = new Map<string, LedgerWrite | null>()
      for (const { path } of files) last.set(pathKey(path), (await linesOf(path)).at(-1) ?? null)
      const lines = planUndo(files, { now, last, unsaved: new Set(unsaved.map(pathKey)), afterCrash, cut })
      const telling = (steps: readonly Step[]) => begun(before, steps)
      return { ...(await noticed(bringBack(lines, { contentOf: content, hands, begun: telling }))), before }
    },
  }
}

type ContentOf = (state: FileState) => Promise<Uint8Array | null>

const none: ReadonlySet<string> = new Set()

function wantedOf(all: readonly LedgerWrite[], { paths, leave = [] }: RestoreRequest): LedgerWrite[] {
  const wanted = paths && new Set(paths.map(pathKey))
  const left = new Set(leave.map(pathKey))
  return all.filter(({ path }) => !left.has(pathKey(path)) && (!wanted || wanted.has(pathKey(path))))
}

/** Where a file was being made when the process ended: what stands there is the beginning of what was to be. */
async function cutIn(
  files: readonly RestoredFile[],
  now: ReadonlyMap<string, FileState | null>,
  contentOf: ContentOf,
): Promise<ReadonlySet<string>> {
  const cut = new Set<string>()
  for (const { path, before, after } of files) {
    const is = now.get(pathKey(path))
    if (before?.kind === 'file' || is?.kind !== 'file' || !after || is.bytes >= after.bytes) continue
    const [part, whole] = await Promise.all([contentOf(is), contentOf(after)])
    if (part && whole && Buffer.compare(part, whole.subarray(0, part.length)) === 0) cut.add(pathKey(path))
  }
  return cut
}
