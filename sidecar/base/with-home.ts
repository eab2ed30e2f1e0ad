import { homedir } from 'node:os'
import { sep } from 'node:path'

/** `~` and `~/x` as the person's own folder. Everything else is left alone. */
export const withHome = (typed: string): string =>
  typed === '~' || typed.startsWith('~/') || (sep === '\\' && typed.startsWith('~\\'))
    ? homedir() + typed.slice(1)
    : typed
