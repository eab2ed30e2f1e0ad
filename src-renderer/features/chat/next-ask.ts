/** Whatever waits for a person, one after the other: the transcript brings it into view and the focus to it. */
import { create } from 'zustand'
import type { AskId } from '#contract/id'
import type { SessionState } from '#contract/session-fold'
import { sessionNow } from '../../state/mirror/session.ts'
import { changeLayout } from '../../state/view/layout.ts'
import { currentSession } from '../../state/view/session.ts'
import type { Row } from './rows.ts'

/** What should come into view; a new object each time, so that the same one can be asked for again. */
export const wantedAsk = create<{ readonly wanted: { readonly askId: AskId } | null }>(() => ({ wanted: null }))

/** Does nothing where nothing waits. */
export function showNextAsk(): void {
  const id = currentSession.get()
  const open = [...((id && sessionNow(id)?.state.asks.values()) || [])].filter(ask => ask.answer === null)
  const at = document.activeElement?.closest('[data-ask]')?.getAttribute('data-ask')
  const next = open[(open.findIndex(({ askId }) => askId === at) + 1) % open.length]
  if (!next) return
  changeLayout({ agent: true })
  wantedAsk.setState({ wanted: { askId: next.askId } })
}

/** Where it stands: a row of its own, or the call of a question or plan. -1 when it is not among the rows. */
export function rowOfAsk(rows: readonly Row[], { asks, calls }: SessionState, askId: AskId): number {
  const ask = asks.get(askId)
  if (!ask) return -1
  if (ask.kind === 'permission') return rows.findIndex(row => row.kind === 'ask' && row.askId === askId)
  const itemId = calls.get(ask.callId)
  return rows.findIndex(row => row.kind === 'item' && row.itemId === itemId)
}
