/** What one can do with a commit. */
import type { GitCommit } from '#contract/git'
import type { RootId } from '#contract/id'
import { t } from '../../../ui/i18n.ts'
import type { MenuEntry } from '../../../ui/index.ts'
import type { RunCommand } from '../../commands.ts'
import { told } from '../attempt.ts'
import { createBranch, createTag, rebaseOnto, switchTo } from '../verbs/branch.ts'
import { cherryPick, revertCommit } from '../verbs/progress.ts'

export function commitMenu(run: RunCommand, rootId: RootId, { oid, subject }: GitCommit): MenuEntry[] {
  const item = (id: string, onSelect: () => void): MenuEntry => ({ id, label: t(`source.commit.${id}`), onSelect })
  return [
    item('open', () => void run('git.showCommit', { rootId, commit: oid })),
    { kind: 'separator', id: '1' },
    item('copyHash', () => void navigator.clipboard.writeText(oid)),
    item('copySubject', () => void navigator.clipboard.writeText(subject)),
    { kind: 'separator', id: '2' },
    item('branch', () => told(createBranch(undefined, oid))),
    item('tag', () => told(createTag(oid))),
    item('switch', () => told(switchTo(oid, true))),
    { kind: 'separator', id: '3' },
    item('cherryPick', () => told(cherryPick(oid))),
    item('revert', () => told(revertCommit(oid))),
    item('rebase', () => told(rebaseOnto(oid))),
  ]
}
