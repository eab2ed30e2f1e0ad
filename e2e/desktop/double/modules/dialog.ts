/** `dialog`: answered as the test has prepared; one that nobody prepared fails the test. */
import { fault, STAYS, seen, takeAnswer } from '../record.ts'
import { part } from '../typed.ts'
import { app } from './app.ts'

type Dialog = Electron.Dialog
type Kind = 'showOpenDialog' | 'showSaveDialog' | 'showMessageBox'
type Options = Electron.MessageBoxOptions & Electron.OpenDialogOptions & Electron.SaveDialogOptions

/** What Electron says of an option of the wrong kind. */
const kinds: Partial<Record<keyof Options, [type: 'string' | 'array', words: string]>> = {
  title: ['string', 'Title must be a string'],
  message: ['string', 'Message must be a string'],
  detail: ['string', 'Detail must be a string'],
  buttonLabel: ['string', 'Button label must be a string'],
  defaultPath: ['string', 'Default path must be a string'],
  checkboxLabel: ['string', 'checkboxLabel must be a string'],
  buttons: ['array', 'Buttons must be an array'],
  properties: ['array', 'Properties must be an array'],
}
const boxes = ['none', 'info', 'warning', 'error', 'question']

function check(kind: Kind, options: Partial<Options>): void {
  if (!app.isReady()) throw new Error('dialog module can only be used after app is ready')
  if (typeof options !== 'object' || options === null) throw new TypeError('Options must be an object')
  for (const [name, [type, words]] of Object.entries(kinds)) {
    const value = options[name as keyof Options]
    if (value !== undefined && !(type === 'array' ? Array.isArray(value) : typeof value === type))
      throw new TypeError(words)
  }
  if (kind === 'showMessageBox' && options.type !== undefined && !boxes.includes(options.type)) {
    throw new TypeError('Invalid message box type')
  }
}

/** `[window, options]` or `[options]`. */
const scripted =
  <T>(kind: Kind) =>
  async (...args: unknown[]): Promise<T> => {
    const options = (args.length > 1 ? args[1] : args[0]) as Partial<Options>
    check(kind, options)
    seen.dialogs.push({ kind, options: plain(options) })
    const prepared = takeAnswer(kind)
    if (!prepared) throw fault(`no answer was prepared for ${kind}: ${options.message ?? options.title ?? ''}`)
    return (prepared.answer === STAYS ? closedBySignal(options) : prepared.answer) as T
  }

/** Open until main itself takes it away: it is cancelled then. */
function closedBySignal({ signal, cancelId = 0 }: Partial<Options>): Promise<Electron.MessageBoxReturnValue> {
  if (!signal) throw fault('a dialog without a signal stays open for ever')
  return new Promise(resolve => {
    const close = () => resolve({ response: cancelId, checkboxChecked: false })
    if (signal.aborted) close()
    else signal.addEventListener('abort', close, { once: true })
  })
}

/** An icon and a signal are no data. */
const plain = ({ icon: _icon, signal: _signal, ...options }: Partial<Options>) => options

export const dialog = part<Dialog>({
  showOpenDialog: scripted<Electron.OpenDialogReturnValue>('showOpenDialog'),
  showSaveDialog: scripted<Electron.SaveDialogReturnValue>('showSaveDialog'),
  showMessageBox: scripted<Electron.MessageBoxReturnValue>('showMessageBox'),
  showErrorBox(title, text) {
    seen.errors.push({ title, text })
    if (process.connected) process.send?.({ box: { title, text } })
  },
})
