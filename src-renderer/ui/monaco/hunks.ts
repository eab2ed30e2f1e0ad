/** Where two models differ, told by who knows it: then Monaco does not look for itself, and hunks are the same everywhere. */
import type { editor } from 'monaco-editor/editor'

/** Lines [from, to), from 0. */
export interface LineSpan {
  readonly from: number
  readonly to: number
}
export interface Hunk {
  readonly id: string
  readonly base: LineSpan
  readonly now: LineSpan
}

interface Known {
  readonly original: editor.ITextModel
  readonly hunks: readonly Hunk[]
  /** Of both models: after another change it is no longer known. */
  readonly versions: string
}
const known = new WeakMap<editor.ITextModel, Known>()
const versionsOf = (original: editor.ITextModel, modified: editor.ITextModel) =>
  `${original.getVersionId()} ${modified.getVersionId()}`

/** Called after both models have the texts that these hunks are of. */
export function setHunks(original: editor.ITextModel, modified: editor.ITextModel, hunks: readonly Hunk[]): void {
  known.set(modified, { original, hunks, versions: versionsOf(original, modified) })
}

/** Null where Monaco has to look for itself. */
export function hunksBetween(original: editor.ITextModel, modified: editor.ITextModel): readonly Hunk[] | null {
  const found = known.get(modified)
  return found && found.original === original && found.versions === versionsOf(original, modified) ? found.hunks : null
}
