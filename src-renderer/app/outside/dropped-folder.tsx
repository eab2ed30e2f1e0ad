/** A folder was dropped on a window that shows one: in a window of its own, or beside what is there. */
import { host } from '../../client/index.ts'
import { useWorkspace } from '../../state/view/workspace.ts'
import { useT } from '../../ui/i18n.ts'
import { ConfirmDialog } from '../../ui/index.ts'
import { visibleLine } from '../../ui/visible.ts'
import { appView } from '../app-view.ts'
import { showFault } from '../runner.ts'

export function DroppedFolder({ folder }: { readonly folder: string }) {
  const t = useT()
  const name = useWorkspace()?.name ?? ''
  const close = () => appView.setState({ droppedFolder: null })
  const open = () => {
    close()
    host.host.newWindow({ folder }).catch(thrown => showFault(t('app.openFailed', { folder }), thrown))
  }
  return (
    <ConfirmDialog
      open
      title={t('app.droppedFolder')}
      body={<p className="app-path">{visibleLine(folder)}</p>}
      confirmLabel={t('app.openInNewWindow')}
      other={{
        label: t('app.addTo', { name }),
        onSelect: () => appView.setState({ droppedFolder: null, folderDialog: { kind: 'add', from: folder } }),
      }}
      cancelLabel={t('app.cancel')}
      onConfirm={open}
      onCancel={close}
    />
  )
}
