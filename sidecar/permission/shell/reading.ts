/** What a command that only reads looks at. */
import type { Word } from './words.ts'

export interface Reading {
  /** Words that name files or folders. */
  readonly paths: readonly Word[]
  /** It is git: what a repository's own settings make it run counts too. The folders that `-C` names. */
  readonly git?: readonly string[]
  /** It reads nothing, so it does not matter where it runs. */
  readonly anywhere?: boolean
}
