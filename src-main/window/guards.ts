/** What no page may do, whatever it shows: leave our page, open windows, embed others, use devices. Denied for every web contents. */
import { app, type Session, shell } from 'electron'
import type { Log } from '../../sidecar/base/log.ts'
import { checkedExternal } from '../../sidecar/supervise/browser.ts'
import { APP_ORIGIN } from './app-scheme.ts'

/** The clipboard, for copying and for pasting into a terminal; nothing else. */
const granted = ['clipboard-read', 'clipboard-sanitized-write']

export function guardAllPages(log: Log): void {
  app.on('web-contents-created', (_event, contents) => {
    const stay = (event: { preventDefault(): void; url: string }) => {
      if (isOurs(event.url)) return
      event.preventDefault()
      log('warn', 'a page tried to leave', { origin: originOf(event.url) })
    }
    contents.on('will-navigate', stay)
    contents.on('will-frame-navigate', stay)
    contents.on('will-redirect', stay)
    contents.on('will-attach-webview', event => event.preventDefault())
    contents.setWindowOpenHandler(({ url }) => {
      openOutside(url, log)
      return { action: 'deny' }
    })
  })
}

export function denyPermissions(session: Session): void {
  const allowed = (permission: string, url: string) => granted.includes(permission) && isOurs(url)
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) =>
    answer(allowed(permission, requestingUrl)),
  )
  session.setPermissionCheckHandler((_contents, permission, origin) => allowed(permission, origin))
  session.setDevicePermissionHandler(() => false)
}

function openOutside(url: string, log: Log): void {
  try {
    void shell
      .openExternal(checkedExternal(url))
      .catch(fault => log('warn', 'a link was not opened', { fault: `${fault}` }))
  } catch {
    log('warn', 'a link of a kind that is never opened', { origin: originOf(url) })
  }
}

/** `new URL('app://belay').origin` is the text "null": compare by hand. */
const isOurs = (url: string) => url === APP_ORIGIN || url.startsWith(`${APP_ORIGIN}/`)
const originOf = (url: string) => url.slice(0, url.indexOf('/', 8) + 1) || url.slice(0, 40)
