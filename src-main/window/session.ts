/** What the pages' session refuses: permissions, devices, screens, downloads that are not ours, and every byte from elsewhere. */
import type { Session } from 'electron'
import type { Log } from '../../sidecar/base/log.ts'
import { APP_ORIGIN, originOf } from './page-origin.ts'
import { isGranted } from './permissions.ts'

/** Whatever leaves this machine or reads its files. The page's own scheme, blobs and data are not in it. */
const elsewhere = ['http', 'https', 'ws', 'wss', 'ftp', 'file'].map(scheme => `${scheme}://*/*`)

/** Before the first window. Main asks the network nothing in this session either; the updater has one of its own. */
export function lockSession(session: Session, log: Log): void {
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl, isMainFrame }) =>
    answer(isGranted(permission, requestingUrl, isMainFrame)),
  )
  session.setPermissionCheckHandler((_contents, permission, origin, { isMainFrame }) =>
    isGranted(permission, origin, isMainFrame),
  )
  refuseDevices(session)
  session.setSpellCheckerEnabled(false)
  session.on('will-download', (event, item) => {
    if (isOwnDownload(item.getURL())) return
    event.preventDefault()
    log('warn', 'a download was refused', { origin: originOf(item.getURL()) })
  })
  session.webRequest.onBeforeRequest({ urls: elsewhere }, ({ url }, answer) => {
    answer({ cancel: true })
    log('warn', 'a page asked for something from elsewhere', { origin: originOf(url) })
  })
}

/** Without these Electron would choose for the person: the first device, the first port. */
function refuseDevices(session: Session): void {
  session.setDevicePermissionHandler(() => false)
  session.setDisplayMediaRequestHandler((_request, answer) => answer(null))
  session.setBluetoothPairingHandler((_details, answer) => answer({ confirmed: false }))
  session.on('select-serial-port', (event, _ports, _contents, choose) => {
    event.preventDefault()
    choose('')
  })
  session.on('select-hid-device', (event, _details, choose) => {
    event.preventDefault()
    choose(null)
  })
  session.on('select-usb-device', (event, _details, choose) => {
    event.preventDefault()
    choose()
  })
}

/** What the page itself made, as an export of a session is. */
const isOwnDownload = (url: string): boolean => url.startsWith(`blob:${APP_ORIGIN}/`)
