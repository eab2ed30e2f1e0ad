import { expect, it } from 'vitest'
import { engineOf } from './about-dialog.tsx'

it.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) belay/0.1.0 Chrome/142.0.0.0 Electron/45.5.0 Safari/537.36',
    'Electron 45.5.0, Chrome 142.0.0.0',
  ],
  ['Mozilla/5.0 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36', 'Chrome 156.0.0.0'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox 140.0'],
  ['Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15', 'Safari 18.1'],
  ['Something of my own', 'Something of my own'],
])('names what draws the window: %s', (userAgent, engine) => {
  expect(engineOf(userAgent)).toBe(engine)
})
