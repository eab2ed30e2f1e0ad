/** Which of the browser's permissions a page has. One that is not named here is denied, also one that a later Electron brings. */
import type { Session } from 'electron'
import { isOurs } from './page-origin.ts'

export type Permission = Parameters<NonNullable<Parameters<Session['setPermissionRequestHandler']>[0]>>[1]

/** The clipboard, for copying and for pasting into a terminal; nothing else. */
const granted: readonly Permission[] = ['clipboard-read', 'clipboard-sanitized-write']

/** `url` is the asking frame's, or its origin. Only the top frame of our own page is ever granted anything. */
export const isGranted = (permission: Permission, url: string, isMainFrame: boolean): boolean =>
  granted.includes(permission) && isMainFrame && isOurs(url)
