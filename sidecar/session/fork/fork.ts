/**
 * A new session that goes on from an item of another. Promise: all of it or nothing; the parent's log is read and never
 * written; from then on nothing that happens to either, its removal included, is seen in the other.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { BelayError } from '#contract/error'
import { type ItemId, type RequestId, type RootId, SessionId } from '#contract/id'
import type { SessionEventDraft, WrittenRule } from '#contract/session-event'
import type { Item, SessionFacts } from '#contract/session-state'
import { filesOf, type SessionFiles } from '../files.ts'
import { inParallel } from '../in-parallel.ts'
import { load } from '../reader.ts'
import { logBytes, type Replayed } from '../replay.ts'
import { pathTo, type SafePoint, safePoint, subagentsOf } from './cut.ts'
import { form, type Part, type Place } from './form.ts'
import { inherit, share } from './inherited.ts'
import { lastSeqOf } from './last-seq.ts'
import type { Segment } from './segment.ts'

export interface ForkWish {
  readonly sessionId: SessionId
  readonly atItemId: ItemId | null
  readonly title: string
  readonly roots: string[]
  readonly mode: SessionFacts['mode']
  /** Where the parent works, if the fork works elsewhere, and which of its roots is which there. */
  readonly parentHome?: string | undefined
  readonly rootIds?: Record<string, RootId>
}

/** Blobs that get a further name at once. */
const LINK_WIDTH = 32

/** The same request is the same fork. */
export const forkIdOf = (requestId: RequestId): SessionId => idFrom(requestId)
const idFrom = (text: string): SessionId =>
  SessionId.parse(`ses_f${createHash('sha256').update(text).digest('hex').slice(0, 30)}`)

/** Where it would be cut. Throws `not_found` where there is no such item. */
function cutPoint({ state }: Replayed, atItemId: ItemId | null): SafePoint {
  const point = atItemId === null ? { atItemId: null, moved: null } : safePoint(state, atItemId)
  if (point) return point
  throw new BelayError('not_found', 'Nothing was forked: that message is not in this conversation (any more).')
}

/** `parent` as it is at this moment; what comes later is not the fork's. Throws `disk_full`, `read_only`. */
export async function fork(place: Place, parent: Replayed, wish: ForkWish): Promise<void> {
  const { facts } = parent.state
  const { atItemId } = cutPoint(parent, wish.atItemId)
  const from = filesOf(place.folder, facts.sessionId)
  const path = pathTo(parent.state, atItemId) ?? []
  const { end } = parent
  const { rules, producer } = facts
  const { rootIds = {}, parentHome } = wish
  const children = await subagents(place.folder, wish, path)
  // Only what a person found good or took back asks for it.
  const { seq } = facts
  const atSeq = parent.state.reviews.size > 0 ? await lastSeqOf(from, end, path) : seq
  const sessionIds = Object.fromEntries(children.map(({ old, sessionId }) => [old, sessionId]))
  const first: SessionEventDraft[] = [
    { type: 'session.created', sessionId: wish.sessionId, roots: wish.roots, title: wish.title },
    { type: 'session.forked', parentSessionId: facts.sessionId, atItemId, ...(parentHome ? { parentHome } : {}) },
  ]
  if (wish.mode !== 'default') first.push({ type: 'mode.changed', mode: wish.mode, by: 'person' })
  if (producer) first.push({ type: 'engine.switched', producer })
  const kept = tightening(rules)
  if (kept.length > 0) first.push({ type: 'rules.changed', rules: kept, by: 'fork' })
  const segment = { end, atItemId, atSeq, rootIds, sessionIds }
  const own = { sessionId: wish.sessionId, first, prepare: prepare(from, segment) }
  // The one that leads to the others last: broken off before it, there is no fork.
  await form(place, [...children.map(({ part }) => part), own])
}

/** What was allowed was allowed for the parent; what it may not do, a branch of it may not do either. */
const tightening = (rules: readonly WrittenRule[]): WrittenRule[] => rules.filter(({ verdict }) => verdict !== 'allow')

const prepare = (from: SessionFiles, segment: Segment) => async (files: SessionFiles) => {
  await inherit(files, from, segment)
  const blobs = await readdir(from.blobs).catch(() => [])
  if (blobs.length === 0) return
  await mkdir(files.blobs, { mode: 0o700 })
  // Without what is being written at this moment.
  const whole = blobs.filter(name => /^[0-9a-f]{64}$/.test(name))
  await inParallel(whole, LINK_WIDTH, name => share(join(from.blobs, name), join(files.blobs, name)))
}

interface Child {
  readonly old: SessionId
  readonly sessionId: SessionId
  readonly part: Part
}

/** What sub-agents did up to there belongs to the fork too, also when the parent goes. At any depth, the deepest first. */
async function subagents(
  folder: string,
  { sessionId: parentId, roots, rootIds = {} }: Pick<ForkWish, 'sessionId' | 'roots' | 'rootIds'>,
  path: readonly Item[],
): Promise<Child[]> {
  const all: Child[] = []
  for (const old of subagentsOf(path)) {
    const from = filesOf(folder, old)
    if ((await logBytes(from.log)) === 0) continue
    const replayed = await load(from, old)
    const { parent, title, head } = replayed.state.facts
    if (!parent) continue
    const sessionId = idFrom(`${parentId} ${old}`)
    const atItemId = head === null ? null : cutPoint(replayed, head).atItemId
    const own = pathTo(replayed.state, atItemId) ?? []
    const deeper = await subagents(folder, { sessionId, roots, rootIds }, own)
    const { seq: atSeq } = replayed.state.facts
    const sessionIds = Object.fromEntries(deeper.map(each => [each.old, each.sessionId]))
    const segment = { end: replayed.end, atItemId, atSeq, rootIds, sessionIds }
    const first: SessionEventDraft[] = [
      { type: 'session.created', sessionId, roots, title, parent: { ...parent, sessionId: parentId } },
      { type: 'session.forked', parentSessionId: old, atItemId },
    ]
    all.push(...deeper, { old, sessionId, part: { sessionId, first, prepare: prepare(from, segment) } })
  }
  return all
}

/** "Title (fork)", or with the first number that is free; a fork of a fork does not say so twice. */
export function freeTitle(title: string, taken: ReadonlySet<string>): string {
  const base = title.replace(/ \(fork(?: \d+)?\)$/, '').slice(0, 180)
  for (let n = 1; ; n++) {
    const name = `${base} (fork${n > 1 ? ` ${n}` : ''})`.trimStart()
    if (!taken.has(name)) return name
  }
}
