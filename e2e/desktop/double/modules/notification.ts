/** `Notification`: noted for the test, which may click on it. */
import { EventEmitter } from 'node:events'
import { seen } from '../record.ts'
import { type EventsOf, part, preventable } from '../typed.ts'
import { app } from './app.ts'

type Note = Electron.Notification

const shown: Notification[] = []

export class Notification
  extends EventEmitter<EventsOf<Note>>
  implements Pick<Note, 'body' | 'close' | 'show' | 'silent' | 'title'>
{
  readonly #options: Electron.NotificationConstructorOptions
  title: string
  body: string
  silent: boolean

  static isSupported(): boolean {
    return true
  }
  /** @internal Those that the person can see now. */
  static texts(): string[] {
    return shown.map(({ title, body }) => `${title}: ${body}`)
  }
  /** @internal The person clicks on the note with these words. */
  static click(title: string): void {
    const note = shown.findLast(each => each.title === title)
    if (!note) throw new Error(`no notification ${title}`)
    note.emit('click', preventable())
  }

  constructor(options: Electron.NotificationConstructorOptions = {}) {
    super()
    if (!app.isReady()) throw new Error('Cannot create Notification before app is ready')
    this.#options = options
    this.title = options.title ?? ''
    this.body = options.body ?? ''
    this.silent = options.silent ?? false
  }
  show(): void {
    shown.push(this)
    const { icon: _icon, ...plain } = this.#options
    seen.notes.push(plain)
    setImmediate(() => this.emit('show', preventable()))
  }
  close(): void {
    if (!shown.includes(this)) return
    shown.splice(shown.indexOf(this), 1)
    setImmediate(() => this.emit('close', part<Parameters<typeof this.emit<'close'>>[1]>({})))
  }
}
