/** What no page may do, whatever it shows: leave our page, open windows, embed others, choose a device or a certificate. */
import { app, shell } from 'electron'
import type { Log } from '../../sidecar/base/log.ts'
import { checkedExternal } from '../../sidecar/supervise/browser.ts'
import { isOurPage, originOf } from './page-origin.ts'

/**
 * For every web contents, whoever makes it. Nobody answers `certificate-error` and `login`: unanswered, Electron refuses
 * the certificate and gives no password.
 */
export function guardAllPages(log: Log): void {
  app.on('web-contents-created', (_event, contents) => {
    const stay = (event: { preventDefault(): void; url: string }) => {
      if (isOurPage(event.url)) return
      event.preventDefault()
      log('warn', 'a page tried to leave', { origin: originOf(event.url) })
    }
    contents.on('will-navigate', stay)
    contents.on('will-frame-navigate', stay)
    contents.on('will-redirect', stay)
    contents.on('will-attach-webview', event => event.preventDefault())
    contents.on('select-bluetooth-device', (event, _devices, choose) => {
      event.preventDefault()
      choose('')
    })
    contents.setWindowOpenHandler(({ url }) => {
      openOutside(url, log)
      return { action: 'deny' }
    })
    // CSP has no word for WebRTC: without a proxy it reaches nobody.
    contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
  })
  // Unanswered, Electron would send the first certificate it finds.
  app.on('select-client-certificate', (event, _contents, _url, _certificates, choose) => {
    event.preventDefault()
    choose()
  })
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
