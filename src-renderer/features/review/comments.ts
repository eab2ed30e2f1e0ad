/** Words on lines, collected until they are sent: one prompt for all of them. They outlive a reload. */
import { z } from 'zod'
import { BelayError } from '#contract/error'
import { RequestId, type SessionId } from '#contract/id'
import { pathKey, WirePath } from '#contract/path'
import { belay } from '../../client/index.ts'
import { remembered } from '../../state/view/remember.ts'
import { currentSession } from '../../state/view/session.ts'
import { t } from '../../ui/i18n.ts'
import { workspaceNow } from './acts.ts'

export const Comment = z.object({
  id: z.string(),
  path: WirePath,
  /** The text it is about: how it was, or how it is now. */
  side: z.enum(['base', 'now']),
  /** Lines [from, to], from 1, of when it was written. */
  from: z.number().int().positive(),
  to: z.number().int().positive(),
  /** These lines as they were then. */
  quote: z.string(),
  words: z.string(),
  /** The field is open. */
  editing: z.boolean(),
})
export type Comment = z.infer<typeof Comment>

const none: readonly unknown[] = []
const kept = remembered<readonly unknown[]>('review.comments', none)
/** What an earlier version kept otherwise is left out. */
const sound = (all: readonly unknown[]): Comment[] =>
  Array.isArray(all) ? all.flatMap(each => Comment.safeParse(each).data ?? []) : []

let known: { raw: readonly unknown[]; comments: readonly Comment[] } = { raw: none, comments: [] }
const read = (raw: readonly unknown[]): readonly Comment[] => {
  if (known.raw !== raw) known = { raw, comments: sound(raw) }
  return known.comments
}
export const commentsNow = (): readonly Comment[] => read(kept.get())
export const useComments = (): readonly Comment[] => kept.use(read)
export const commentsOn = (all: readonly Comment[], path: WirePath): readonly Comment[] =>
  all.filter(comment => pathKey(comment.path) === pathKey(path))
/** Those that can be sent. */
export const written = (all: readonly Comment[]): readonly Comment[] =>
  all.filter(comment => comment.words.trim() !== '')

export type NewComment = Pick<Comment, 'path' | 'side' | 'from' | 'to' | 'quote'>

/** With its field open; one that is open there already stays the one. */
export function begin(place: NewComment): void {
  kept.set(all => {
    const open = sound(all).find(
      each =>
        each.editing && each.to === place.to && each.side === place.side && pathKey(each.path) === pathKey(place.path),
    )
    return open ? all : [...sound(all), { ...place, id: crypto.randomUUID(), words: '', editing: true }]
  })
}
export const change = (id: string, what: Partial<Pick<Comment, 'words' | 'editing'>>): void =>
  kept.set(all => sound(all).map(each => (each.id === id ? { ...each, ...what } : each)))
export const remove = (id: string): void => kept.set(all => sound(all).filter(each => each.id !== id))

/** Where its lines are now: as they were, else the nearest place with the same lines, else where they were. */
export function placeOf({ from, to, quote }: Comment, lines: readonly string[]): { from: number; to: number } {
  const wanted = quote.split('\n')
  const fits = (start: number) => wanted.every((line, i) => lines[start - 1 + i] === line)
  for (let away = 0; away <= lines.length; away++)
    for (const start of [from - away, from + away])
      if (start >= 1 && fits(start)) return { from: start, to: start + wanted.length - 1 }
  const last = Math.max(1, lines.length)
  return { from: Math.min(from, last), to: Math.min(to, last) }
}

let sending: { readonly key: string; readonly requestId: RequestId } | null = null

/** As one prompt: at once, or after the turn that runs. They go when it has arrived. Rejects with words. */
export async function sendComments(): Promise<void> {
  const comments = written(commentsNow())
  if (comments.length === 0) throw new BelayError('invalid', t('review.noComments'))
  const sessionId = await sessionFor()
  const key = JSON.stringify([sessionId, comments])
  // What may have arrived goes again under its own name: the same id twice is one prompt.
  if (sending?.key !== key) sending = { key, requestId: RequestId.parse(crypto.randomUUID()) }
  await belay.session.prompt({
    sessionId,
    requestId: sending.requestId,
    parts: [{ kind: 'text', text: promptOf(comments) }],
    whenRunning: 'queue',
  })
  sending = null
  // Words that were changed while they were on their way were not sent as they are now.
  const sent = new Map(comments.map(({ id, words }) => [id, words]))
  kept.set(all => sound(all).filter(({ id, words }) => sent.get(id) !== words))
}

async function sessionFor(): Promise<SessionId> {
  const known = currentSession.get()
  if (known) return known
  const { sessionId } = await belay.session.create({ workspaceId: workspaceNow() })
  currentSession.set(sessionId)
  return sessionId
}

export function promptOf(comments: readonly Comment[]): string {
  const parts = comments.map(({ path, side, from, to, quote, words }) => {
    const lines = from === to ? t('review.prompt.line', { line: from }) : t('review.prompt.lines', { from, to })
    const which = side === 'base' ? ` ${t('review.prompt.before')}` : ''
    const quoted = quote.split('\n').map(line => `> ${line}`)
    return [`${path.path}, ${lines}${which}`, ...quoted, '', words.trim()].join('\n')
  })
  return [t('review.prompt.head', { count: comments.length }), ...parts].join('\n\n')
}
