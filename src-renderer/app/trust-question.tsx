/** The one question before a folder is trusted, whoever offered it: banner, composer, terminal, menu or palette. */
import { useWorkspace } from '../state/view/workspace.ts'
import { useT } from '../ui/i18n.ts'
import { ConfirmDialog, toast } from '../ui/index.ts'
import { appView } from './app-view.ts'
import { showFault } from './runner.ts'
import { TrustMeans } from './trust-means.tsx'
import { trustFolder } from './workspace-actions.ts'

export function TrustQuestion() {
  const t = useT()
  const workspace = useWorkspace()
  const open = appView(state => state.trustQuestion)
  const close = () => appView.setState({ trustQuestion: false })
  if (!workspace || workspace.trusted) return null
  const trust = () => {
    close()
    trustFolder(true).then(
      () => toast.ok(t('app.trusted', { name: workspace.name })),
      thrown => showFault(t('command.app.trust'), thrown),
    )
  }
  return (
    <ConfirmDialog
      open={open}
      cautious
      title={t('app.trustAsk', { name: workspace.name })}
      body={<TrustMeans workspaceId={workspace.workspaceId} />}
      confirmLabel={t('app.trust')}
      cancelLabel={t('app.notNow')}
      onCancel={close}
      onConfirm={trust}
    />
  )
}
