/** The end of a conflict: the result is saved and taken as it stands, or one side whole; and the way back. */
import type { WirePath } from '#contract/path'
import { belay } from '../../../client/index.ts'
import { documentState } from '../../../state/mirror/document.ts'
import { t } from '../../../ui/i18n.ts'
import type { RunCommand } from '../../commands.ts'
import { attempt, told } from '../attempt.ts'
import { news } from '../news.ts'
import { confirmed } from '../questions.ts'
import { here } from '../repository.ts'

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
  const call = () => belay.git.resolve({ ...here(rootId), path, as })
  if (!(await attempt({ name: 'resolve', rootId, call }))) return
  news(t('source.resolvedToast', { path }), {
    label: t('source.undo'),
    onSelect: () => told(unresolve({ rootId, path })),
  })
}

export async function unresolve({ rootId, path }: WirePath): Promise<void> {
  await attempt({ name: 'unresolve', rootId, call: () => belay.git.unresolve({ ...here(rootId), path }) })
}
