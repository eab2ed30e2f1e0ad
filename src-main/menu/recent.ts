/** What was opened of late, in the system's own lists: the dock's menu, the task bar's jump list, the file manager's recent documents. */
import { app, Menu } from 'electron'
import type { MenuTemplate } from '#contract/host'

/** macOS and Windows keep such a list; elsewhere nothing happens. */
export function noteOpened(folder: string): void {
  if (process.platform !== 'linux') app.addRecentDocument(folder)
}

export function forgetOpened(): void {
  if (process.platform !== 'linux') app.clearRecentDocuments()
}

/** The dock (macOS) or the jump list (Windows), in the language of the window. */
export function showLists({ recent, newWindow, recentTitle }: MenuTemplate, openWindow: () => void): void {
  app.dock?.setMenu(Menu.buildFromTemplate([{ label: newWindow, click: openWindow }]))
  if (process.platform !== 'win32') return
  const task = { type: 'task' as const, program: process.execPath, iconPath: process.execPath, iconIndex: 0 }
  const folders = recent.slice(0, 10).map(({ folder, title }) => ({
    ...task,
    title: title.slice(0, 255),
    description: folder.slice(0, 255),
    args: `-- ${quoted(folder)}`,
  }))
  app.setJumpList([
    ...(folders.length > 0 ? [{ type: 'custom' as const, name: recentTitle, items: folders }] : []),
    { type: 'tasks', items: [{ ...task, title: newWindow, description: newWindow, args: '--new-window' }] },
  ])
}

/** As Windows takes an argument apart: a quote cannot be in a path, and a backslash before the last quote counts twice. */
export const quoted = (path: string): string =>
  `"${path.replaceAll('"', '').replace(/\\+$/, slashes => slashes + slashes)}"`
