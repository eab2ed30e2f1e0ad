/** What of an asked call a person may change: its arguments, as they stand in this session's log or came with the ask. */
import type { CallId, SessionId } from '#contract/id'
import type { AskedCall } from '#contract/session-event'
import type { ToolItem } from '#contract/session-state'
import { sessionMirror } from '../../../state/mirror/session.ts'
import { localize } from '../../../ui/i18n.ts'
import { argumentsOf } from '../tool-words.ts'

export type CallArguments = Readonly<Record<string, unknown>>

export const useCallItem = (sessionId: SessionId, callId: CallId): ToolItem | undefined =>
  sessionMirror(({ sessions }) => {
    const state = sessions[sessionId]?.state
    const itemId = state?.calls.get(callId)
    const item = itemId && state?.items.get(itemId)
    return item?.kind === 'tool' ? item : undefined
  })

/** Null where there is nothing to change: a host that a running command waits for, a call whose arguments are not at hand. */
export function useArguments(sessionId: SessionId, call: AskedCall): CallArguments | null {
  const item = useCallItem(sessionId, call.callId)
  if (call.kind === 'network') return null
  if (isRecord(call.arguments)) return call.arguments
  const args = item ? argumentsOf(item) : {}
  return Object.keys(args).length > 0 ? args : null
}

const isRecord = (value: unknown): value is CallArguments =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A command is edited as text; everything else as JSON. */
export const commandIn = (call: AskedCall, args: CallArguments): string | null =>
  (call.kind === 'command' || call.kind === 'unjailed') && typeof args.command === 'string' ? args.command : null

/** The arguments that an edited text means, or what is wrong with it (in the browser's words, with the place). */
export function readEdited(
  call: AskedCall,
  args: CallArguments,
  text: string,
): { args: CallArguments } | { problem: string } {
  if (commandIn(call, args) !== null) return { args: { ...args, command: text } }
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? { args: value } : { problem: '{ … }' }
  } catch (fault) {
    return { problem: localize((fault as Error).message) }
  }
}
