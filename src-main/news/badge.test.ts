import type { BrowserWindow } from 'electron'
import { afterEach, expect, test, vi } from 'vitest'

const electron = vi.hoisted(() => ({
  app: { setBadgeCount: vi.fn(), dock: { bounce: vi.fn() } },
  BrowserWindow: { getAllWindows: vi.fn<() => unknown[]>(() => []) },
  nativeImage: { createFromBitmap: (points: Buffer) => points.length },
}))
vi.mock('electron', () => electron)
const { dot, showBadge } = await import('./badge.ts')

const platform = Object.getOwnPropertyDescriptor(process, 'platform') as PropertyDescriptor
const become = (value: NodeJS.Platform) => Object.defineProperty(process, 'platform', { ...platform, value })
afterEach(() => {
  Object.defineProperty(process, 'platform', platform)
  vi.clearAllMocks()
})

test('Windows has a dot over each window, and those that are not in front flash for an ask', () => {
  become('win32')
  const windows = [true, false].map(focused => ({
    ...{ isFocused: () => focused, setOverlayIcon: vi.fn<BrowserWindow['setOverlayIcon']>(), flashFrame: vi.fn() },
  }))
  electron.BrowserWindow.getAllWindows.mockReturnValue(windows)
  showBadge({ count: 2, calls: true })
  showBadge({ count: 0, calls: false })
  for (const { setOverlayIcon } of windows)
    expect(setOverlayIcon.mock.calls).toEqual([
      [32 * 32 * 4, '2'],
      [null, ''],
    ])
  expect(windows.map(({ flashFrame }) => flashFrame.mock.calls.length)).toEqual([0, 1])
  expect(electron.app.setBadgeCount).not.toHaveBeenCalled()
})

test('elsewhere the app has a number; the dock’s icon moves once, and only for what calls', () => {
  become('darwin')
  showBadge({ count: 3, calls: false })
  showBadge({ count: 4, calls: true })
  expect(electron.app.setBadgeCount.mock.calls).toEqual([[3], [4]])
  expect(electron.app.dock.bounce.mock.calls).toEqual([['informational']])
})

test('the dot is full in its middle and clear in its corners', () => {
  const alpha = (x: number, y: number) => dot(9)[4 * (9 * y + x) + 3]
  expect([alpha(4, 4), alpha(0, 0), alpha(8, 8)]).toEqual([0xff, 0, 0])
})
