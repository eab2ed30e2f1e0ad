/**
 * What all servers of a workspace find wrong, as one list that windows follow. Promises: news are told in batches with a pause
 * between them; a server that floods costs no more than what is shown of it; who is over says nothing any more.
 */
import { type FileProblems, MOST_PROBLEMS } from '#contract/language-problems'
import { type AnyPath, pathKey } from '#contract/path'
import type { Found } from '../client.ts'
import type { OpenDocument } from '../open-documents.ts'
import { indexText, type PositionEncoding, type TextIndex } from '../position.ts'
import { isWithin } from '../project-root.ts'
import { problemsFrom } from './problem.ts'

export interface Problems {
  /** All that a server finds wrong in a file. */
  heard(server: Speaker, found: Found): void
  /** The text is the same, and another version of what a person has before them. */
  relabel(server: string, document: OpenDocument): void
  /** Nobody knows any more what that server would say: of one file, or (null) of any. */
  forget(server: string, absolute: string | null): void
  /** It is not there any more; of a folder nothing below it is. */
  gone(absolute: string): void
  /** Where that server found something. */
  filesOf(server: string): ReadonlySet<string>
  snapshot(): { seq: number; files: FileProblems[] }
  /** All of it is told to be gone. */
  dispose(): void
}

export interface Speaker {
  /** Of this one in its folder. */
  readonly id: string
  readonly serverId: string
  readonly encoding: PositionEncoding
}

export interface ProblemsOptions {
  /** Null: outside of every root, so not listed. */
  pathOf(absolute: string): AnyPath | null
  /** Null: it cannot be read. Never rejects. */
  textOf(absolute: string): Promise<string | null>
  /** Of the last batch that was told; goes on where an earlier list of the workspace ended. */
  readonly count: { seq: number }
  tell(batch: { seq: number; files: FileProblems[] }): void
}

const EVERY_MS = 60
/** Files of one batch: more come with the next. */
const MOST_FILES = 100
/** In which nothing is wrong, and that are remembered as looked at. */
const MOST_CLEAN = 1000

interface Entry {
  readonly server: string
  readonly absolute: string
  /** Of the server's copy; null: it had none open. */
  readonly version: number | null
  readonly said: FileProblems
}

interface Heard {
  readonly speaker: Speaker
  readonly absolute: string
  readonly items: readonly unknown[]
  readonly index: TextIndex | null
  readonly version: number | null
  readonly of: FileProblems['of']
  /** Nothing is known from here on. */
  readonly last?: boolean
}

export function createProblems({ pathOf, textOf, count, tell }: ProblemsOptions): Problems {
  const entries = new Map<string, Entry>()
  const heard = new Map<string, Heard>()
  let listed = 0
  let timer: NodeJS.Timeout | undefined
  let disposed = false

  const soon = () => {
    if (!disposed) timer ??= setTimeout(() => void flush(), EVERY_MS).unref()
  }
  const put = (key: string, entry: Entry | null): void => {
    listed -= entries.get(key)?.said.problems.length ?? 0
    entries.delete(key)
    if (!entry) return
    listed += entry.said.problems.length
    entries.set(key, entry)
    if (!isNothing(entry.said)) return
    const clean = [...entries].filter(([, { said }]) => isNothing(said))
    for (const [oldest] of clean.slice(0, Math.max(0, clean.length - MOST_CLEAN))) entries.delete(oldest)
  }
  const entryOf = async (key: string, each: Heard): Promise<Entry | null> => {
    const { absolute, speaker, items, version, of } = each
    const { id, serverId, encoding } = speaker
    const path = pathOf(absolute)
    if (!path) return null
    const index = each.index ?? indexText(items.length === 0 ? '' : ((await textOf(absolute)) ?? ''))
    const { counts, problems } = problemsFrom(items, { absolute, units: { index, encoding }, pathOf })
    const room = Math.max(0, MOST_PROBLEMS - listed + (entries.get(key)?.said.problems.length ?? 0))
    return { server: id, absolute, version, said: { path, serverId, of, counts, problems: problems.slice(0, room) } }
  }
  const flush = async (): Promise<void> => {
    const batch: FileProblems[] = []
    for (const [key, each] of [...heard].slice(0, MOST_FILES)) {
      const entry = await entryOf(key, each)
      // What came meanwhile counts, and what was forgotten is.
      if (heard.get(key) !== each) continue
      heard.delete(key)
      if (!entry || (!each.last && isSame(entries.get(key), entry))) continue
      put(key, each.last ? null : entry)
      batch.push(entry.said)
    }
    timer = undefined
    if (heard.size > 0) soon()
    say(batch)
  }
  const say = (files: FileProblems[]): void => {
    if (files.length === 0) return
    count.seq += 1
    tell({ seq: count.seq, files })
  }
  const forgetWhere = (isMeant: (server: string, absolute: string) => boolean): void => {
    for (const [key, { speaker, absolute }] of heard) if (isMeant(speaker.id, absolute)) heard.delete(key)
    for (const [key, { said, server, absolute, version }] of entries) {
      if (!isMeant(server, absolute)) continue
      const speaker = { id: server, serverId: said.serverId, encoding: 'utf-16' } as const
      heard.set(key, { speaker, absolute, items: [], index: nothing, version, of: said.of, last: true })
    }
    if (heard.size > 0) soon()
  }

  return {
    heard(speaker, { absolute, document, items }) {
      const { index = null, version = null, of = null } = document ?? {}
      heard.set(keyOf(speaker.id, absolute), { speaker, absolute, items, index, version, of })
      soon()
    },
    relabel(server, { absolute, version, of }) {
      const key = keyOf(server, absolute)
      const waiting = heard.get(key)
      if (waiting?.version === version) heard.set(key, { ...waiting, of })
      const entry = entries.get(key)
      if (entry?.version !== version || waiting) return
      put(key, { ...entry, said: { ...entry.said, of } })
      say([{ ...entry.said, of }])
    },
    forget: (server, absolute) => forgetWhere((each, at) => each === server && (absolute === null || at === absolute)),
    gone: absolute => forgetWhere((_, at) => isWithin(at, absolute)),
    filesOf: server =>
      new Set(
        [...entries.values()].flatMap(each => (each.server === server && !isNothing(each.said) ? [each.absolute] : [])),
      ),
    snapshot: () => ({
      seq: count.seq,
      files: [...entries.values()].map(({ said }) => said).sort((a, b) => (keyOfPath(a) < keyOfPath(b) ? -1 : 1)),
    }),
    dispose() {
      disposed = true
      clearTimeout(timer)
      heard.clear()
      say([...entries.values()].map(({ said }) => ({ ...said, counts: none, problems: [] })))
      entries.clear()
    },
  }
}

const isSame = (before: Entry | undefined, now: Entry): boolean =>
  before !== undefined && JSON.stringify(before) === JSON.stringify(now)
const nothing = indexText('')
const none = { error: 0, warning: 0, info: 0, hint: 0 }
const keyOf = (server: string, absolute: string): string => `${server}\0${absolute}`
const keyOfPath = ({ path, serverId }: FileProblems): string => `${pathKey(path)}\0${serverId}`
const isNothing = ({ counts }: FileProblems): boolean => Object.values(counts).every(each => each === 0)
