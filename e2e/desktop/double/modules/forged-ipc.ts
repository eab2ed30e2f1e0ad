/** Words on main's channels that come from elsewhere than the preload of a window: how many ports they were answered with. */
import { part, preventable } from '../typed.ts'
import { ipcMain } from './ipc-main.ts'
import { allWindows } from './open-windows.ts'
import { frameOf } from './web-contents.ts'

export interface Forged {
  /** Where the frame that speaks says it is; the window's own page otherwise. */
  readonly url?: string
  /** Of the window's web contents, or of some that is no window's. */
  readonly stranger?: boolean
  readonly child?: boolean
  readonly gone?: boolean
  readonly times?: number
}

export async function speakAs(channel: string, forged: Forged, args: unknown[]): Promise<number> {
  const contents = allWindows()[0]?.webContents
  if (!contents) throw new Error('no window')
  let given = 0
  const frame = frameOf(forged.url ?? contents.getURL())
  const sender = part<Electron.WebContents>({
    id: forged.stranger ? -1 : contents.id,
    mainFrame: forged.child ? frameOf(contents.getURL()) : frame,
    isDestroyed: () => forged.gone ?? false,
    postMessage: (_channel, _message, ports = []) => {
      given += ports.length
      for (const port of ports) port.close()
    },
  })
  const event = { ...preventable(), sender, senderFrame: forged.gone ? null : frame, ports: [] }
  for (let time = 0; time < (forged.times ?? 1); time++) ipcMain.emit(channel, event, ...args)
  return given
}
