/** A tracked file as a person is shown it: what kind of change, by whom, how much of it is left to look at. Pure. */
import { createHash } from 'node:crypto'
import type { LineEnd } from '#contract/document'
import type { WirePath } from '#contract/path'
import type { ReviewAuthor, ReviewFile, ReviewHunk } from '#contract/review'
import { lineEndOf } from '../workspace/documents/codec.ts'
import { type Alignment, baseLines, type Hunk, hunksOf, nowLines, type Writer } from './alignment.ts'
import { nothing } from './held.ts'
import { differs, type Track, tracked } from './track.ts'

export interface View {
  readonly track: Track
  readonly file: ReviewFile
  readonly version: string
  readonly hunks: readonly (ReviewHunk & { readonly hunk: Hunk })[]
}

/** `git`: whoever wrote it, all of it is to be looked at. Null where nothing differs. */
export function viewOf(path: WirePath, track: Track, git?: { readonly from: WirePath | null }): View | null {
  if (!differs(track) && !git?.from) return null
  const { base, now, rows } = track
  const hunks = rows ? named(rows, hunksOf(rows)).map(hunk => (git ? { ...hunk, by: 'unknown' as const } : hunk)) : []
  const change = base.hash === null ? 'created' : now.hash === null ? 'deleted' : git?.from ? 'renamed' : 'changed'
  const kind = kindOf(path, track, hunks)
  const theirs = kind === 'text' ? hunks.filter(({ by }) => counts(by)) : []
  const by = git ? 'unknown' : authorOf(track.writers)
  const lines = (of: 'added' | 'removed') =>
    theirs.reduce(
      (sum, { hunk }) => sum + (rows?.slice(hunk.rows.from, hunk.rows.to).filter(row => row.kind === of).length ?? 0),
      0,
    )
  const plain = kind !== 'text' || hunks.length === 0
  return {
    track,
    version: digest(`${base.text ?? base.hash}\0${now.hash}`),
    hunks,
    file: {
      path,
      change,
      from: git?.from ?? null,
      kind,
      by: plain || git ? by : authorOf(new Set(hunks.flatMap(({ hunk }) => [...hunk.writers]))),
      added: lines('added'),
      removed: lines('removed'),
      left: plain ? Number(counts(by)) : theirs.length,
      facts: factsOf(kind, track),
    },
  }
}

/** Whether it is to be looked at: a person's own is not. */
const counts = (by: ReviewAuthor): boolean => by !== 'you' && by !== 'outside'

/** Another repository, of which this one knows a commit: nothing of it is decided on here. */
export function submoduleView(path: WirePath, commits: { before: string; after: string }): View {
  const file = { path, change: 'changed', from: null, kind: 'submodule', by: 'unknown' } as const
  const short = { before: commits.before.slice(0, 12), after: commits.after.slice(0, 12) }
  return {
    track: tracked(nothing),
    file: { ...file, added: 0, removed: 0, left: 1, facts: short },
    version: digest(`${commits.before} ${commits.after}`),
    hunks: [],
  }
}

export function authorOf(writers: ReadonlySet<Writer>): ReviewAuthor {
  const all = [...writers]
  if (all.length === 0) return 'unknown'
  const agents = all.filter(writer => writer.startsWith('agent')).length
  if (agents === all.length) return 'agent'
  if (agents > 0 || all.some(writer => writer.startsWith('both'))) return 'mixed'
  return all.every(writer => writer === 'you') ? 'you' : 'outside'
}

/** The same lines in two places are told apart by their order. */
function named(rows: Alignment, hunks: readonly Hunk[]): View['hunks'] {
  const seen = new Map<string, number>()
  return hunks.map(hunk => {
    const part = rows.slice(hunk.rows.from, hunk.rows.to)
    const [before, after] = [baseLines(part).join(''), nowLines(part).join('')]
    const content = digest(`${before}\0${after}`)
    const nth = seen.get(content) ?? 0
    seen.set(content, nth + 1)
    const { base, now } = hunk
    return { hunk, id: `${content}.${nth}`, base, now, by: authorOf(hunk.writers), ends: onlyEnds(before, after) }
  })
}

const onlyEnds = (before: string, after: string): boolean => before !== after && bare(before) === bare(after)
/** Without line ends at the end, and with one kind of them elsewhere. */
const bare = (text: string): string => text.replace(/\r\n?/g, '\n').replace(/\n$/, '')

export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

const picture = /\.(png|jpe?g|gif|webp|avif|bmp|ico)$/i

function kindOf({ path }: WirePath, { base, now, rows }: Track, hunks: View['hunks']): ReviewFile['kind'] {
  if (base.kind === 'link' || now.kind === 'link') return 'link'
  if (base.hash === now.hash) return base.mode === now.mode ? 'text' : 'mode'
  if (!rows) {
    const text = base.kind === 'text' && now.kind === 'text'
    if (text || base.kind === 'large' || now.kind === 'large') return 'huge'
    return picture.test(path) ? 'image' : 'binary'
  }
  if (base.hash === null || now.hash === null) return 'text'
  if (hunks.length === 0) return 'encoding'
  return hunks.every(each => each.ends) && lineEndOf(base.text ?? '') !== lineEndOf(now.text ?? '')
    ? 'lineEnds'
    : 'text'
}

const words: Record<LineEnd, string> = { lf: 'LF', crlf: 'CRLF', cr: 'CR', mixed: 'LF + CRLF' }
const octal = (mode: number): string => mode.toString(8).padStart(3, '0')

function factsOf(kind: ReviewFile['kind'], { base, now }: Track): ReviewFile['facts'] {
  if (kind === 'link') return { before: base.text ?? '', after: now.text ?? '' }
  if (kind === 'lineEnds') return { before: words[lineEndOf(base.text ?? '')], after: words[lineEndOf(now.text ?? '')] }
  const known = base.hash !== null && now.hash !== null && base.mode !== null && now.mode !== null
  return known && base.mode !== now.mode ? { before: octal(base.mode ?? 0), after: octal(now.mode ?? 0) } : null
}
