/** Branches and tags: switch, create, rename, delete, merge, rebase. What stands in the way can be taken along or forced. */
import type { GitBranch } from '#contract/git'
import { settleDocuments } from '../../../client/document-pump.ts'
import { belay } from '../../../client/index.ts'
import { t } from '../../../ui/i18n.ts'
import { visibleLine } from '../../../ui/visible.ts'
import { attempt, told } from '../attempt.ts'
import { news } from '../news.ts'
import { typed } from '../questions.ts'
import { here } from '../repository.ts'

export async function switchTo(to: string, detach = false): Promise<void> {
  const at = here()
  await settleDocuments()
  const call = (stash: boolean) => () => belay.git.switch({ ...at, to, detach, stash })
  const done = await attempt({ name: 'switch', rootId: at.rootId, call: call(false), ways: { stash: call(true) } })
  if (done) news(t('source.switched', { branch: visibleLine(done.branch ?? to) }))
}

/** Without a name it is asked for. `from`: where it begins, else at HEAD. */
export async function createBranch(name?: string, from?: string): Promise<void> {
  const at = here()
  const wanted = name ?? (await askName(from))
  if (!wanted) return
  const done = await attempt({
    name: 'createBranch',
    rootId: at.rootId,
    call: () => belay.git.createBranch({ ...at, name: wanted, ...(from ? { from } : {}) }),
    rename: () => createBranch(undefined, from),
  })
  if (done) news(t('source.branchCreated', { branch: visibleLine(wanted) }))
}

const askName = async (from?: string): Promise<string | undefined> =>
  (
    await typed({
      title: from ? t('source.createBranchFrom', { from: visibleLine(from) }) : t('source.createBranch'),
      confirm: t('source.create'),
      fields: [{ id: 'name', label: t('source.branchName') }],
    })
  )?.name

export async function renameBranch(name: string): Promise<void> {
  const at = here()
  const values = await typed({
    title: t('source.renameBranchOf', { branch: visibleLine(name) }),
    confirm: t('source.rename'),
    fields: [{ id: 'name', label: t('source.newBranchName'), initial: name }],
  })
  if (!values || values.name === name) return
  const call = () => belay.git.renameBranch({ ...at, name, to: values.name })
  await attempt({ name: 'renameBranch', rootId: at.rootId, call, rename: () => renameBranch(name) })
}

/** What is merged goes at once and can be had back; what is not asks. */
export async function deleteBranch(name: string): Promise<void> {
  const at = here()
  const call = (force: boolean) => () => belay.git.deleteBranch({ ...at, name, force })
  const done = await attempt({
    name: 'deleteBranch',
    rootId: at.rootId,
    call: call(false),
    ways: { force: call(true) },
  })
  if (!done) return
  news(t('source.branchDeleted', { branch: visibleLine(name) }), {
    label: t('source.undo'),
    onSelect: () =>
      told(
        attempt({
          name: 'createBranch',
          rootId: at.rootId,
          call: () => belay.git.createBranch({ ...at, name, from: done.commit, switchTo: false }),
        }),
      ),
  })
}

export async function merge(from: string): Promise<void> {
  const at = here()
  await settleDocuments()
  const done = await attempt({
    name: 'merge',
    rootId: at.rootId,
    call: (operationId, options) => belay.git.merge({ ...at, operationId, from }, options),
  })
  if (done) news(t(`source.merged.${done.result}`, { branch: visibleLine(from) }))
}

export async function rebaseOnto(onto: string): Promise<void> {
  const at = here()
  await settleDocuments()
  const done = await attempt({
    name: 'rebase',
    rootId: at.rootId,
    call: (operationId, options) => belay.git.rebase({ ...at, operationId, onto }, options),
  })
  if (done) news(t('source.rebased', { branch: visibleLine(onto) }))
}

export async function setUpstream(branch: GitBranch, upstream: string | null): Promise<void> {
  const at = here()
  const call = () => belay.git.setUpstream({ ...at, name: branch.name, upstream })
  await attempt({ name: 'setUpstream', rootId: at.rootId, call })
}

export async function createTag(commit?: string): Promise<void> {
  const at = here()
  const values = await typed({
    title: t('source.createTag'),
    confirm: t('source.create'),
    fields: [
      { id: 'name', label: t('source.tagName') },
      { id: 'message', label: t('source.tagMessage'), hint: t('source.tagMessageHint'), optional: true },
    ],
  })
  if (!values) return
  const { name, message } = values
  const call = () => belay.git.createTag({ ...at, name, message, ...(commit ? { at: commit } : {}) })
  const done = await attempt({ name: 'createTag', rootId: at.rootId, call, rename: () => createTag(commit) })
  if (done) news(t('source.tagCreated', { name: visibleLine(name) }))
}

export async function deleteTag(name: string): Promise<void> {
  const at = here()
  const done = await attempt({
    name: 'deleteTag',
    rootId: at.rootId,
    call: () => belay.git.deleteTag({ ...at, name }),
  })
  if (done)
    news(t('source.tagDeleted', { name: visibleLine(name) }), {
      label: t('source.undo'),
      onSelect: () =>
        told(
          attempt({
            name: 'createTag',
            rootId: at.rootId,
            call: () => belay.git.createTag({ ...at, name, at: done.target }),
          }),
        ),
    })
}
