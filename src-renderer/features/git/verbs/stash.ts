/** The stash: put away, bring back, take off the list. What is taken off can be had back while git still has it. */
import type { GitStash } from '#contract/git'
import type { RootId } from '#contract/id'
import { settleDocuments } from '../../../client/document-pump.ts'
import { belay } from '../../../client/index.ts'
import { t } from '../../../ui/i18n.ts'
import { toast } from '../../../ui/index.ts'
import { attempt, told } from '../attempt.ts'
import { news } from '../news.ts'
import { typed } from '../questions.ts'
import { type Here, here } from '../repository.ts'

/** Asks for a message and what goes along. */
export async function makeStash(): Promise<void> {
  const at = here()
  const values = await typed({
    title: t('source.stashMake'),
    body: t('source.stashMeans'),
    confirm: t('source.stashDo'),
    fields: [
      { id: 'message', label: t('source.stashMessage'), optional: true },
      { id: 'untracked', label: t('source.stashUntracked'), tick: true, initial: 'yes' },
      { id: 'staged', label: t('source.stashStaged'), tick: true },
    ],
  })
  if (!values) return
  await settleDocuments()
  const { message, untracked, staged } = values
  const call = () =>
    belay.git.stashPush({
      ...at,
      message,
      untracked: untracked === 'yes' && staged !== 'yes',
      staged: staged === 'yes',
    })
  if (await attempt({ name: 'stash', rootId: at.rootId, call })) news(t('source.stashed'))
}

/** Everything, unasked, for a verb that changes stood in the way of. True when they are put away. */
export async function stashAway(rootId: RootId): Promise<boolean> {
  const at = here(rootId)
  await settleDocuments()
  const call = () => belay.git.stashPush(at)
  const done = await attempt({ name: 'stash', rootId, call })
  if (done) toast.info(t('source.stashedAway'))
  return done !== null
}

export async function applyStash(stash: GitStash, drop: boolean): Promise<void> {
  const at = here()
  await settleDocuments()
  const call = () => belay.git.stashApply({ ...at, index: stash.index, stash: stash.oid, drop })
  const done = await attempt({ name: drop ? 'stashPop' : 'stashApply', rootId: at.rootId, call })
  if (done) news(t('source.stashApplied'))
}

export async function dropStash(stash: GitStash): Promise<void> {
  const at = here()
  const call = () => belay.git.stashDrop({ ...at, index: stash.index, stash: stash.oid })
  if (!(await attempt({ name: 'stashDrop', rootId: at.rootId, call }))) return
  news(t('source.stashDropped'), { label: t('source.undo'), onSelect: () => told(restore(at, stash)) })
}

async function restore(at: Here, { oid, message }: GitStash): Promise<void> {
  const call = () => belay.git.stashRestore({ ...at, stash: oid, message })
  await attempt({ name: 'stashRestore', rootId: at.rootId, call })
}
