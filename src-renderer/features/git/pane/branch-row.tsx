/** The branch and how it stands to its upstream: one button to choose another, one to bring both sides together. */
import { ArrowDown, ArrowUp, ChevronDown, CloudUpload, GitBranch, RefreshCw, X } from 'lucide-react'
import type { GitStatus } from '#contract/git'
import { useT } from '../../../ui/i18n.ts'
import { Button, IconButton, Tooltip } from '../../../ui/index.ts'
import { visibleLine } from '../../../ui/visible.ts'
import { useCommand } from '../../commands.ts'
import { operations } from '../operations.ts'

export function BranchRow({ status }: { readonly status: GitStatus }) {
  const t = useT()
  const run = useCommand()
  const { branch, detached, head, upstream, upstreamGone, ahead, behind } = status
  const remote = operations(state => state.running.find(({ doing }) => remoteVerbs.has(doing)))
  const name = visibleLine(branch ?? '')
  const follows = upstream && !upstreamGone
  const syncHint = follows
    ? t('source.syncWith', { upstream: visibleLine(upstream), ahead, behind })
    : t('source.publishHint')
  return (
    <div className="git-branch-row">
      <button
        type="button"
        className="git-branch"
        aria-label={t(detached ? 'source.detachedAt' : 'source.onBranch', { branch: name })}
        title={head ? undefined : t('source.unborn')}
        onClick={() => void run('git.branches')}
      >
        <GitBranch size={14} />
        <span>{name}</span>
        <ChevronDown size={12} />
      </button>
      {remote ? (
        <IconButton icon={X} label={t('command.git.cancel')} onClick={() => remote.cancel()} />
      ) : (
        head &&
        !detached && (
          <Tooltip label={syncHint}>
            <Button variant="ghost" className="git-sync" onClick={() => void run(follows ? 'git.sync' : 'git.publish')}>
              {follows ? <RefreshCw size={13} /> : <CloudUpload size={14} />}
              {follows ? <span className="visually-hidden">{syncHint}</span> : t('source.publish')}
              {behind > 0 && (
                <span aria-hidden="true">
                  {behind}
                  <ArrowDown size={11} />
                </span>
              )}
              {ahead > 0 && (
                <span aria-hidden="true">
                  {ahead}
                  <ArrowUp size={11} />
                </span>
              )}
            </Button>
          </Tooltip>
        )
      )}
    </div>
  )
}

const remoteVerbs = new Set(['fetch', 'pull', 'push', 'publish'])
