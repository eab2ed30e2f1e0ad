/** Which session the agent panel shows; remembered per workspace. Null: a new one that starts with the first prompt. */
import type { SessionId } from '#contract/id'
import { type Remembered, remembered } from './remember.ts'

export const currentSession: Remembered<SessionId | null> = remembered<SessionId | null>('session', null)
export const useSessionId = (): SessionId | null => currentSession.use()
