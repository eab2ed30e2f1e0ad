/** What waits for the person in words, from what goes on in all workspaces. Pure. */

import type { Localize } from '#contract/localize'
import type { News } from '#contract/news'
import type { SessionSummary } from '#contract/session'
import type { Ask, Turn } from '#contract/session-state'
import { askedWords } from '../../features/chat/ask/ask-words.ts'
import type { RecentWorkspace } from '../../state/mirror/activity.ts'
import type { Translate } from '../../ui/i18n.ts'
import { visibleLine } from '../../ui/visible.ts'

const MOST_TITLE = 100
const MOST_BODY = 300

export interface NewsWords {
  readonly t: Translate
  readonly localize: Localize
  /** Whether it says what would run, or only of which kind it is: a browser hands its notifications to others. */
  readonly exact: boolean
}
type Session = Pick<SessionSummary, 'sessionId' | 'title' | 'roots'>

/** Null: its folder is none of the known. */
export function askNews(session: Session, ask: Ask, recent: readonly RecentWorkspace[], words: NewsWords): News | null {
  return newsOf(session, recent, { key: ask.askId, kind: 'ask', what: askWords(ask, words) }, words)
}

/** Null also where the person ended it. */
export function endNews(
  session: Session,
  turn: Turn,
  recent: readonly RecentWorkspace[],
  words: NewsWords,
): News | null {
  const { outcome, turnId, error } = turn
  if (outcome === null || outcome === 'stopped') return null
  const why = outcome === 'error' && words.exact && error ? `: ${words.localize(error.message)}` : ''
  return newsOf(session, recent, { key: turnId, kind: 'end', what: words.t(`app.ended.${outcome}`) + why }, words)
}

function newsOf(
  { sessionId, title, roots }: Session,
  recent: readonly RecentWorkspace[],
  { key, kind, what }: { key: string; kind: News['kind']; what: string },
  { t }: NewsWords,
): News | null {
  const workspace = recent.find(({ home }) => home === roots[0])
  if (!workspace) return null
  const name = title === '' ? t('sessions.untitled') : title
  return {
    ...{ key, kind, sessionId, folder: workspace.folder, tell: true },
    title: bounded(workspace.name, MOST_TITLE),
    body: bounded(t('app.newsOf', { session: bounded(name, 60), what }), MOST_BODY),
  }
}

function askWords(ask: Ask, { t, exact }: NewsWords): string {
  if (ask.kind === 'plan') return t('app.asks.plan')
  if (ask.kind === 'question') return exact ? (ask.questions[0]?.text ?? '') : t('app.asks.question')
  const what = ask.calls.map(call => (exact ? askedWords(call) : t(`chat.askKind.${call.kind}`)))
  return t('app.asks.permission', { what: what.join('; ') })
}

/** On one line, with nothing unseen in it, and never half a character. */
function bounded(text: string, most: number): string {
  const line = visibleLine(
    text
      .slice(0, most * 4)
      .replace(/\s+/g, ' ')
      .trim(),
  )
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
