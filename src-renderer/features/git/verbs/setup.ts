/** What a repository needs first: to be there, the name of whoever commits, and folders of its own for other branches. */
import type { GitWorktree } from '#contract/git'
import type { RootId } from '#contract/id'
import { belay } from '../../../client/index.ts'
import { t } from '../../../ui/i18n.ts'
import { visibleLine } from '../../../ui/visible.ts'
import { attempt } from '../attempt.ts'
import { news } from '../news.ts'
import { confirmed, typed } from '../questions.ts'
import { here } from '../repository.ts'

export async function initRepository(): Promise<void> {
  const at = here()
  if (await attempt({ name: 'init', rootId: at.rootId, call: () => belay.git.init(at) })) news(t('source.initDone'))
}

/** True when git knows the person then. */
export async function setIdentity(rootId: RootId): Promise<boolean> {
  const at = here(rootId)
  const known = await belay.git.identity(at)
  const values = await typed({
    title: t('source.identity'),
    body: t('source.identityMeans'),
    confirm: t('source.identityDo'),
    fields: [
      { id: 'name', label: t('source.personName'), initial: known.name ?? '' },
      { id: 'email', label: t('source.personEmail'), initial: known.email ?? '' },
      { id: 'all', label: t('source.identityAll'), tick: true, initial: 'yes' },
    ],
  })
  if (!values) return false
  const { name, email, all } = values
  const call = () =>
    belay.git.setIdentity({ ...at, person: { name, email }, scope: all === 'yes' ? 'person' : 'repository' })
  return (await attempt({ name: 'setIdentity', rootId, call })) !== null
}

/** Answers the folder it was made in; null when it was not. */
export async function addWorktree(suggested: string): Promise<string | null> {
  const at = here()
  const values = await typed({
    title: t('source.addWorktree'),
    body: t('source.addWorktreeMeans'),
    confirm: t('source.create'),
    fields: [
      { id: 'folder', label: t('source.worktreeFolder'), initial: suggested },
      { id: 'branch', label: t('source.worktreeBranch') },
      { id: 'create', label: t('source.worktreeCreate'), tick: true, initial: 'yes' },
    ],
  })
  if (!values) return null
  const { folder, branch, create } = values
  const done = await attempt({
    name: 'addWorktree',
    rootId: at.rootId,
    call: () => belay.git.addWorktree({ ...at, folder, branch, create: create === 'yes' }),
    rename: () => addWorktree(folder),
  })
  return done?.folder ?? null
}

export async function removeWorktree({ folder }: GitWorktree): Promise<void> {
  const at = here()
  const sure = await confirmed({
    title: t('source.removeWorktreeAsk', { folder: visibleLine(folder) }),
    body: t('source.removeWorktreeMeans'),
    confirm: t('source.remove'),
    danger: true,
  })
  if (!sure) return
  const call = (force: boolean) => () => belay.git.removeWorktree({ ...at, folder, force })
  const done = await attempt({
    name: 'removeWorktree',
    rootId: at.rootId,
    call: call(false),
    ways: { force: call(true) },
  })
  if (done) news(t('source.worktreeRemoved'))
}
