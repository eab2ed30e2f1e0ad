import { afterEach, expect, test, vi } from 'vitest'

const app = vi.hoisted(() => ({
  addRecentDocument: vi.fn(),
  setJumpList: vi.fn(),
  dock: { setMenu: vi.fn() },
}))
vi.mock('electron', () => ({ app, Menu: { buildFromTemplate: (items: object[]) => items } }))
const { noteOpened, quoted, showLists } = await import('./recent.ts')

const platform = Object.getOwnPropertyDescriptor(process, 'platform') as PropertyDescriptor
const become = (value: NodeJS.Platform) => Object.defineProperty(process, 'platform', { ...platform, value })
afterEach(() => {
  Object.defineProperty(process, 'platform', platform)
  vi.clearAllMocks()
})
const folders = Array.from({ length: 12 }, (_, at) => ({ folder: `C:\\a b\\${at}`, title: `${at}` }))
const shown = { menus: [], recent: folders, newWindow: 'New Window', recentTitle: 'Folders' }

test('Windows lists the last ten folders and a new window, each argument whole', () => {
  become('win32')
  showLists(shown, () => {})
  const [[recent, tasks]] = app.setJumpList.mock.calls[0] as [{ type: string; items: Electron.JumpListItem[] }[]]
  expect([recent?.type, recent?.items.length, recent?.items[0]?.args]).toEqual(['custom', 10, '-- "C:\\a b\\0"'])
  expect([tasks?.type, tasks?.items.map(({ args }) => args)]).toEqual(['tasks', ['--new-window']])
  expect(quoted('C:\\')).toBe('"C:\\\\"')
  showLists({ ...shown, recent: [] }, () => {})
  expect(app.setJumpList.mock.calls[1]?.[0]).toHaveLength(1)
})

test('the dock opens a window; what was opened is the system’s to list, but on Linux', () => {
  const open = vi.fn()
  become('darwin')
  showLists(shown, open)
  const [[item]] = app.dock.setMenu.mock.calls[0] as [{ label: string; click(): void }[]]
  item?.click()
  noteOpened('/a')
  become('linux')
  noteOpened('/b')
  expect([item?.label, open.mock.calls.length, app.setJumpList.mock.calls.length]).toEqual(['New Window', 1, 0])
  expect(app.addRecentDocument.mock.calls).toEqual([['/a']])
})
