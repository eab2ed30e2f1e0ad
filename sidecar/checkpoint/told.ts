/** What a bracket's author wrote, as a call's end tells it: one line for each path, with contents as far as there is room. */
import type { FileState } from '#contract/ledger'
import { countLines } from '../base/count-lines.ts'
import { isSame } from './attribute.ts'
import type { Line } from './journal.ts'
import type { Author, BracketedFile } from './ledger.ts'

export type ToldFile = Omit<BracketedFile, 'path'> & { path: string }
export interface Told {
  readonly files: ToldFile[]
  readonly more: number
}

const MOST_FILES = 500
/** Of one content, and of all of them together: they are kept beside the session's log once more. */
const MOST_BYTES = 2_000_000
const MOST_BYTES_TOGETHER = 16_000_000
const COUNTING_MS = 1000

/** `lines`: of the time between, by whomever. */
export function toldOf(lines: readonly Line[], author: Author, read: (hash: string) => Buffer | null): Told {
  const byPath = new Map<string, Line[]>()
  for (const line of lines) if (!line.ignored) byPath.set(line.path, [...(byPath.get(line.path) ?? []), line])
  const written = [...byPath].flatMap(([path, all]) => changeOf(path, all, author) ?? [])
  written.sort((a, b) => (a.path < b.path ? -1 : 1))
  const until = Date.now() + COUNTING_MS
  let room = MOST_BYTES_TOGETHER
  const bytesOf = (state: FileState | null): Uint8Array | null => {
    if (!state?.kept || state.bytes > Math.min(room, MOST_BYTES)) return null
    const bytes = read(state.hash)
    room -= bytes?.length ?? 0
    return bytes
  }
  const files = written.slice(0, MOST_FILES).map((change): ToldFile => {
    const beforeBytes = bytesOf(change.before)
    const afterBytes = bytesOf(change.after)
    return { ...factsOf(change, [beforeBytes, afterBytes], until - Date.now()), beforeBytes, afterBytes }
  })
  return { files, more: written.length - files.length }
}

interface Change {
  readonly path: string
  readonly before: FileState | null
  readonly after: FileState | null
  readonly by: 'agent' | 'mixed'
}

/** From before the author's first write to after its last; null where it left things as they were. */
function changeOf(path: string, lines: readonly Line[], author: Author): Change | null {
  const own = lines.filter(line => isBy(line, author))
  const before = own[0]?.before ?? null
  const after = own.at(-1)?.after ?? null
  if (own.length === 0 || isSame(before, after)) return null
  const alone = own.length === lines.length && own.every(({ by }) => by !== 'mixed')
  return { path, before, after, by: alone ? 'agent' : 'mixed' }
}

export const isBy = (line: Line, author: Author): boolean =>
  author.by === 'agent'
    ? line.writers.some(
        ({ callId, sessionId }) => callId === author.writer.callId && sessionId === author.writer.sessionId,
      )
    : line.by === 'person' && line.via === author.via

type Facts = Omit<ToldFile, 'beforeBytes' | 'afterBytes'>

function factsOf({ path, before, after, by }: Change, bytes: readonly (Uint8Array | null)[], mostMs: number): Facts {
  const texts = bytes.map(each => (each ? textOf(each) : ''))
  const isText = texts.every(text => text !== null)
  const large = [before, after].some(state => state?.kept === false)
  const link = before?.kind === 'link' || after?.kind === 'link'
  const kind = link ? 'link' : large ? 'large' : isText ? 'text' : 'binary'
  const [from = '', to = ''] = texts
  const counts =
    kind === 'text' && from !== null && to !== null
      ? countLines(from, to, Math.max(1, mostMs))
      : { added: 0, removed: 0 }
  const changedMode = before?.mode !== after?.mode
  return {
    path,
    before: before?.hash ?? null,
    after: after?.hash ?? null,
    by,
    ...counts,
    via: 'command',
    ...(kind === 'text' ? {} : { kind }),
    ...(changedMode ? { mode: { before: before?.mode ?? null, after: after?.mode ?? null } } : {}),
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Null for what is no text. */
function textOf(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}
