/**
 * Carries out what was planned: all of it, or nothing. Every content is read and checked before a file is touched, of what is to
 * come and of what would go; where a path refuses, those that were done are put back as they were.
 */
import { type Fault, toFault } from '#contract/error'
import type { FileState, RestoreLine } from '#contract/ledger'
import type { WirePath } from '#contract/path'

export interface Content {
  readonly state: FileState
  readonly bytes: Uint8Array
}

/** What lays hand on the files; `core.ts` ties it. */
export interface Hands {
  /** To the byte, told as `restore`. Throws `stale` where what is there is not `expect`. */
  putBack(path: WirePath, expect: FileState | null, to: Content | null): Promise<void>
}

export interface BroughtBack {
  /** Of each path what became of it; where it failed, nothing of it was done. */
  readonly lines: readonly RestoreLine[]
  readonly failed: (Fault & { path: WirePath }) | null
}

interface Step {
  readonly line: RestoreLine
  readonly was: Content | null
  readonly now: Content | null
}

export async function bringBack(
  plan: readonly RestoreLine[],
  { contentOf, hands }: { contentOf(state: FileState): Promise<Uint8Array | null>; hands: Hands },
): Promise<BroughtBack> {
  const content = async (state: FileState | null): Promise<Content | null | 'damaged'> => {
    const bytes = state && (await contentOf(state))
    if (state && !bytes) return 'damaged'
    return state && bytes ? { state, bytes } : null
  }
  const lines: RestoreLine[] = []
  const steps: Step[] = []
  for (const line of plan) {
    const touched = line.action === 'restore' || line.action === 'remove'
    const [was, now] = touched ? await Promise.all([content(line.was), content(line.now)]) : [null, null]
    if (was === 'damaged' || now === 'damaged') lines.push({ ...line, action: 'cannot', why: 'damaged' })
    else {
      lines.push(line)
      if (touched) steps.push({ line, was, now })
    }
  }
  // What goes makes room for what comes: a file may stand where a folder was.
  steps.sort((a, b) => Number(a.was !== null) - Number(b.was !== null))
  const done: Step[] = []
  for (const step of steps) {
    const { path } = step.line
    try {
      await hands.putBack(path, step.line.now, step.was)
      done.push(step)
    } catch (thrown) {
      for (const each of done.reverse()) await hands.putBack(each.line.path, each.line.was, each.now).catch(() => {})
      return { lines, failed: { ...toFault(thrown), path } }
    }
  }
  return { lines, failed: null }
}
