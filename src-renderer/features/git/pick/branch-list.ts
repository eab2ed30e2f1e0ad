/** Branches to choose: by the last commit, local ones first. What is typed and is no branch yet can be made one. */
import { Cloud, FolderGit2, GitBranch, GitBranchPlus, Milestone } from 'lucide-react'
import type { GitBranch as Branch } from '#contract/git'
import { belay } from '../../../client/index.ts'
import { formatAgo } from '../../../ui/format.ts'
import { t } from '../../../ui/i18n.ts'
import type { Choice } from '../../../ui/quick-pick.tsx'
import { visibleLine } from '../../../ui/visible.ts'
import { told } from '../attempt.ts'
import { here, statusNow } from '../repository.ts'
import { createBranch, deleteBranch, merge, rebaseOnto, renameBranch, setUpstream, switchTo } from '../verbs/branch.ts'
import type { BranchVerb, ListTools, LoadList } from './picker.ts'

const does: Record<BranchVerb, (branch: Branch) => Promise<unknown>> = {
  switch: branch => switchTo(branch.name),
  rename: branch => renameBranch(branch.name),
  delete: branch => deleteBranch(branch.name),
  merge: branch => merge(branch.name),
  rebase: branch => rebaseOnto(branch.name),
}
const fits: Record<BranchVerb, (branch: Branch) => boolean> = {
  switch: branch => !branch.current,
  rename: branch => branch.remote === null,
  delete: branch => branch.remote === null && !branch.current,
  merge: branch => !branch.current,
  rebase: branch => !branch.current,
}

export const branchList =
  (verb: BranchVerb): LoadList =>
  async tools => {
    const { branches } = await belay.git.branches(here())
    const listed = branches
      .filter(branch => fits[verb](branch) || (verb === 'switch' && branch.current))
      .map(branch => choiceOf(branch, verb, branches, tools))
    return query => [...listed, ...(verb === 'switch' ? offers(query.trim(), branches) : [])]
  }

function choiceOf(branch: Branch, verb: BranchVerb, all: readonly Branch[], tools: ListTools): Choice {
  const { name, remote, current, subject, committedAt, upstream, ahead, behind, worktree } = branch
  const state = [
    current && t('source.currentBranch'),
    upstream && ahead > 0 && `↑${ahead}`,
    upstream && behind > 0 && `↓${behind}`,
    worktree && t('source.elsewhere'),
  ]
  return {
    id: name,
    label: visibleLine(name),
    note: `${formatAgo(committedAt * 1000)} · ${visibleLine(subject)}`,
    mark: state.filter(Boolean).join(' '),
    icon: worktree ? FolderGit2 : remote ? Cloud : GitBranch,
    more: () => tools.step({ title: visibleLine(name), choices: moreOf(branch, all, tools) }),
    onChoose: () => (current && verb === 'switch' ? undefined : told(does[verb](branch))),
  }
}

function moreOf(branch: Branch, all: readonly Branch[], { run }: ListTools): Choice[] {
  const { name, current, remote, upstream, worktree } = branch
  const own = visibleLine(statusNow().branch ?? '')
  const shown = visibleLine(name)
  const choice = (
    id: string,
    work: () => Promise<unknown>,
    fit = true,
    params: Record<string, string> = {},
  ): Choice[] =>
    fit
      ? [{ id, label: t(`source.branch.${id}`, { branch: shown, own, ...params }), onChoose: () => told(work()) }]
      : []
  const counterpart = all.find(each => each.remote !== null && each.name === `${each.remote}/${name}`)
  return [
    ...choice('switch', () => switchTo(name), !current && !worktree),
    ...choice('openWorktree', () => run('app.openFolderAt', { folder: worktree ?? '' }), worktree !== null),
    ...choice('createFrom', () => createBranch(undefined, name)),
    ...choice('merge', () => merge(name), !current),
    ...choice('rebase', () => rebaseOnto(name), !current),
    ...choice('log', () => run('editor.openPage', logOf(name))),
    ...choice('rename', () => renameBranch(name), remote === null),
    ...choice('delete', () => deleteBranch(name), remote === null && !current),
    ...choice('follow', () => setUpstream(branch, counterpart?.name ?? null), !upstream && !!counterpart && !remote, {
      upstream: visibleLine(counterpart?.name ?? ''),
    }),
    ...choice('unfollow', () => setUpstream(branch, null), upstream !== null, {
      upstream: visibleLine(upstream ?? ''),
    }),
  ]
}

const logOf = (name: string) => {
  const { rootId } = here()
  return {
    page: 'git.log',
    key: `${rootId} ${name}`,
    title: t('source.historyOf', { name: visibleLine(name) }),
    argument: { rootId, of: name },
  }
}

/** With what was typed. */
function offers(query: string, branches: readonly Branch[]): Choice[] {
  const taken = branches.some(({ name }) => name === query)
  const isCommit = /^[0-9a-f]{4,40}$/.test(query)
  return [
    ...(taken
      ? []
      : [
          {
            id: '\0create',
            always: true,
            icon: GitBranchPlus,
            label: query === '' ? t('source.createBranchDots') : t('source.createBranchNamed', { branch: query }),
            onChoose: () => told(createBranch(query === '' ? undefined : query)),
          },
        ]),
    ...(query !== '' && !taken
      ? [
          {
            id: '\0detach',
            always: true,
            icon: Milestone,
            label: t(isCommit ? 'source.switchToCommit' : 'source.switchToRevision', { revision: query }),
            onChoose: () => told(switchTo(query, true)),
          },
        ]
      : []),
  ]
}
