/** The verbs that move the head of the shown conversation, as commands run them. Rejections carry words and are shown by the runner. */

import { BelayError } from '#contract/error'
import type { RewindTarget } from '#contract/head'
import type { ItemId, SessionId } from '#contract/id'
import type { SessionState } from '#contract/session-fold'
import { undoableMove } from '#contract/session-moves'
import { settleDocuments } from '../../../client/document-pump.ts'
import { belay } from '../../../client/index.ts'
import { sessionNow } from '../../../state/mirror/session.ts'
import { changeLayout } from '../../../state/view/layout.ts'
import { currentSession } from '../../../state/view/session.ts'
import { t } from '../../../ui/i18n.ts'
import { toast } from '../../../ui/index.ts'
import { takeAgain } from './give-back.ts'
import { editedPrompt, recoverView } from './recover-view.ts'
import { canContinue, lastPromptOf, lastTurnOf } from './turn-items.ts'

/** The session that is shown. Throws with words where there is none, or nothing was said in it. */
export function shownSession(): { sessionId: SessionId; state: SessionState } {
  const sessionId = currentSession.get()
  const state = sessionId && sessionNow(sessionId)?.state
  if (!sessionId || !state) throw new BelayError('not_found', t('chat.nothingSaid'))
  return { sessionId, state }
}

export function askRewind(to?: RewindTarget): void {
  const { sessionId, state } = shownSession()
  if (!to && state.path.length === 0) throw new BelayError('not_found', t('chat.nothingSaid'))
  recoverView.setState({ rewind: { sessionId, to: to ?? { turns: 1 } } })
}

/** With that item as its last, or from before it; without one from where the conversation stands. */
export function askFork(asked: { itemId?: ItemId; before?: boolean; title?: string }): void {
  const { sessionId, state } = shownSession()
  const item = asked.itemId && state.items.get(asked.itemId)
  if (!item || !asked.before) {
    const fork = { sessionId, atItemId: item?.id ?? state.facts.head, prompt: null, title: asked.title ?? null }
    recoverView.setState({ fork })
    return
  }
  const isPrompt = item.kind === 'message' && item.role === 'user'
  const prompt = isPrompt ? { text: item.text, attachments: item.attachments } : null
  recoverView.setState({ fork: { sessionId, atItemId: item.parentId, prompt, title: asked.title ?? null } })
}

/** Words that the move had put into the field leave it again, where they still stand there as they were. */
export async function undoRewind(): Promise<void> {
  const { sessionId, state } = shownSession()
  const move = undoableMove(state.facts)
  if (!move) throw new BelayError('not_found', t('chat.nothingToUndo'))
  await settleDocuments()
  const { files } = await belay.head.undo({ sessionId, moveId: move.requestId })
  takeAgain()
  const kept = files.filter(({ action }) => action === 'keep' || action === 'cannot').length
  toast.ok(kept > 0 ? t('chat.undoneBut', { count: kept }) : t('chat.undone'))
}

export async function rerun(itemId?: ItemId): Promise<void> {
  const { sessionId } = shownSession()
  await settleDocuments()
  await belay.head.rerun({ sessionId, requestId: crypto.randomUUID(), ...(itemId ? { itemId } : {}) })
}

export async function goOn(): Promise<void> {
  const { sessionId, state } = shownSession()
  const turn = lastTurnOf(state)
  if (!turn || !canContinue(state, turn.turnId)) throw new BelayError('invalid', t('chat.nothingToContinue'))
  await settleDocuments()
  await belay.head.continue({ sessionId, requestId: crypto.randomUUID() })
}

export function editPrompt(itemId?: ItemId): void {
  const { state } = shownSession()
  const item = itemId ? state.items.get(itemId) : lastPromptOf(state)
  if (item?.kind !== 'message') throw new BelayError('not_found', t('chat.nothingSaid'))
  changeLayout({ agent: true })
  const { id, text, attachments } = item
  editedPrompt.set({ itemId: id, text, attachments })
}

/** To another prompt or answer: what was there stays where it is, and so do the files. */
export async function switchBranch(sessionId: SessionId, itemId: ItemId): Promise<void> {
  const to = { branch: itemId }
  await belay.head.rewind({ sessionId, requestId: crypto.randomUUID(), to, what: 'conversation', merge: [], leave: [] })
}

/** To the neighbour at the last place where the conversation went on in more than one way. */
export async function stepBranch(by: 1 | -1): Promise<void> {
  const { sessionId } = shownSession()
  const { points } = await belay.head.branches({ sessionId })
  const point = points.findLast(({ branches }) => branches.length > 1 && branches.some(({ current }) => current))
  const at = point?.branches.findIndex(({ current }) => current) ?? -1
  const next = point?.branches[at + by]
  if (!next) throw new BelayError('not_found', t(point ? 'chat.noMoreBranches' : 'chat.noBranches'))
  await switchBranch(sessionId, next.itemId)
}

/** `focus`: what should be kept in view. What it came to is told by the conversation itself. */
export async function compact(focus?: string): Promise<void> {
  const { sessionId } = shownSession()
  const { outcome } = await belay.session.compact({ sessionId, ...(focus ? { focus } : {}) })
  if (outcome === 'nothing' || outcome === 'next_step') toast.info(t(`chat.compact.${outcome}`))
}
