/** The diff that a person is in: what the commands for lines act on. Set by the page whose editors have or had the focus. */
import type { editor } from 'monaco-editor/editor'
import type { GitDiff } from '#contract/git'
import { belay } from '../../../client/index.ts'
import { t } from '../../../ui/i18n.ts'
import { toast } from '../../../ui/index.ts'
import { attempt } from '../attempt.ts'
import type { DiffArgument } from '../open.ts'
import { here } from '../repository.ts'
import { offerBack } from '../verbs/files.ts'
import { blockAt, blocksOf, linesIn, linesOf, type Span } from './blocks.ts'

export type LineVerb = 'stage' | 'unstage' | 'discard'

export interface FrontDiff {
  readonly argument: DiffArgument
  readonly diff: GitDiff
  readonly editor: editor.IStandaloneDiffEditor
}

let front: FrontDiff | null = null
export const setFrontDiff = (diff: FrontDiff): void => {
  front = diff
}
export const forgetFrontDiff = (editor: editor.IStandaloneDiffEditor): void => {
  if (front?.editor === editor) front = null
}

/** Which verbs fit a diff. */
export const verbsFor = ({ acts }: DiffArgument): readonly LineVerb[] =>
  acts === 'staged' ? ['unstage'] : acts === 'unstaged' ? ['stage', 'discard'] : []

/** For the commands: what is selected, else the block where the caret is. */
export async function takeLines(verb: LineVerb): Promise<void> {
  if (!front || !verbsFor(front.argument).includes(verb)) return void toast.info(t(`source.noLines.${verb}`))
  const { argument, diff } = front
  const { isCaret, ...span } = selected(front.editor)
  const blocks = blocksOf(diff)
  const block = isCaret ? blockAt(blocks, span.side, span.from) : null
  const lines = block ? linesOf(block) : isCaret ? [] : linesIn(blocks, span)
  if (lines.length === 0) toast.info(t('source.noChangeHere'))
  else await takeThese(verb, argument, diff.token, lines)
}

/** Changed lines within a selection; none while there is only a caret. */
export function selectedLines({ diff, editor: shown }: FrontDiff): number[] {
  const { isCaret, ...span } = selected(shown)
  return isCaret ? [] : linesIn(blocksOf(diff), span)
}

function selected(shown: editor.IStandaloneDiffEditor): Span & { isCaret: boolean } {
  const old = shown.getOriginalEditor()
  const side = old.hasTextFocus() ? 'old' : 'new'
  const selection = (side === 'old' ? old : shown.getModifiedEditor()).getSelection()
  if (!selection) return { side, from: 1, to: 1, isCaret: true }
  const { startLineNumber: from, endLineNumber, endColumn } = selection
  // A selection that ends before a line's first character does not hold that line.
  const to = endColumn === 1 && endLineNumber > from ? endLineNumber - 1 : endLineNumber
  return { side, from, to, isCaret: selection.isEmpty() }
}

export async function takeThese(
  verb: LineVerb,
  { rootId, path }: DiffArgument,
  token: string,
  lines: readonly number[],
): Promise<void> {
  const at = here(rootId)
  const wish = { ...at, path, token, lines: [...lines].sort((a, b) => a - b) }
  if (verb === 'stage') await attempt({ name: 'stage', rootId, call: () => belay.git.stageLines(wish) })
  else if (verb === 'unstage') await attempt({ name: 'unstage', rootId, call: () => belay.git.unstageLines(wish) })
  else {
    const done = await attempt({ name: 'discard', rootId, call: () => belay.git.discardLines(wish) })
    if (done) offerBack(at, [done.undoId], 1)
  }
}
