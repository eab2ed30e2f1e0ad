/** What waits for the person, and when it is said by the system: the desktop and the browser form follow the same rule. */
import { z } from 'zod'
import { SessionId } from './id.ts'

/** An ask until it is answered, or the end of a turn. */
export const News = z.object({
  /** The same one has the same key in every window, for ever. */
  key: z.string().max(200),
  kind: z.enum(['ask', 'end']),
  sessionId: SessionId,
  /** Of its workspace; absolute. */
  folder: z.string().max(4096),
  title: z.string().max(100),
  body: z.string().max(500),
  /** Whether the person wants to hear of such. */
  tell: z.boolean(),
})
export type News = z.infer<typeof News>

export const Waiting = z.object({
  news: z.array(News).max(200),
  /** Whether the app's icon says how many wait. */
  badge: z.boolean(),
  sound: z.boolean(),
  /** Of the dock's icon (macOS) or the task bar's button (Windows), once for an ask. */
  bounce: z.boolean(),
})
export type Waiting = z.infer<typeof Waiting>

/** What was said of it so far. */
export interface Told {
  /** Seen to once: never told again, wherever the focus was. */
  readonly known: ReadonlySet<string>
  /** Told, and the person was not there since. */
  readonly unseen: ReadonlySet<string>
}
export const nothingTold: Told = { known: new Set(), unseen: new Set() }

export interface Telling {
  readonly told: Told
  /** To be said now. */
  readonly show: readonly News[]
  /** Keys of what is not to be seen any more: answered, or its window has the focus. */
  readonly close: readonly string[]
  /** Asks without an answer, and ends that nobody has seen. */
  readonly count: number
}

/**
 * Pure. `news` is all that waits. New ones are said once, and only where no window that shows their folder has the focus;
 * what came while it had is never said later. An end has been seen once its window has the focus, an ask when it is answered.
 */
export function tell(before: Told, news: readonly News[], isFocused: (folder: string) => boolean): Telling {
  const away = (each: News) => !isFocused(each.folder)
  const show = news.filter(each => !before.known.has(each.key) && each.tell && away(each))
  const unseen = new Set(
    news
      .filter(each => away(each) && (before.unseen.has(each.key) || !before.known.has(each.key)))
      .map(({ key }) => key),
  )
  return {
    told: { known: new Set(news.map(({ key }) => key)), unseen },
    show,
    close: [...before.unseen].filter(key => !unseen.has(key)),
    count: news.filter(each => each.kind === 'ask' || unseen.has(each.key)).length,
  }
}
