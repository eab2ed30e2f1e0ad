/** No repository to work with: why, in words, and the step that leads on. */
import { FolderGit2, ShieldAlert, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { GitStatus } from '#contract/git'
import type { Root } from '#contract/workspace'
import { belay } from '../../../client/index.ts'
import { localize, useT } from '../../../ui/i18n.ts'
import { Button, EmptyState } from '../../../ui/index.ts'
import { visible, visibleLine } from '../../../ui/visible.ts'
import { useCommand } from '../../commands.ts'
import { useRepository } from '../repository.ts'

interface StandingProps {
  readonly status: GitStatus
  readonly root: Root
}

export function Standing({ status, root }: StandingProps) {
  const t = useT()
  const run = useCommand()
  const { standing, note } = status
  if (standing === 'untrusted')
    return (
      <EmptyState icon={ShieldAlert} title={t('source.untrusted')} body={t('source.untrustedMeans')}>
        <Button variant="main" onClick={() => void run('app.trust')}>
          {t('command.app.trust')}
        </Button>
      </EmptyState>
    )
  if (standing === 'none')
    return (
      <EmptyState
        icon={FolderGit2}
        title={t('source.none')}
        body={t('source.noneMeans', { name: visibleLine(root.name) })}
      >
        <Button variant="main" disabled={root.readOnly} onClick={() => void run('git.init')}>
          {t('command.git.init')}
        </Button>
        <Button onClick={() => void run('app.cloneRepository')}>{t('command.app.cloneRepository')}</Button>
        <Inside root={root} />
      </EmptyState>
    )
  return (
    <EmptyState
      icon={TriangleAlert}
      title={t(`source.standing.${standing}`)}
      body={
        <>
          {note && <p>{visible(localize(note))}</p>}
          <p>{t(`source.standingNext.${standing}`)}</p>
        </>
      }
    >
      <Button variant="main" onClick={() => void run('git.refresh')}>
        {t('source.next.retry')}
      </Button>
      <Button onClick={() => void run('terminal.new')}>{t('command.terminal.new')}</Button>
    </EmptyState>
  )
}

/** Repositories in folders below: each can be opened as a folder of its own. */
function Inside({ root }: { readonly root: Root }) {
  const t = useT()
  const run = useCommand()
  const workspaceId = useRepository()?.workspaceId
  const [folders, setFolders] = useState<readonly string[]>([])
  useEffect(() => {
    if (!workspaceId) return
    const abort = new AbortController()
    belay.git.repositories({ workspaceId, rootId: root.rootId }, { signal: abort.signal }).then(
      found => setFolders(found.folders.map(({ inside }) => inside)),
      () => {},
    )
    return () => abort.abort()
  }, [workspaceId, root.rootId])
  return folders.slice(0, 8).map(folder => (
    <Button
      key={folder}
      variant="ghost"
      onClick={() => void run('app.openFolderAt', { folder: `${root.absolute}/${folder}` })}
    >
      {t('source.openInside', { folder: visibleLine(folder) })}
    </Button>
  ))
}
