/** What main asked of the machine, for a test to look at; the answers a test has prepared; and what fails the test. */

export interface Seen {
  readonly opened: string[]
  readonly shown: string[]
  readonly beeps: number
  readonly notes: Electron.NotificationConstructorOptions[]
  readonly errors: { title: string; text: string }[]
  readonly dialogs: { kind: string; options: DialogOptions }[]
  readonly badge: number
  readonly jumpList: Electron.JumpListCategory[] | null
  readonly userTasks: Electron.Task[]
  readonly recent: string[]
  readonly schemes: string[]
  readonly relaunched: Electron.RelaunchOptions[]
  readonly userModelId: string
  readonly dock: { badge: string; bounces: string[]; menu: string[] }
  readonly awake: string[]
  readonly downloads: string[]
}
type DialogOptions = Partial<Electron.MessageBoxOptions & Electron.OpenDialogOptions & Electron.SaveDialogOptions>

type Writable<T> = { -readonly [K in keyof T]: T[K] }
export const seen: Writable<Seen> = {
  opened: [],
  shown: [],
  beeps: 0,
  notes: [],
  errors: [],
  dialogs: [],
  badge: 0,
  jumpList: null,
  userTasks: [],
  recent: [],
  schemes: [],
  relaunched: [],
  userModelId: '',
  dock: { badge: '', bounces: [], menu: [] },
  awake: [],
  downloads: [],
}

/** What a person, or the system, will answer. */
const answers: { kind: string; answer: unknown }[] = []
export const prepareAnswer = (kind: string, answer: unknown): void => void answers.push({ kind, answer })

export function takeAnswer(kind: string): { answer: unknown } | undefined {
  const at = answers.findIndex(each => each.kind === kind)
  return at < 0 ? undefined : answers.splice(at, 1)[0]
}

/** Prepared for a message box that nobody answers. */
export const STAYS = 'stays'

export const faults: string[] = []

/** Fails the test that runs the app, also when main swallows the error. */
export function fault(words: string): Error {
  const error = new Error(`electron double: ${words}`)
  faults.push(error.message)
  if (process.connected) process.send?.({ fault: error.message })
  else console.error(error.message)
  return error
}
