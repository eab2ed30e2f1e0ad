/** A track through one step more, and through what somebody else wrote in between. */
import type { FileState } from '#contract/ledger'
import type { WirePath } from '#contract/path'
import type { Writer } from './alignment.ts'
import { type Held, heldFrom, nothing } from './held.ts'
import type { Elsewhere } from './ports.ts'
import type { Kept, Step } from './steps.ts'
import { foundGood, gaveWay, moved, type Track, tracked } from './track.ts'

export interface Sources {
  hold(kept: Kept): Promise<Held>
  readonly elsewhere: Elsewhere | null
}

/** The next thing that happened to it. */
export async function carried(track: Track | null, step: Step, { hold, elsewhere }: Sources): Promise<Track> {
  if (step.kind === 'accepted') {
    if (!track) return tracked(nothing)
    return foundGood(await bridged(track, await hold(step.seen), step.path, elsewhere), step)
  }
  const [before, after] = await Promise.all([hold(step.before), hold(step.after)])
  const here = track ? await bridged(track, before, step.path, elsewhere) : tracked(before)
  if (step.kind === 'reverted') return gaveWay(here, after, step.lines)
  // The bits of before are told with the write that changed them.
  const known = here.now.mode === null && before.mode !== null ? withMode(here, before.mode) : here
  return moved(known, after, step.by)
}

const withMode = (track: Track, mode: number): Track => ({
  ...track,
  base: track.base.mode === null && track.base.hash !== null ? { ...track.base, mode } : track.base,
  now: { ...track.now, mode },
})

/** Somebody else wrote in between: through the states that the ledger knows, else in one go. */
export async function bridged(track: Track, to: Held, path: WirePath, elsewhere: Elsewhere | null): Promise<Track> {
  if (track.now.hash === to.hash) return to.mode === null ? track : withBits(track, to.mode)
  let here = track
  for (const write of elsewhere ? await betweenOf(elsewhere, path, track.now.hash, to.hash) : []) {
    const state = write.after
    const bytes = state?.kept ? await elsewhere?.contentOf(state) : null
    const held = heldOf(state, bytes ?? null)
    here = moved(here, held, write.by === 'person' ? 'you' : 'outside')
  }
  return here.now.hash === to.hash && to.mode === null ? here : moved(here, to, lastWriter(here, track))
}

/** Bits of a file whose content is as it was: known now for the first time, or changed by somebody. */
function withBits(track: Track, mode: number): Track {
  if (track.now.mode === null) return withMode(track, mode)
  return track.now.mode === mode ? track : moved(track, { ...track.now, mode }, 'outside')
}

const lastWriter = (here: Track, from: Track): Writer =>
  here !== from && [...here.writers].at(-1) === 'you' ? 'you' : 'outside'

/** What the ledger says of a state, with its content where that is kept. */
export const heldOf = (state: FileState | null, bytes: Uint8Array | null): Held => {
  if (!state) return nothing
  const facts = {
    mode: state.kind === 'link' ? null : state.mode,
    ...(state.kind === 'link' ? { kind: 'link' as const } : {}),
  }
  if (bytes) return heldFrom(state.hash, bytes, facts)
  return { hash: state.hash, kind: state.kind === 'link' ? 'link' : 'large', text: null, mode: facts.mode, bytes: null }
}

/** The lines of the ledger that lead from one state to the other; none where it does not know both. */
async function betweenOf(elsewhere: Elsewhere, path: WirePath, from: string | null, to: string | null) {
  const writes = await elsewhere.writesOf(path).catch(() => [])
  const end = writes.findLastIndex(write => (write.after?.hash ?? null) === to)
  if (end < 0) return []
  const start = writes.findLastIndex((write, i) => i <= end && (write.before?.hash ?? null) === from)
  return start < 0 ? writes.slice(end, end + 1) : writes.slice(start, end + 1)
}
