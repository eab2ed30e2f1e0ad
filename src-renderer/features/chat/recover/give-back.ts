/** Words that are free again go back to the field where it is empty: what a person is writing is never written over. */
import type { FreedPrompt } from '#contract/head'
import type { SessionId } from '#contract/id'
import type { Attachment } from '#contract/session-event'
import { belay } from '../../../client/index.ts'
import { remembered } from '../../../state/view/remember.ts'
import { chatDraft, clearDraft, type PastedBytes, pasted } from '../draft.ts'

/** What was put into the field by a rewind: taken out again by its undo, where it still stands there as it was. */
const given = remembered<string | null>('chat.given', null)

export const isFieldEmpty = (): boolean => {
  const { text, paths } = chatDraft.get()
  return text.trim() === '' && paths.length === 0 && pasted.getState().files.length === 0
}

/** True: they are in the field now. Attachments whose bytes cannot be had any more are left out. */
export async function giveBack(sessionId: SessionId, prompt: FreedPrompt): Promise<boolean> {
  if (!isFieldEmpty()) return false
  const { text, attachments } = prompt
  chatDraft.set({ text, paths: attachments.flatMap(({ path }) => path ?? []) })
  given.set(text)
  const files = await Promise.all(attachments.map(each => bytesOf(sessionId, each).catch(() => null)))
  if (chatDraft.get().text === text) pasted.setState({ files: files.filter(file => file !== null) })
  return true
}

export function takeAgain(): void {
  if (given.get() !== null && chatDraft.get().text === given.get()) {
    clearDraft()
    pasted.setState({ files: [] })
  }
  given.set(null)
}

async function bytesOf(sessionId: SessionId, { blobId, name, mediaType }: Attachment): Promise<PastedBytes | null> {
  if (!blobId) return null
  const { base64 } = await belay.session.blobBytes({ sessionId, blobId })
  return { kind: 'bytes', name, mediaType, base64 }
}
