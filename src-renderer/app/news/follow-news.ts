/** Keeps what waits for the person, over all workspaces, and hands it on: to the desktop, which says it, or to the browser. */
import type { SessionId } from '#contract/id'
import type { News, Waiting } from '#contract/news'
import type { SessionSummary } from '#contract/session'
import { host, useConnection } from '../../client/index.ts'
import { showSession } from '../../client/session-pump.ts'
import type { RunCommand } from '../../features/commands.ts'
import { activityMirror } from '../../state/mirror/activity.ts'
import { sessionMirror, sessionNow } from '../../state/mirror/session.ts'
import { settingNow, settingsMirror } from '../../state/mirror/settings.ts'
import { machine } from '../../state/view/machine.ts'
import { localize, t } from '../../ui/i18n.ts'
import { createBrowserNews } from './browser-news.ts'
import { askNews, endNews } from './news-of.ts'

/** Ends that are remembered, and sessions that are read at once for their asks. */
const MOST = 50

/** Call once, when it is known where the window runs. */
export function followNews(run: RunCommand): void {
  const desktop = machine.getState().capabilities?.kind === 'desktop'
  const words = { t, localize, exact: desktop }
  const browser = desktop ? null : createBrowserNews(run)
  /** Read for their asks, or for how they ended. */
  const read = new Map<SessionId, () => void>()
  const busy = new Map<SessionId, SessionSummary>()
  const ending = new Map<SessionId, SessionSummary>()
  const ends = new Map<SessionId, News>()
  let sent = ''

  const hold = (wanted: ReadonlySet<SessionId>) => {
    for (const [id, release] of read)
      if (!wanted.has(id)) {
        read.delete(id)
        release()
      }
    for (const id of [...wanted].slice(0, MOST)) if (!read.has(id)) read.set(id, showSession(id))
  }
  const noteEnds = (working: ReadonlyMap<SessionId, SessionSummary>) => {
    for (const [id, session] of busy) if (!working.has(id)) ending.set(id, session)
    busy.clear()
    for (const [id, session] of working) {
      busy.set(id, session)
      ending.delete(id)
      ends.delete(id)
    }
  }
  const readEnds = () => {
    for (const [id, session] of ending) {
      const mirror = sessionNow(id)
      if (mirror?.status === 'failed') ending.delete(id)
      if (mirror?.status !== 'ready' || mirror.state.facts.running !== null) continue
      ending.delete(id)
      const turn = [...mirror.state.turns.values()].at(-1)
      const news = turn && endNews(session, turn, activityMirror.getState().recent, words)
      if (news) ends.set(id, news)
      for (const first of [...ends.keys()].slice(0, Math.max(0, ends.size - MOST))) ends.delete(first)
    }
  }
  const asks = (asking: readonly SessionSummary[]): News[] =>
    asking.flatMap(session =>
      [...(sessionNow(session.sessionId)?.state.asks.values() ?? [])]
        .filter(ask => ask.answer === null)
        .flatMap(ask => askNews(session, ask, activityMirror.getState().recent, words) ?? []),
    )
  const look = () => {
    const working = activityMirror.getState().sessions.filter(each => each.state !== 'idle' && each.heldBy === null)
    const asking = working.filter(({ state }) => state === 'asking')
    noteEnds(new Map(working.map(session => [session.sessionId, session])))
    const wanted = () => new Set([...asking.map(({ sessionId }) => sessionId), ...ending.keys()])
    hold(wanted())
    readEnds()
    hold(wanted())
    send([...asks(asking), ...ends.values()])
  }
  const send = (news: readonly News[]) => {
    const tells = { ask: settingNow('notifications.asks'), end: settingNow('notifications.ends') }
    const waiting: Waiting = {
      news: news.slice(0, 200).map(each => ({ ...each, tell: tells[each.kind] })),
      badge: settingNow('notifications.badge'),
      sound: settingNow('notifications.sound'),
      bounce: settingNow('notifications.bounce'),
    }
    const text = JSON.stringify(waiting)
    if (text === sent) return
    sent = text
    if (browser) return browser.take(waiting)
    host.host.waiting(waiting).catch(() => {
      sent = ''
    })
  }
  activityMirror.subscribe(look)
  sessionMirror.subscribe(() => read.size > 0 && look())
  settingsMirror.subscribe(look)
  useConnection.subscribe(({ host: state }, before) => {
    if (state !== 'ready' || before.host === 'ready') return
    sent = ''
    look()
  })
  look()
}
