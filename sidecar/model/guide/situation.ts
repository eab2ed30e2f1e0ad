/** What a plan starts from and what it answers: the words between the guide's parts. */
import type { Seen } from './seen.ts'
import type { Words } from './words.ts'

export interface Call {
  readonly tool: string
  readonly arguments: Record<string, unknown>
}
export type Step = { say: string; calls: Call[] } | { say: string; calls?: undefined }

export interface Situation {
  readonly seen: readonly Seen[]
  /** Writes of earlier turns, oldest first, that were done. */
  readonly writes: readonly Seen[]
  readonly words: Words
}
