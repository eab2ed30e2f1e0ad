/** The end of a conflict: the result is saved and taken as it stands, or one side whole; and the way back. */
import type { WirePath } from '#contract/path'
import { belay } from '../../../client/index.ts'
import { documentState } from '../../../state/mirror/document.ts'
import { t } from '../../../ui/i18n.ts'
import { visibleLine } from '../../../ui/visible.ts'
import type { RunCommand } from '../../commands.ts'
import { attempt, told } from '../attempt.ts'
import { news } from '../news.ts'
import { confirmed } from '../questions.ts'
import { here } from '../repository.ts'
import { bringBack, canBringBack } from '../verbs/files.ts'

/** `left`: places that still hold both sides; then it asks. */
export async function markResolved(run: RunCommand, path: WirePath, left: number): Promise<void> {
  if (left > 0) {
    const sure = await confirmed({
      title: t('source.resolveAsk', { count: left }),
      body: t('source.resolveMeans'),
      confirm: t('source.markResolved'),
      danger: true,
    })
    if (!sure) return
  }
  await run('editor.save')
  // It could not be saved, and the person has been told why.
  if (documentState(path)?.dirty) return
  await resolveAs(path, 'worktree')
}

export async function resolveAs(
  { rootId, path }: WirePath,
  as: 'worktree' | 'ours' | 'theirs' | 'deleted',
): Promise<void> {
  const at = here(rootId)
  const done = await attempt({ name: 'resolve', rootId, call: () => belay.git.resolve({ ...at, path, as }) })
  if (!done) return
  if (done.undoId) canBringBack(at, [done.undoId])
  news(t('source.resolvedToast', { path: visibleLine(path) }), {
    label: t('source.undo'),
    onSelect: () => told(unresolve({ rootId, path })),
  })
}

/** What stood in the file comes back with the toast's Undo. */
export async function unresolve({ rootId, path }: WirePath): Promise<void> {
  const at = here(rootId)
  const done = await attempt({ name: 'unresolve', rootId, call: () => belay.git.unresolve({ ...at, path }) })
  if (!done?.undoId) return
  const undoIds = canBringBack(at, [done.undoId])
  news(t('source.unresolved', { path: visibleLine(path) }), {
    label: t('source.undo'),
    onSelect: () => told(bringBack(at, undoIds)),
  })
}
