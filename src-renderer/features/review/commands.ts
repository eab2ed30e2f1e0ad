/** What the commands of a review do. */
import { changeLayout } from '../../state/view/layout.ts'
import { t } from '../../ui/i18n.ts'
import { toast } from '../../ui/index.ts'
import type { CommandHandlers } from '../feature.ts'
import { decide, decideFile, scopeNow, stepFile, undo } from './acts.ts'
import { sendComments } from './comments.ts'
import { askRevertAll } from './revert-all.ts'
import { filesNow, focusWish, frontPage, openFile, reviewView, scopeOf, THE_LIST } from './review-state.ts'

const onHunk = (what: 'accept' | 'revert' | 'comment') => async () => {
  const page = frontPage()
  if (page) await page.act(what)
  else toast.info(t('review.noFile'))
}
const step = (by: 1 | -1) => () => {
  const page = frontPage()
  if (page) page.step(by)
  else stepFile(by)
}

export const reviewCommands: CommandHandlers = {
  'review.show': argument => {
    if (argument) reviewView.set(view => ({ ...view, kind: argument.latest ? 'turn' : 'session' }))
    changeLayout({ side: true, sidePane: 'review' })
    focusWish.setState({ tabId: THE_LIST })
  },
  'review.openFile': ({ path, focus = true }) => {
    const scope = scopeOf(reviewView.get().kind)
    if (scope && !('uri' in path)) openFile({ scope, path }, focus)
  },
  'review.nextHunk': step(1),
  'review.previousHunk': step(-1),
  'review.nextFile': () => stepFile(1),
  'review.previousFile': () => stepFile(-1),
  'review.acceptHunk': onHunk('accept'),
  'review.revertHunk': onHunk('revert'),
  'review.comment': onHunk('comment'),
  'review.acceptFile': argument => decideFile('accept', argument?.path),
  'review.revertFile': argument => decideFile('revert', argument?.path),
  'review.acceptAll': () => decide('accept', scopeNow(), null),
  'review.revertAll': async () => {
    const scope = scopeNow()
    // What git gives back is not on any record, so it is asked about first.
    if (scope.kind === 'git') askRevertAll(filesNow(scope).length)
    else await decide('revert', scope, null)
  },
  'review.undo': () => undo(scopeNow()),
  'review.sendComments': sendComments,
  'review.toggleInline': () => reviewView.set(view => ({ ...view, inline: !view.inline })),
}
