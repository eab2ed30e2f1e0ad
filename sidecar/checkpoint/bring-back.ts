/**
 * Carries out what was planned: all of it, or nothing. Every content is read and checked before a file is touched, of what is to
 * come and of what would go; where a path refuses, those that were done are put back as they were.
 */
import { type Fault, toFault } from '#contract/error'
import type { FileState, RestoreLine } from '#contract/ledger'
import type { WirePath } from '#contract/path'
import { hashOf } from './contents.ts'

export interface Content {
  readonly state: FileState
  readonly bytes: Uint8Array
}

/** What lays hand on the files; `core.ts` ties it. */
export interface Hands {
  /**
   * To the byte, told as `restore`. `text`: the same as words, where others' work stays in it: what a person has not saved is kept
   * too. Throws `stale` where what is there is not `expect`.
   */
  putBack(path: WirePath, expect: FileState | null, to: Content | null, text?: string): Promise<void>
}

export interface BroughtBack {
  /** Of each path what became of it; where it failed, nothing of it was done. */
  readonly lines: readonly RestoreLine[]
  readonly failed: (Fault & { path: WirePath }) | null
  /** Puts all back as it was before. Answers what somebody else has changed since, which stays. */
  takeBack(): Promise<WirePath[]>
}

/** One path that is about to be written. */
export interface Step {
  readonly line: RestoreLine
  readonly now: Content | null
  readonly to: Content | null
  readonly text?: string
}

export interface Bringing {
  contentOf(state: FileState): Promise<Uint8Array | null>
  /** Of a line that is merged: what comes of it. */
  merged?(line: RestoreLine): Promise<string | null>
  readonly hands: Hands
  /** Awaited before the first path is touched; where it rejects, none is. */
  begun?: ((steps: readonly Step[]) => Promise<void>) | undefined
}

export async function bringBack(plan: readonly RestoreLine[], bringing: Bringing): Promise<BroughtBack> {
  const { hands } = bringing
  const lines: RestoreLine[] = []
  const steps: Step[] = []
  for (const line of plan) {
    const step = await stepOf(line, bringing)
    if (step === 'damaged') lines.push({ ...line, action: 'cannot', why: 'damaged' })
    else {
      lines.push(line)
      if (step) steps.push(step)
    }
  }
  // What goes makes room for what comes: a file may stand where a folder was.
  steps.sort((a, b) => Number(a.to !== null) - Number(b.to !== null))
  const done: Step[] = []
  const takeBack = async (): Promise<WirePath[]> => {
    const left: WirePath[] = []
    for (const { line, now, to } of done.splice(0).reverse())
      await hands.putBack(line.path, to?.state ?? null, now).catch(() => left.push(line.path))
    return left
  }
  if (steps.length > 0) await bringing.begun?.(steps)
  for (const step of steps) {
    const { line, now, to, text } = step
    try {
      await hands.putBack(line.path, now?.state ?? null, to, text)
      done.push(step)
    } catch (thrown) {
      const left = await takeBack()
      return { lines, failed: { ...toFault(thrown), path: line.path }, takeBack: async () => left }
    }
  }
  return { lines, failed: null, takeBack }
}

/** Null: nothing is done to it. */
async function stepOf(line: RestoreLine, { contentOf, merged }: Bringing): Promise<Step | null | 'damaged'> {
  if (line.action === 'keep' || line.action === 'cannot') return null
  const content = async (state: FileState | null): Promise<Content | null | 'damaged'> => {
    const bytes = state && (await contentOf(state))
    if (!state) return null
    return bytes ? { state, bytes } : 'damaged'
  }
  const now = await content(line.now)
  if (now === 'damaged') return 'damaged'
  if (line.action !== 'merge') {
    const to = await content(line.was)
    return to === 'damaged' ? 'damaged' : { line, now, to }
  }
  const text = (await merged?.(line)) ?? null
  if (text === null || !now) return 'damaged'
  const bytes = Buffer.from(startsWithMark(now.bytes) ? `\ufeff${text}` : text)
  const state = { ...now.state, bytes: bytes.length, hash: hashOf(bytes), kept: true }
  return { line, now, to: { state, bytes }, text }
}

const startsWithMark = (bytes: Uint8Array): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
