/** Where the focus goes in the panel: a card that waits never takes it out of the editor or terminal, nor while one is writing. */
import { changeLayout } from '../../state/view/layout.ts'
import { chatDraft } from './draft.ts'

export function claimFocus(card: HTMLElement | null): void {
  const now = document.activeElement
  const inPanel = now?.closest('[data-part="agent"]') != null
  const writing = inPanel && chatDraft.get().text !== ''
  if ((now === null || now === document.body || inPanel) && !writing) card?.focus({ preventScroll: true })
}

/** Into the field, behind what stands in it. A menu that closes gives the focus back first, within two frames. */
export function writeOn(): void {
  changeLayout({ agent: true })
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const field = document.querySelector<HTMLTextAreaElement>('[data-part="agent"] textarea[data-autofocus]')
      field?.focus()
      field?.setSelectionRange(field.value.length, field.value.length)
    }),
  )
}
