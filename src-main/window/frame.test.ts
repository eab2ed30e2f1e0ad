import type { BrowserWindow } from 'electron'
import { afterEach, describe, expect, test, vi } from 'vitest'

const ground = { page: '#000000', bar: '#111111', signs: '#eeeeee' }
const platform = Object.getOwnPropertyDescriptor(process, 'platform') as PropertyDescriptor
afterEach(() => {
  Object.defineProperty(process, 'platform', platform)
  vi.resetModules()
})
const frameOn = async (value: NodeJS.Platform) => {
  Object.defineProperty(process, 'platform', { ...platform, value })
  return import('./frame.ts')
}
/** What was asked of a window, in order. */
function asked(paint: (window: BrowserWindow) => void): unknown[][] {
  const calls: unknown[][] = []
  paint(
    new Proxy({} as BrowserWindow, {
      get:
        (_, name) =>
        (...args: unknown[]) =>
          void calls.push([name, ...args]),
    }),
  )
  return calls
}

describe.each(['linux', 'win32'] as const)('%s', value => {
  test('the top line is the title bar, under controls of its height and colours', async () => {
    const { frameOptions, paintFrame } = await frameOn(value)
    const titleBarOverlay = { color: '#111111', symbolColor: '#eeeeee', height: 56 }
    expect(frameOptions('custom', ground, 150)).toEqual({ titleBarStyle: 'hidden', titleBarOverlay })
    expect(asked(window => paintFrame(window, 'custom', ground, 150))).toEqual([
      ['setBackgroundColor', '#000000'],
      ['setTitleBarOverlay', titleBarOverlay],
    ])
  })
})

test('on macOS the traffic lights stand in the middle of the line', async () => {
  const { frameOptions, paintFrame } = await frameOn('darwin')
  expect(frameOptions('custom', ground, 100)).toEqual({
    titleBarStyle: 'hidden',
    titleBarOverlay: { height: 37 },
    trafficLightPosition: { x: 14, y: 12 },
  })
  expect(asked(window => paintFrame(window, 'custom', ground, 200))).toEqual([
    ['setBackgroundColor', '#000000'],
    ['setWindowButtonPosition', { x: 14, y: 30 }],
  ])
})

test.each(['linux', 'darwin'] as const)('a native frame on %s is the system’s alone', async value => {
  const { frameOptions, paintFrame } = await frameOn(value)
  expect(frameOptions('native', ground, 100)).toEqual({})
  expect(asked(window => paintFrame(window, 'native', ground, 100))).toEqual([['setBackgroundColor', '#000000']])
})
