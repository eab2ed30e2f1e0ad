/** What is being written and was not sent: kept per workspace, survives a reload. Pasted bytes stay in this window alone. */
import { create } from 'zustand'
import type { AnyPath } from '#contract/path'
import type { PromptPart } from '#contract/session'
import { keptPerWorkspace } from '../../state/view/per-workspace.ts'
import { type Remembered, remembered } from '../../state/view/remember.ts'

export interface ChatDraft {
  readonly text: string
  readonly paths: readonly AnyPath[]
}
const empty: ChatDraft = { text: '', paths: [] }
export const chatDraft: Remembered<ChatDraft> = remembered<ChatDraft>('chat.draft', empty)
export const clearDraft = (): void => chatDraft.set(empty)

export type PastedBytes = Extract<PromptPart, { kind: 'bytes' }>
export const pasted = create<{ readonly files: readonly PastedBytes[] }>(() => ({ files: [] }))
keptPerWorkspace(pasted)

/** What arrived goes out of the field, and nothing else: what was written while it was on its way stays. */
export function takeOut(sent: ChatDraft, files: readonly PastedBytes[]): void {
  chatDraft.set(({ text, paths }) => ({
    text: sent.text !== '' && text.startsWith(sent.text) ? text.slice(sent.text.length).trimStart() : text,
    paths: paths.filter(path => !sent.paths.includes(path)),
  }))
  pasted.setState(({ files: all }) => ({ files: all.filter(file => !files.includes(file)) }))
}

/** Bytes of one pasted or dropped file; larger ones are refused with words by the caller. */
export const MAX_PASTE_BYTES = 10 * 1024 * 1024

export function addToDraft({ text, path }: { text?: string | undefined; path?: AnyPath | undefined }): void {
  chatDraft.set(draft => ({
    text: text ? (draft.text ? `${draft.text.trimEnd()}\n${text}` : text) : draft.text,
    paths: path ? [...draft.paths, path] : draft.paths,
  }))
}
