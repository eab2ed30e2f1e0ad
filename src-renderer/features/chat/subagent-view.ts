/** Whose work the panel shows instead of the conversation: a sub-agent's, or one of its own. Looking only: nothing is sent from there. */
import { create } from 'zustand'
import type { SessionId } from '#contract/id'
import type { ToolItem } from '#contract/session-state'
import { currentSession } from '../../state/view/session.ts'

export type Subagent = NonNullable<ToolItem['subagents']>[number]
export interface Looked {
  readonly sessionId: SessionId
  readonly agent: string
  readonly description: string
}

/** The way there: the last one is shown, the one before it is where "back" leads. */
const view = create<{ readonly way: readonly Looked[] }>(() => ({ way: [] }))
// The conversation that they belong to is another one now.
currentSession.on(() => view.setState({ way: [] }))

export const useLooked = (): Looked | null => view(state => state.way.at(-1) ?? null)
export const useDepth = (): number => view(state => state.way.length)
export const lookAt = (looked: Looked): void => view.setState(({ way }) => ({ way: [...way, looked] }))
export const lookBack = (): void => view.setState(({ way }) => ({ way: way.slice(0, -1) }))
export const lookAway = (): void => view.setState({ way: [] })
