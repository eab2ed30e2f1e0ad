/** Says by the system what waits for the person, and takes it back when it is over: one notification for each, one number for all. */
import { app, type BrowserWindow, Notification } from 'electron'
import { type News, nothingTold, tell, type Waiting } from '#contract/news'
import { withoutSecrets } from '../../sidecar/base/log.ts'
import { showBadge } from './badge.ts'

export interface NewsDesk {
  /** All that waits, as this window knows it; several may know of the same. */
  take(window: BrowserWindow, waiting: Waiting): void
  dispose(): void
}

export function createNewsDesk(options: {
  /** A PNG, for Linux: elsewhere a notification has the app's. */
  icon: string
  /** Whether a window that shows the folder has the focus. */
  isFocused: (folder: string) => boolean
  /** The person clicked on it. */
  open: (news: News) => void
}): NewsDesk {
  const own = process.platform === 'linux' ? { icon: options.icon } : {}
  const known = new Map<BrowserWindow, Waiting>()
  const shown = new Map<string, Notification>()
  let told = nothingTold
  const close = (key: string) => {
    shown.get(key)?.close()
    shown.delete(key)
  }
  const say = (news: News, sound: boolean) => {
    if (!Notification.isSupported()) return
    const { title, body } = plain(news)
    const notification = new Notification({ title, body, silent: !sound, ...own })
    notification.on('click', () => {
      close(news.key)
      options.open(news)
    })
    shown.set(news.key, notification)
    notification.show()
  }
  const look = () => {
    const all = new Map([...known.values()].flatMap(({ news }) => news.map(each => [each.key, each] as const)))
    const next = tell(told, [...all.values()], options.isFocused)
    told = next.told
    for (const key of next.close) close(key)
    const wishes = [...known.values()]
    const sound = wishes.some(each => each.sound)
    for (const news of next.show) say(news, sound)
    const calls = next.show.some(({ kind }) => kind === 'ask') && wishes.some(each => each.bounce)
    showBadge({ count: wishes.some(each => each.badge) ? next.count : 0, calls })
  }
  app.on('browser-window-focus', look)
  return {
    take(window, waiting) {
      if (!known.has(window))
        window.once('closed', () => {
          known.delete(window)
          look()
        })
      known.set(window, waiting)
      look()
    },
    dispose() {
      app.off('browser-window-focus', look)
      for (const key of [...shown.keys()]) close(key)
    },
  }
}

/** Desktops on Linux read the text as markup; what an agent asks is none, and what looks like a key is nobody's business. */
const plain = ({ title, body }: News) => {
  const text = withoutSecrets(body)
  return { title, body: process.platform === 'linux' ? text.replaceAll('<', '‹') : text }
}
