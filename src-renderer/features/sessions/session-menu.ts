/** What can be done with one session of the list. */
import type { SessionSummary } from '#contract/session'
import { belay } from '../../client/index.ts'
import type { Translate } from '../../ui/i18n.ts'
import type { MenuEntry } from '../../ui/index.ts'
import type { RunCommand } from '../commands.ts'

export interface SessionMenuActs {
  readonly run: RunCommand
  act(work: Promise<unknown>): void
  open(): void
  rename(): void
  remove(): void
  removeWorktree(): void
}

/** `home`: of the workspace that is shown. */
export function sessionMenu(t: Translate, summary: SessionSummary, home: string, acts: SessionMenuActs): MenuEntry[] {
  const { sessionId, pinned, archived, forkedFrom, roots } = summary
  const { run, act } = acts
  return [
    { id: 'open', label: t('sessions.open'), onSelect: acts.open },
    { id: 'rename', label: t('sessions.rename'), keys: 'F2', onSelect: acts.rename },
    {
      id: 'pin',
      label: t(pinned ? 'sessions.unpin' : 'sessions.pin'),
      onSelect: () => act(belay.session.pin({ sessionId, pinned: !pinned })),
    },
    {
      id: 'archive',
      label: t(archived ? 'sessions.unarchive' : 'sessions.archive'),
      onSelect: () => act(belay.session.archive({ sessionId, archived: !archived })),
    },
    { kind: 'separator', id: 'ways' },
    {
      id: 'compare',
      label: t('sessions.compareDots'),
      onSelect: () => void run('agent.compareBranches', { a: sessionId }),
    },
    ...(forkedFrom
      ? [
          {
            id: 'compareParent',
            label: t('sessions.compareParent'),
            onSelect: () => void run('agent.compareBranches', { a: forkedFrom.sessionId, b: sessionId }),
          },
        ]
      : []),
    {
      id: 'markdown',
      label: t('sessions.exportMarkdown'),
      onSelect: () => void run('agent.exportMarkdown', { sessionId }),
    },
    { id: 'json', label: t('sessions.exportJson'), onSelect: () => void run('agent.exportJson', { sessionId }) },
    { kind: 'separator', id: 'rule' },
    ...(forkedFrom && roots[0] !== home
      ? [{ id: 'worktree', label: t('sessions.removeWorktree'), danger: true, onSelect: acts.removeWorktree }]
      : []),
    { id: 'delete', label: t('sessions.delete'), keys: 'Delete', danger: true, onSelect: acts.remove },
  ]
}
