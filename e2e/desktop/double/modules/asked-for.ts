/** What Electron gives a page that asks for a device, a screen or a certificate: the handlers' answers, and its own where there is none. */
import { part, preventable } from '../typed.ts'
import { app } from './app.ts'
import { allWindows } from './open-windows.ts'
import { defaultSession } from './session.ts'

type Answer = string | boolean | null
type Asking = (event: Electron.Event, choose: (chosen?: unknown) => void) => void

/** Electron takes the first where a listener neither prevents that nor chooses. */
function chosen(ask: Asking): Promise<Answer> {
  const event = preventable()
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('the default was prevented, and nothing chosen')), 5000).unref()
    ask(event, what => resolve(what === undefined || what === '' || what === null ? null : String(what)))
    if (!event.defaultPrevented) resolve('the first')
  })
}

/** By name: what a page gets. Null is nothing. */
export async function askForEach(): Promise<Record<string, Answer>> {
  const session = defaultSession()
  const contents = allWindows()[0]?.webContents
  if (!contents) throw new Error('no window')
  const { handlers } = session
  const device = part<Electron.DevicePermissionHandlerHandlerDetails>({ deviceType: 'usb', origin: 'app://belay' })
  return {
    remembered: handlers.device?.(device) ?? true,
    screen: await new Promise(resolve =>
      handlers.display
        ? handlers.display(part<Electron.DisplayMediaRequestHandlerHandlerRequest>({ videoRequested: true }), streams =>
            resolve(streams && 'a screen'),
          )
        : resolve(null),
    ),
    pairing: await new Promise(resolve =>
      handlers.bluetooth
        ? handlers.bluetooth(
            part<Electron.BluetoothPairingHandlerHandlerDetails>({ pairingKind: 'confirm' }),
            ({ confirmed }) => resolve(confirmed),
          )
        : resolve(false),
    ),
    bluetooth: await chosen((event, choose) => contents.emit('select-bluetooth-device', event, [{}], choose)),
    serial: await chosen((event, choose) => session.emit('select-serial-port', event, [], contents, choose)),
    hid: await chosen((event, choose) =>
      session.emit('select-hid-device', event, part<Electron.SelectHidDeviceDetails>({ deviceList: [] }), choose),
    ),
    usb: await chosen((event, choose) =>
      session.emit('select-usb-device', event, part<Electron.SelectUsbDeviceDetails>({ deviceList: [] }), choose),
    ),
    certificate: await chosen((event, choose) =>
      app.emit('select-client-certificate', event, contents, 'https://example.org/', [], choose),
    ),
    // Unanswered, Electron refuses both.
    badCertificate: app.listenerCount('certificate-error') > 0,
    password: app.listenerCount('login') > 0,
    webview: await new Promise(resolve => {
      const event = preventable()
      contents.emit('will-attach-webview', event, {}, {})
      resolve(!event.defaultPrevented)
    }),
  }
}
