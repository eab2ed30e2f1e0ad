/**
 * Two branches side by side: what each did after the last item that both have. Told from their logs alone, so also where one's
 * worktree is gone; a branch with a worktree of its own shows what lies there now.
 */
import { createHash } from 'node:crypto'
import type { BlobId, FileHash, RootId, SessionId } from '#contract/id'
import type { FileWrite, Usage } from '#contract/session-event'
import { addUsage, noUsage, type SessionState } from '#contract/session-fold'
import type { Item } from '#contract/session-state'
import type { ComparedBranch, ComparedFile, ComparedText, Comparison } from '#contract/session-tree'
import { testRuns } from './test-runs.ts'

export interface ComparedSession {
  readonly state: SessionState
  readonly title: string
  readBlob(id: BlobId): Promise<Uint8Array | null>
  /** See `Worktrees.read`. */
  read(path: string): Promise<Uint8Array | null | undefined>
}

export interface Sources {
  rootIdOf(folder: string): RootId
}

const MOST_FILES = 2000
const MOST_TEXT_BYTES = 5_000_000

interface Written {
  readonly root: string
  readonly path: string
  readonly first: FileWrite
  readonly last: FileWrite
}

interface Branch {
  readonly session: ComparedSession
  readonly items: readonly Item[]
  readonly written: ReadonlyMap<string, Written>
}

export async function compare(a: ComparedSession, b: ComparedSession, sources: Sources): Promise<Comparison> {
  const { ancestor, sides } = part(a, b, sources)
  const [left, right] = sides
  const keys = [...new Set([...left.written.keys(), ...right.written.keys()])].sort()
  const files: Comparison['files'] = []
  let more = 0
  for (const key of keys) {
    const [inA, inB] = [await fileIn(left, right, key), await fileIn(right, left, key)]
    if (inA.shown.hash === inB.shown.hash) continue
    const { root, path } = (left.written.get(key) ?? right.written.get(key)) as Written
    if (files.length < MOST_FILES) files.push({ root, path, a: inA.shown, b: inB.shown })
    else more++
  }
  const [runsA, runsB] = [testRuns(left.items), testRuns(right.items)]
  const tests = [...new Set([...runsA.keys(), ...runsB.keys()])].map(command => ({
    command,
    a: runsA.get(command) ?? null,
    b: runsB.get(command) ?? null,
  }))
  return { ancestor, a: branchOf(left), b: branchOf(right), files, more, tests }
}

export async function compareFile(
  a: ComparedSession,
  b: ComparedSession,
  at: { root: string; path: string },
  sources: Sources,
): Promise<{ a: ComparedText; b: ComparedText }> {
  const [left, right] = part(a, b, sources).sides
  const key = keyOf(at.root, at.path)
  const text = async (one: Branch, other: Branch) => textOf(await fileIn(one, other, key))
  return { a: await text(left, right), b: await text(right, left) }
}

const keyOf = (root: string, path: string): string => `${root}\0${path}`

/** Items have their names in every branch: what both paths begin with is what they have in common. */
function part(a: ComparedSession, b: ComparedSession, sources: Sources) {
  const [pathA, pathB] = [a.state.path, b.state.path]
  let common = 0
  while (common < pathA.length && pathA[common] === pathB[common]) common++
  const ancestor = pathA[common - 1] ?? null
  const side = (session: ComparedSession): Branch => {
    const items = session.state.path.slice(common).flatMap(id => session.state.items.get(id) ?? [])
    return { session, items, written: writtenBy(items, session.state, sources) }
  }
  return { ancestor, sides: [side(a), side(b)] as const }
}

function writtenBy(items: readonly Item[], { facts }: SessionState, { rootIdOf }: Sources): Map<string, Written> {
  const home = rootIdOf(facts.roots[0] ?? '')
  const written = new Map<string, Written>()
  for (const item of items)
    for (const file of item.kind === 'tool' ? item.files : []) {
      const root = file.path.rootId === home ? '' : file.path.rootId
      const key = keyOf(root, file.path.path)
      written.set(key, { root, path: file.path.path, first: written.get(key)?.first ?? file, last: file })
    }
  return written
}

interface Found {
  readonly shown: ComparedFile
  bytes(): Promise<Uint8Array | null>
}

/** As it is in `one`: what lies in its worktree, else what it wrote last, else what `other` found there before it wrote. */
async function fileIn(one: Branch, other: Branch, key: string): Promise<Found> {
  const [mine, theirs] = [one.written.get(key), other.written.get(key)]
  const written = mine !== undefined
  const { root = '', path = '' } = mine ?? theirs ?? {}
  const there = root === '' && path !== '' ? await one.session.read(path) : undefined
  if (there !== undefined)
    return {
      shown: { hash: there && hashOf(there), written, from: 'folder', kept: there !== null },
      bytes: async () => there,
    }
  const [hash, blob, session] = mine
    ? [mine.last.after, mine.last.afterBlob, one.session]
    : [theirs?.first.before ?? null, theirs?.first.beforeBlob ?? null, other.session]
  return {
    shown: { hash, written, from: 'log', kept: blob !== null },
    bytes: async () => blob && session.readBlob(blob),
  }
}

const hashOf = (bytes: Uint8Array): FileHash => createHash('sha256').update(bytes).digest('hex')

async function textOf({ shown, bytes }: Found): Promise<ComparedText> {
  if (shown.hash === null) return { kind: 'absent' }
  const found = await bytes()
  if (!found) return { kind: 'not_kept' }
  if (found.length > MOST_TEXT_BYTES) return { kind: 'large' }
  if (found.includes(0)) return { kind: 'binary' }
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(found) }
  } catch {
    return { kind: 'binary' }
  }
}

function branchOf({ session, items, written }: Branch): ComparedBranch {
  const { state, title } = session
  const turns = [...new Set(items.map(item => item.turnId))].flatMap(id => state.turns.get(id) ?? [])
  const writes = items.flatMap(item => (item.kind === 'tool' ? item.files : []))
  const costs = turns.flatMap(({ cost }) => cost ?? [])
  return {
    ...{ sessionId: state.facts.sessionId as SessionId, title, folder: state.facts.roots[0] ?? '' },
    ...{ turns: turns.length, items: items.length },
    usage: turns.reduce<Usage>((sum, { usage }) => (usage ? addUsage(sum, usage) : sum), noUsage),
    cost: costs.length > 0 ? costs.reduce((sum, cost) => sum + cost, 0) : null,
    changed: {
      files: written.size,
      added: writes.reduce((sum, { added }) => sum + added, 0),
      removed: writes.reduce((sum, { removed }) => sum + removed, 0),
    },
  }
}
