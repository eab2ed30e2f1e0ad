/** What a session's log says of its files, in the order in which it happened. */
import { BlobId, type FileHash, type SessionId, type TurnId } from '#contract/id'
import { pathKey, type WirePath } from '#contract/path'
import type { FileWrite, LineSpan } from '#contract/session-event'
import type { SessionState } from '#contract/session-fold'
import type { Writer } from './alignment.ts'

/** Content by the log it is kept beside. */
export interface Kept {
  readonly hash: FileHash | null
  readonly blob: BlobId | null
  readonly kind?: FileWrite['kind']
  readonly mode?: number | null | undefined
  readonly sessionId: SessionId
}

export type Step = { readonly key: string; readonly seq: number; readonly path: WirePath } & (
  | {
      readonly kind: 'write'
      readonly turnId: TurnId | null
      readonly by: Writer
      readonly before: Kept
      readonly after: Kept
    }
  | {
      readonly kind: 'accepted'
      readonly seen: Kept
      readonly bits: boolean
      readonly lines: readonly LineSpan[] | null
    }
  | {
      readonly kind: 'reverted'
      readonly before: Kept
      readonly after: Kept
      readonly lines: readonly LineSpan[] | null
      /** With the conversation, or beside it: not by a review. */
      readonly whole?: true
    }
)
type Reverted = Extract<Step, { kind: 'reverted' }>

/**
 * By path. `children`: sessions of sub-agents that still work, whose writes the log does not have yet; those of others came
 * with the end of the call that they worked for.
 */
export function stepsOf(state: SessionState, children: readonly SessionState[] = []): Map<string, Step[]> {
  const restores = restoresOf(state)
  const steps = [...writesOf(state, null), ...reviewsOf(state), ...restores].sort((a, b) => a.seq - b.seq)
  for (const child of children) steps.push(...writesOf(child, state.facts.running).sort((a, b) => a.seq - b.seq))
  const byPath = new Map<string, Step[]>()
  for (const step of steps) {
    const key = pathKey(step.path)
    const known = byPath.get(key)
    if (known) known.push(step)
    else byPath.set(key, [step])
  }
  for (const key of new Set(restores.map(({ path }) => pathKey(path)))) byPath.set(key, comeTo(byPath.get(key) ?? []))
  return byPath
}

/** What was brought back when the conversation was: told apart from a review's reverts by `whole`. */
function restoresOf({ restores, facts: { sessionId } }: SessionState): Reverted[] {
  return [...restores.values()].flatMap(({ restoreId, seq, files, outcome, left }) => {
    const stayed = new Set(left.map(pathKey))
    const held = outcome === 'done' ? files : files.filter(({ path }) => stayed.has(pathKey(path)))
    return held.map(({ path, before, after }): Reverted => {
      const kept = (state: typeof before): Kept => ({
        hash: state?.hash ?? null,
        blob: state && BlobId.parse(`blb_${state.hash}`),
        mode: state?.mode,
        ...(state?.kind === 'link' ? { kind: 'link' } : {}),
        sessionId,
      })
      const [from, to] = [kept(before), kept(after)]
      return { kind: 'reverted', key: restoreId, seq, path, before: from, after: to, lines: null, whole: true }
    })
  })
}

/** A file that was brought back to a state it has had is as it was then: what happened since is as if it had never been. */
function comeTo(steps: readonly Step[]): Step[] {
  const then = new Map<string | null, readonly Step[]>()
  let here: Step[] = []
  let state: string | null | undefined
  for (const step of steps) {
    const known = step.kind === 'reverted' && step.whole ? then.get(step.after.hash) : undefined
    if (step.kind !== 'accepted' && step.before.hash !== state) then.set(step.before.hash, [...here])
    here = known ? [...known] : [...here, step]
    if (step.kind !== 'accepted') state = step.after.hash
    if (state !== undefined) then.set(state, [...here])
  }
  return here
}

/** `turnId`: the turn that they count for; null: their own. */
function writesOf({ items, facts: { sessionId } }: SessionState, turnId: TurnId | null): Step[] {
  const steps: Step[] = []
  for (const item of items.values()) {
    if (item.kind !== 'tool') continue
    const turn = turnId ?? item.turnId
    for (const { path, before, after, beforeBlob, afterBlob, kind, mode, by, via } of item.files)
      steps.push({
        kind: 'write',
        key: `${sessionId} ${item.callId}`,
        seq: item.endedSeq ?? 0,
        path,
        turnId: turn,
        // A file tool's write is its own to the letter, whatever a person had not saved; what a command did, nobody watched.
        by: `${by === 'mixed' && via === 'command' ? 'both' : 'agent'} ${turn}`,
        before: { hash: before, blob: beforeBlob, kind, mode: mode?.before, sessionId },
        after: { hash: after, blob: afterBlob, kind, mode: mode?.after, sessionId },
      })
  }
  return steps
}

/** What was undone is as if it had never been, as far as that can be: a text that others changed meanwhile is written anew. */
function reviewsOf({ reviews, items, facts: { sessionId } }: SessionState): Step[] {
  const steps: Step[] = []
  const lastTurn = [...items.values()].at(-1)?.turnId
  for (const { reviewId, seq, accepted, reverted, undone } of reviews.values()) {
    if (!undone)
      for (const { path, seen, seenBlob, lines, bits = false } of accepted)
        steps.push({
          kind: 'accepted',
          key: reviewId,
          seq,
          path,
          seen: { hash: seen, blob: seenBlob, sessionId },
          lines,
          bits,
        })
    for (const { path, before, after, beforeBlob, afterBlob, lines, mode } of reverted) {
      const back = undone?.files.find(file => pathKey(file.path) === pathKey(path))
      if (back && back.after === before && back.before === after) continue
      const [from, to] = [
        { hash: before, blob: beforeBlob, mode: mode?.before, sessionId },
        { hash: after, blob: afterBlob, mode: mode?.after, sessionId },
      ]
      steps.push({ kind: 'reverted', key: reviewId, seq, path, before: from, after: to, lines })
      if (back && undone)
        steps.push({
          kind: 'write',
          key: `${reviewId} undone`,
          seq: undone.seq,
          path,
          turnId: null,
          by: `agent ${lastTurn ?? ''}`,
          before: { hash: back.before, blob: back.beforeBlob, sessionId },
          after: { hash: back.after, blob: back.afterBlob, sessionId },
        })
    }
  }
  return steps
}

/** From the agent's first write on, or of one turn from its first write on; none where it wrote nothing of it. */
export function since(steps: readonly Step[], turnId: TurnId | null): readonly Step[] {
  const first = steps.findIndex(
    step => step.kind === 'write' && step.turnId !== null && (turnId === null || step.turnId === turnId),
  )
  return first < 0 ? [] : steps.slice(first)
}
