/** Every permission Electron knows, one by one. The compiler wants a line here for each that a later version brings. */
import { expect, test } from 'vitest'
import { isGranted, type Permission } from './permissions.ts'

const expected: Readonly<Record<Permission, boolean>> = {
  ar: false,
  'automatic-fullscreen': false,
  'background-fetch': false,
  'background-sync': false,
  'captured-surface-control': false,
  'clipboard-read': true,
  'clipboard-sanitized-write': true,
  'deprecated-sync-clipboard-read': false,
  'display-capture': false,
  fileSystem: false,
  fullscreen: false,
  geolocation: false,
  'geolocation-approximate': false,
  'hand-tracking': false,
  hid: false,
  'idle-detection': false,
  keyboardLock: false,
  'local-fonts': false,
  'local-network': false,
  'local-network-access': false,
  'loopback-network': false,
  media: false,
  mediaKeySystem: false,
  midi: false,
  midiSysex: false,
  nfc: false,
  notifications: false,
  openExternal: false,
  'payment-handler': false,
  'periodic-background-sync': false,
  'persistent-storage': false,
  pointerLock: false,
  'screen-wake-lock': false,
  sensors: false,
  serial: false,
  'smart-card': false,
  'speaker-selection': false,
  'storage-access': false,
  'system-wake-lock': false,
  'top-level-storage-access': false,
  usb: false,
  vr: false,
  'web-app-installation': false,
  'web-printing': false,
  'window-management': false,
  unknown: false,
}
const every = Object.keys(expected) as Permission[]
const grantedTo = (url: string, isMainFrame = true) => every.filter(each => isGranted(each, url, isMainFrame))

test('our page has the clipboard and nothing else; a name of tomorrow is denied', () => {
  expect(Object.fromEntries(every.map(each => [each, isGranted(each, 'app://belay/', true)]))).toEqual(expected)
  expect(isGranted('direct-brain-access' as Permission, 'app://belay/', true)).toBe(false)
})

test.each([
  'https://example.org/',
  'app://belay.example.org/',
  'app://other/',
  'app://person@belay/',
  'http://belay/',
  'file:///etc/passwd',
  'data:text/html,app://belay/',
  'blob:app://belay/1',
  'about:blank',
  'null',
  '',
])('%s has none, and no frame within our page has any', url => {
  expect(grantedTo(url)).toEqual([])
  expect(grantedTo('app://belay/index.html', false)).toEqual([])
})
