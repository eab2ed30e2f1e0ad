/** The message being written, and the commit made of it. The draft outlives a reload, and a commit that was refused. */
import type { RootId } from '#contract/id'
import { settleDocuments } from '../../../client/document-pump.ts'
import { belay } from '../../../client/index.ts'
import { flushView, remembered } from '../../../state/view/remember.ts'
import { t } from '../../../ui/i18n.ts'
import { toast } from '../../../ui/index.ts'
import { attempt, told } from '../attempt.ts'
import { news } from '../news.ts'
import { confirmed } from '../questions.ts'
import { type Here, here, statusNow } from '../repository.ts'

export interface CommitDraft {
  readonly message: string
  readonly amend: boolean
}
const emptyDraft: CommitDraft = { message: '', amend: false }
type Drafts = Readonly<Record<string, CommitDraft>>
const noDrafts: Drafts = {}
/** By root. */
const drafts = remembered<Drafts>('gitDrafts', noDrafts)
export const signsOff = remembered<boolean>('gitSignOff', false)

export const useDraft = (rootId: RootId): CommitDraft => drafts.use(all => all[rootId] ?? emptyDraft)
export const draftNow = (rootId: RootId): CommitDraft => drafts.get()[rootId] ?? emptyDraft
export const changeDraft = (rootId: RootId, to: Partial<CommitDraft>): void =>
  drafts.set(all => ({ ...all, [rootId]: { ...(all[rootId] ?? emptyDraft), ...to } }))

/** Turns amending on or off. On, an empty message begins as that of the last commit; off, one left as it was goes. */
export async function toggleAmend(): Promise<void> {
  const at = here()
  const { amend, message } = draftNow(at.rootId)
  const { message: last } = await belay.git.commitMessage({ ...at, amend: true })
  if (amend) changeDraft(at.rootId, { amend: false, message: message.trim() === last.trim() ? '' : message })
  else changeDraft(at.rootId, { amend: true, message: message.trim() === '' ? last.trimEnd() : message })
}

/** True when it was made. */
export async function commit(): Promise<boolean> {
  const at = here()
  const { message, amend } = draftNow(at.rootId)
  const { counts, inProgress, stagedOutside } = statusNow()
  if (message.trim() === '') {
    focusMessage()
    toast.info(t('source.noMessage'))
    return false
  }
  const nothingStaged = counts.staged + stagedOutside === 0 && !amend && inProgress === null
  if (nothingStaged && counts.unstaged === 0 && counts.untracked > 0) {
    toast.info(t('source.onlyUntracked'))
    return false
  }
  if (nothingStaged && counts.unstaged > 0) {
    const sure = await confirmed({
      title: t('source.commitAllAsk'),
      body: t('source.commitAllMeans', { count: counts.unstaged }),
      confirm: t('source.commitAll'),
    })
    if (!sure) return false
  }
  await settleDocuments()
  const signOff = signsOff.get()
  const made = await attempt({
    name: 'commit',
    rootId: at.rootId,
    call: (operationId, options) =>
      belay.git.commit({ ...at, operationId, message, amend, signOff, all: nothingStaged }, options),
  })
  if (!made) return false
  // Hooks take their time: a message begun meanwhile is the next commit's.
  changeDraft(at.rootId, draftNow(at.rootId).message === message ? emptyDraft : { amend: false })
  void flushView()
  const words = { commit: made.commit.slice(0, 8), subject: subjectOf(message) }
  // One commit less is not what stood before an amendment.
  if (amend) news(t('source.amended', words))
  else news(t('source.committed', words), { label: t('source.undo'), onSelect: () => told(undo(at, made.commit)) })
  return true
}

const subjectOf = (message: string): string => message.trim().split('\n', 1)[0]?.slice(0, 60) ?? ''

export async function undoLastCommit(): Promise<void> {
  const { head } = statusNow()
  if (!head) return void toast.info(t('source.noCommits'))
  await undo(here(), head)
}

/** Its message is the draft then, unless another one has been begun. */
async function undo(at: Here, commit: string): Promise<void> {
  const call = () => belay.git.undoCommit({ ...at, commit })
  const done = await attempt({ name: 'undoCommit', rootId: at.rootId, call })
  if (!done) return
  if (draftNow(at.rootId).message.trim() === '') changeDraft(at.rootId, { message: done.message.trimEnd() })
  news(t('source.commitUndone'))
}

/** By a model. What was written before comes back with the toast's Undo. */
export async function writeMessage(): Promise<void> {
  const at = here()
  const done = await attempt({
    name: 'writeMessage',
    rootId: at.rootId,
    call: (_, options) => belay.git.writeMessage(at, options),
  })
  if (!done) return
  const before = draftNow(at.rootId).message
  changeDraft(at.rootId, { message: done.message.trimEnd() })
  focusMessage()
  if (before.trim() !== '')
    news(t('source.messageWritten'), {
      label: t('source.undo'),
      onSelect: () => changeDraft(at.rootId, { message: before }),
    })
}

/** What a merge in progress has to say for itself, where nothing was written yet. */
export async function proposeMessage(at: Here): Promise<void> {
  if (draftNow(at.rootId).message !== '') return
  const { message } = await belay.git.commitMessage(at)
  if (message.trim() !== '' && draftNow(at.rootId).message === '')
    changeDraft(at.rootId, { message: message.trimEnd() })
}

export function focusMessage(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-git-message]')?.focus())
}
