/** `clipboard`: text, of this process alone. */
import { part } from '../typed.ts'
import { app } from './app.ts'

let text = ''

function whenReady(): void {
  if (!app.isReady()) throw new Error('electron double: the clipboard before the app is ready')
}

export const clipboard = part<Electron.Clipboard>({
  async readText() {
    whenReady()
    return text
  },
  async writeText(given) {
    whenReady()
    text = given
  },
  clear() {
    whenReady()
    text = ''
  },
})
