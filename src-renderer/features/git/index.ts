/** Source Control: changes, commits, branches, history. All but the branch in the status line comes when it is first wanted. */
import { FileDiff, GitBranch, GitCommitHorizontal, GitMerge, History } from 'lucide-react'
import { type ComponentType, lazy } from 'react'
import { useGit } from '../../state/mirror/git.ts'
import { withWords } from '../../ui/i18n.ts'
import { type CommandId, commandTable, type RunCommand } from '../commands.ts'
import type { CommandHandlers, Feature, Pane } from '../feature.ts'
import { blameCompanion, conflictCompanion, menuCompanion } from './companions.ts'
import { GitOverlay } from './overlay.tsx'
import { BranchStatus, OperationStatus } from './status.tsx'

/** `load` brings a module; its words come with it. */
const late = <P extends object>(load: () => Promise<ComponentType<P>>) =>
  lazy(async () => ({ default: await withWords('source', load()) }))

const useBadge: NonNullable<Pane['useBadge']> = () => {
  const count = useGit(({ statuses }) => Object.values(statuses).reduce((sum, { counts }) => sum + counts.files, 0))
  const clash = useGit(({ statuses }) => Object.values(statuses).some(({ counts }) => counts.conflicted > 0))
  return count === 0 ? null : { text: count > 999 ? '999+' : `${count}`, tone: clash ? 'error' : 'plain' }
}

const isGit = (id: string): id is Extract<CommandId, `git.${string}`> => id.startsWith('git.')
const handlers = async () => (await withWords('source', import('./commands.ts'))).gitCommands
const commands: CommandHandlers = Object.fromEntries(
  Object.keys(commandTable)
    .filter(isGit)
    .map(id => [
      id,
      async (argument: never, run: RunCommand) => {
        const handler = (await handlers())[id] as (argument: never, run: RunCommand) => void | Promise<void>
        await handler(argument, run)
      },
    ]),
)

export const git: Feature = {
  id: 'git',
  panes: [
    {
      id: 'git',
      title: 'git.title',
      icon: GitBranch,
      place: 'side',
      order: 25,
      component: late(async () => (await import('./pane/source-control.tsx')).SourceControl),
      useBadge,
    },
  ],
  status: [
    { id: 'git.branch', side: 'left', order: 10, component: BranchStatus },
    { id: 'git.operation', side: 'left', order: 11, component: OperationStatus },
  ],
  pages: [
    { id: 'git.diff', icon: FileDiff, component: late(async () => (await import('./diff/diff-page.tsx')).DiffPage) },
    { id: 'git.log', icon: History, component: late(async () => (await import('./log/log-page.tsx')).LogPage) },
    {
      id: 'git.commit',
      icon: GitCommitHorizontal,
      component: late(async () => (await import('./log/commit-page.tsx')).CommitPage),
    },
    {
      id: 'git.conflict',
      icon: GitMerge,
      component: late(async () => (await import('./conflict/conflict-page.tsx')).ConflictPage),
    },
  ],
  companions: [blameCompanion, conflictCompanion, menuCompanion],
  commands,
  overlay: GitOverlay,
}
