/** What a rewind is called, would do, and has done, in words. Pure. */
import type { RewindLine, RewindPart, RewindPreview, RewindTarget } from '#contract/head'
import type { Translate } from '../../../ui/i18n.ts'
import { visibleLine } from '../../../ui/visible.ts'
import { type FileChoices, fateOf, isTouched } from './file-choices.ts'

const MOST_CHARS = 40

/** The beginning of a person's words, on one line. */
export function beginning(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? ''
  return visibleLine(line.length > MOST_CHARS ? `${line.slice(0, MOST_CHARS)}…` : line)
}

export function titleWords(t: Translate, to: RewindTarget, preview: RewindPreview | null): string {
  if ('branch' in to) return t('recover.titleBranch')
  const words = preview?.prompt && beginning(preview.prompt.text)
  return words ? t('recover.title', { words }) : t('recover.titlePlain')
}

/** How much it moves: "6 messages and 3 files. You can undo this." */
export function meansWords(t: Translate, what: RewindPart, preview: RewindPreview, choices: FileChoices): string {
  const messages = preview.leaves.messages
  const files = preview.files.lines.filter(line => isTouched(fateOf(line, choices))).length + preview.files.more
  const said = [
    what !== 'files' && messages > 0 && t('recover.messages', { count: messages }),
    what !== 'conversation' && t('recover.filesCount', { count: files }),
  ].filter(part => part !== false)
  const moved = said.length === 2 ? t('recover.both', { a: said[0] ?? '', b: said[1] ?? '' }) : (said[0] ?? '')
  return t(what === 'files' ? 'recover.meansFiles' : what === 'conversation' ? 'recover.meansTalk' : 'recover.means', {
    what: moved,
  })
}

/** What became of it, as the core tells it: between the question and the deed a file may have changed. */
export function doneWords(t: Translate, what: RewindPart, files: readonly RewindLine[]): string {
  if (what === 'conversation') return t('recover.doneTalk')
  const count = (...actions: RewindLine['action'][]) => files.filter(({ action }) => actions.includes(action)).length
  const said = [
    ['restored', count('restore')],
    ['removed', count('remove')],
    ['merged', count('merge')],
    ['kept', count('keep', 'cannot')],
  ] as const
  const parts = said.flatMap(([name, number]) => (number > 0 ? [t(`recover.done.${name}`, { count: number })] : []))
  return t('recover.doneFiles', { what: parts.join(t('recover.join')) || t('recover.done.none') })
}
