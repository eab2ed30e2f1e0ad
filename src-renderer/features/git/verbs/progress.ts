/** What is in progress (a merge, a rebase …): go on, skip, or give it up, which asks. And commits picked or taken back. */
import type { RootId } from '#contract/id'
import { settleDocuments } from '../../../client/document-pump.ts'
import { belay } from '../../../client/index.ts'
import { t } from '../../../ui/i18n.ts'
import { toast } from '../../../ui/index.ts'
import { attempt } from '../attempt.ts'
import { news } from '../news.ts'
import { confirmed } from '../questions.ts'
import { here, statusNow } from '../repository.ts'

export async function proceed(how: 'continue' | 'skip' | 'abort', rootId?: RootId): Promise<void> {
  const at = here(rootId)
  const { inProgress } = statusNow(rootId)
  if (!inProgress) return void toast.info(t('source.nothingInProgress'))
  const what = t(`source.inProgress.${inProgress.kind}`)
  if (how === 'abort') {
    const sure = await confirmed({
      title: t('source.abortAsk', { what }),
      body: t('source.abortMeans'),
      confirm: t('source.abortDo'),
      danger: true,
    })
    if (!sure) return
  }
  await settleDocuments()
  const done = await attempt({
    name: how,
    rootId: at.rootId,
    call: (operationId, options) => belay.git.proceed({ ...at, operationId, how }, options),
  })
  if (done) news(t(`source.proceeded.${how}`, { what }))
}

export async function cherryPick(commit: string): Promise<void> {
  const at = here()
  await settleDocuments()
  const done = await attempt({
    name: 'cherryPick',
    rootId: at.rootId,
    call: (operationId, options) => belay.git.cherryPick({ ...at, operationId, commit }, options),
  })
  if (done) news(t('source.picked', { commit: commit.slice(0, 8) }))
}

export async function revertCommit(commit: string): Promise<void> {
  const at = here()
  await settleDocuments()
  const done = await attempt({
    name: 'revert',
    rootId: at.rootId,
    call: (operationId, options) => belay.git.revertCommit({ ...at, operationId, commit }, options),
  })
  if (done) news(t('source.reverted', { commit: commit.slice(0, 8) }))
}
