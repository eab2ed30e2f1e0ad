/** When a card that waits for a person may take the focus: never out of the editor or terminal, never while one is writing. */
import { chatDraft } from './draft.ts'

export function claimFocus(card: HTMLElement | null): void {
  const now = document.activeElement
  const inPanel = now?.closest('[data-part="agent"]') != null
  const writing = inPanel && chatDraft.get().text !== ''
  if ((now === null || now === document.body || inPanel) && !writing) card?.focus({ preventScroll: true })
}
