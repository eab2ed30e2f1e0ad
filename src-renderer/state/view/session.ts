/** Which session the agent panel shows; remembered per workspace. Null: a new one that starts with the first prompt. */
import type { SessionId } from '#contract/id'
import { flushView, type Remembered, remembered } from './remember.ts'

export const currentSession: Remembered<SessionId | null> = remembered<SessionId | null>('session', null)
// At once: a conversation that has begun is what a person looks for after a crash.
currentSession.on(() => void flushView())
export const useSessionId = (): SessionId | null => currentSession.use()
