/** Source Control: the branch, what is in progress, the message, and the changes; or in words why there is none of it. */
import { useMemo } from 'react'
import type { GitStatus } from '#contract/git'
import { useT } from '../../../ui/i18n.ts'
import { EmptyState, PaneHead, Select, Spinner } from '../../../ui/index.ts'
import { useAllFiles } from '../changes/all-files.ts'
import { ChangesList } from '../changes/changes-list.tsx'
import { changesOf } from '../changes/rows.ts'
import { chosenRoot, type Repository, useRepositories, useRepository } from '../repository.ts'
import { CommitBox } from './commit-box.tsx'
import { GitHeader } from './header.tsx'
import { InProgress } from './in-progress.tsx'
import { Standing } from './standing.tsx'
import '../git.css'

export function SourceControl() {
  const t = useT()
  const repository = useRepository()
  return (
    <div className="git-pane" data-context="git">
      <PaneHead title={t('git.title')}>{repository && <GitHeader status={repository.status} />}</PaneHead>
      {repository && <Choice rootId={repository.rootId} />}
      {repository?.status?.standing === 'ready' ? (
        <Ready repository={repository} status={repository.status} />
      ) : repository?.status ? (
        <Standing status={repository.status} root={repository.root} />
      ) : (
        <div className="git-wait">
          <Spinner label={t('source.asking')} />
        </div>
      )}
    </div>
  )
}

/** Only where there is a choice. */
function Choice({ rootId }: { readonly rootId: Repository['rootId'] }) {
  const t = useT()
  const roots = useRepositories()
  if (roots.length < 2) return null
  return (
    <Select
      label={t('source.repository')}
      className="git-choice"
      value={rootId}
      options={roots.map(root => ({ value: root.rootId, label: root.name }))}
      onChange={chosenRoot.set}
    />
  )
}

function Ready({ repository, status }: { readonly repository: Repository; readonly status: GitStatus }) {
  const t = useT()
  const { files, complete } = useAllFiles(repository, status)
  const changes = useMemo(() => changesOf(files), [files])
  return (
    <>
      <InProgress status={status} />
      <CommitBox at={repository} status={status} />
      {!complete && <p className="git-note">{t('source.partial', { count: status.counts.files })}</p>}
      {status.stagedOutside > 0 && (
        <p className="git-note">{t('source.stagedOutside', { count: status.stagedOutside })}</p>
      )}
      {changes.length === 0 ? (
        <EmptyState title={t('source.clean')} body={t('source.cleanHint')} />
      ) : (
        <ChangesList changes={changes} />
      )}
    </>
  )
}
