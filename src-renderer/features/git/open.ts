/** What of the repository is shown as a tab among the files: changes, conflicts, histories, commits. */
import { z } from 'zod'
import { GitSide } from '#contract/git'
import { RootId } from '#contract/id'
import { type AnyPath, baseName, type WirePath } from '#contract/path'
import { t } from '../../ui/i18n.ts'
import { visibleLine } from '../../ui/visible.ts'
import type { CommandArgument } from '../commands.ts'
import type { GroupId } from './changes/rows.ts'

type Page = CommandArgument<'editor.openPage'>

/** Two sides of a file. `acts`: whose lines can be taken in, out or back. */
export const DiffArgument = z.object({
  rootId: RootId,
  path: z.string(),
  oldPath: z.string().nullable(),
  from: GitSide,
  to: GitSide,
  acts: z.enum(['staged', 'unstaged', 'none']),
})
export type DiffArgument = z.infer<typeof DiffArgument>

export const ConflictArgument = z.object({ rootId: RootId, path: z.string() })

export const LogArgument = z.object({
  rootId: RootId,
  of: z.string().default('head'),
  /** The history of one file. */
  path: z.string().nullable().default(null),
  /** Shown as chosen, when the page opens. */
  commit: z.string().nullable().default(null),
})
export type LogArgument = z.infer<typeof LogArgument>

export const CommitArgument = z.union([
  z.object({ rootId: RootId, commit: z.string() }),
  z.object({ rootId: RootId, stash: z.string(), title: z.string() }),
])
export type CommitArgument = z.infer<typeof CommitArgument>

interface ShownChange {
  readonly path: WirePath
  readonly from: string | null
  readonly group: GroupId
  readonly preview: boolean
}

export function changePage({ path, from, group, preview }: ShownChange): Page {
  const name = visibleLine(baseName(path.path))
  const { rootId } = path
  if (group === 'conflicts')
    return {
      page: 'git.conflict',
      key: `${rootId} ${path.path}`,
      title: t('source.title.conflict', { name }),
      path,
      living: true,
      preview: false,
      argument: { rootId, path: path.path } satisfies z.input<typeof ConflictArgument>,
    }
  const staged = group === 'staged'
  return diffPage({
    title: t(staged ? 'source.title.staged' : 'source.title.unstaged', { name }),
    preview,
    argument: {
      rootId,
      path: path.path,
      oldPath: from,
      from: staged ? 'head' : 'index',
      to: staged ? 'index' : 'worktree',
      acts: staged ? 'staged' : 'unstaged',
    },
  })
}

export function diffPage(of: { title: string; preview: boolean; argument: DiffArgument }): Page {
  const { rootId, path, from, to } = of.argument
  return {
    page: 'git.diff',
    key: JSON.stringify([rootId, path, from, to]),
    title: of.title,
    path: { rootId, path },
    argument: of.argument,
    preview: of.preview,
  }
}

export const logPage = (argument: Partial<LogArgument> & Pick<LogArgument, 'rootId'>, name: string): Page => ({
  page: 'git.log',
  key: JSON.stringify([argument.rootId, argument.path ?? argument.of ?? 'head']),
  title: t('source.historyOf', { name: visibleLine(name) }),
  ...(argument.path ? { path: { rootId: argument.rootId, path: argument.path } } : {}),
  argument,
})

export const fileHistoryPage = (path: AnyPath): Page | null =>
  'uri' in path ? null : logPage({ rootId: path.rootId, path: path.path }, baseName(path.path))

export const commitPage = (rootId: RootId, commit: string): Page => ({
  page: 'git.commit',
  key: `${rootId} ${commit}`,
  title: t('source.title.commit', { commit: visibleLine(commit.slice(0, 8)) }),
  preview: true,
  argument: { rootId, commit } satisfies CommitArgument,
})
