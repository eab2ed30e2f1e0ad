/** Whether the system hands links of ours to this app: only an installed one asks for them, and only while the person lets it. */
import { app } from 'electron'
import { LINK_SCHEME } from './link.ts'

/** What the link says comes after `--`, so that it can never be read as an option. */
const args = ['--']

export function claimLinks(wanted: boolean): void {
  if (!app.isPackaged) return
  if (wanted) app.setAsDefaultProtocolClient(LINK_SCHEME, process.execPath, args)
  else app.removeAsDefaultProtocolClient(LINK_SCHEME, process.execPath, args)
}
