/** The same in a browser: its own notifications, where the person let it, and the number on an installed app's icon. */
import { type News, nothingTold, tell, type Waiting } from '#contract/news'
import type { RunCommand } from '../../features/commands.ts'
import { t } from '../../ui/i18n.ts'
import { toast } from '../../ui/index.ts'

/** Beside the page (scripts/bundled-icons.ts). */
const ICON = './icons/icon-192.png'

export interface BrowserNews {
  take(waiting: Waiting): void
}

export function createBrowserNews(run: RunCommand): BrowserNews {
  let told = nothingTold
  let waiting: Waiting = { news: [], badge: false, sound: false, bounce: false }
  const shown = new Map<string, Notification>()
  const say = ({ key, title, body, sessionId }: News) => {
    // The same tag in two tabs is one notification.
    const notification = new Notification(title, { body, icon: ICON, tag: key, silent: !waiting.sound })
    notification.onclick = () => {
      window.focus()
      notification.close()
      void run('agent.openSession', { sessionId })
    }
    shown.set(key, notification)
  }
  const look = () => {
    const next = tell(told, waiting.news, () => document.hasFocus())
    told = next.told
    for (const key of next.close) {
      shown.get(key)?.close()
      shown.delete(key)
    }
    if ('Notification' in window && Notification.permission === 'granted') for (const news of next.show) say(news)
    const count = waiting.badge ? next.count : 0
    if ('setAppBadge' in navigator) void navigator.setAppBadge(count).catch(() => {})
  }
  window.addEventListener('focus', look)
  return {
    take(now) {
      waiting = now
      look()
    },
  }
}

/** A browser asks the person itself, and only where a person has just done something. */
export async function allowNotifications(): Promise<void> {
  if (!('Notification' in window)) return void toast.info(t('app.notificationsNowhere'))
  const answer = await Notification.requestPermission()
  if (answer === 'granted') toast.ok(t('app.notificationsOn'))
  else toast.info(t('app.notificationsOff'))
}
