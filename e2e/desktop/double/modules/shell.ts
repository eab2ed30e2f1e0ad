/** `shell`: what main asks the system to open, noted for the test. */
import { isAbsolute } from 'node:path'
import { seen, takeAnswer } from '../record.ts'
import { part } from '../typed.ts'

export const shell = part<Electron.Shell>({
  async openExternal(url) {
    if (!URL.canParse(url)) throw new Error('Invalid URL')
    seen.opened.push(url)
    const refused = takeAnswer('openExternal')
    if (refused) throw new Error(String(refused.answer))
  },
  async openPath(path) {
    seen.opened.push(path)
    const prepared = takeAnswer('openPath')
    return prepared ? String(prepared.answer) : ''
  },
  showItemInFolder(path) {
    if (!isAbsolute(path)) throw new Error('electron double: only a full path can be shown')
    seen.shown.push(path)
  },
  beep() {
    seen.beeps += 1
  },
})
