/** How a test sets the machine up that main will find: handed to the double in its environment. */

export interface DoubleOptions {
  readonly platform?: NodeJS.Platform
  readonly packaged?: boolean
  readonly locale?: string
  /** What keeps the keys: `unavailable` where no one does. */
  readonly keychain?: ReturnType<Electron.SafeStorage['getSelectedStorageBackend']> | 'unavailable'
  readonly dark?: boolean
  readonly displays?: readonly Electron.Rectangle[]
  /** What the system says of proxies, in the words of `session.resolveProxy`. */
  readonly proxy?: string
  /** Files that macOS hands over while the app starts, before it is ready. */
  readonly handedOver?: readonly string[]
  /** A page that does not answer for so long is unresponsive. */
  readonly hangMs?: number
  /** So long may main take to be evaluated: a top-level await for the ready app never ends. */
  readonly evaluateMs?: number
  /** A file that main is not evaluated before. */
  readonly waitsFor?: string
}

export const OPTIONS = 'BELAY_ELECTRON_DOUBLE'

export const options: DoubleOptions = JSON.parse(process.env[OPTIONS] ?? '{}')
// Of the double alone: what main starts must not find it.
delete process.env[OPTIONS]

// Before any other module of the double asks.
if (options.platform) Object.defineProperty(process, 'platform', { value: options.platform })
