/** The folders of this workspace: what each is, whether it may be written in, and the way to add and remove them. */
import { FolderOpen, Lock, Plus, Trash2, Unplug } from 'lucide-react'
import type { RootId } from '#contract/id'
import type { RootKind, WorkspaceInfo } from '#contract/workspace'
import { useCommand } from '../features/commands.ts'
import { localize, useT } from '../ui/i18n.ts'
import { Badge, Button, Dialog, IconButton, Switch } from '../ui/index.ts'
import { appView } from './app-view.ts'
import { showFault } from './runner.ts'
import { removeRoot, setRootReadOnly } from './workspace-actions.ts'
import './folder-dialog.css'

interface Line {
  readonly rootId: RootId
  readonly name: string
  readonly absolute: string
  readonly readOnly: boolean
  readonly missing: string | null
  readonly kind: RootKind
}

export function FoldersDialog({ workspace }: { readonly workspace: WorkspaceInfo | null }) {
  const t = useT()
  const run = useCommand()
  const open = appView(state => state.folders)
  const close = () => appView.setState({ folders: false })
  if (!workspace) return null
  const lines: Line[] = [
    ...workspace.roots.map(root => ({ ...root, missing: root.missing ?? null, kind: 'files' as const })),
    ...workspace.mounts.map(mount => ({ ...mount, name: `@${mount.alias}` })),
  ]
  const act = (what: string, work: Promise<unknown>) => void work.catch(thrown => showFault(what, thrown))
  return (
    <Dialog
      open={open}
      onOpenChange={shown => !shown && close()}
      title={t('app.foldersTitle', { name: workspace.name })}
      description={t('app.foldersHow')}
      width={600}
      footer={
        <>
          <Button
            icon={Plus}
            onClick={() => {
              close()
              void run('app.addFolder')
            }}
          >
            {t('command.app.addFolder')}
          </Button>
          <Button variant="main" onClick={close}>
            {t('app.done')}
          </Button>
        </>
      }
    >
      <ul className="folders">
        {lines.map(({ rootId, name, absolute, readOnly, missing, kind }, at) => (
          <li key={rootId} className="folders-line">
            {missing === null ? <FolderOpen size={15} /> : <Unplug size={15} />}
            <span className="folders-name">
              <b>{name}</b>
              {kind !== 'files' && <Badge>{t(`app.addAs.${kind}`)}</Badge>}
              <span className="folders-path" title={absolute}>
                {missing === null ? absolute : localize(missing)}
              </span>
            </span>
            {at === 0 ? (
              readOnly && (
                <span className="folders-locked">
                  <Lock size={13} /> {t('app.readOnly')}
                </span>
              )
            ) : (
              <>
                <Switch
                  label={t('app.readOnlyOf', { name })}
                  checked={readOnly}
                  onChange={next => act(t('app.readOnly'), setRootReadOnly(rootId, next))}
                />
                <span aria-hidden="true">{t('app.readOnly')}</span>
                <IconButton
                  label={t('app.removeRoot', { name })}
                  icon={Trash2}
                  onClick={() => act(t('app.removeRoot', { name }), removeRoot(rootId))}
                />
              </>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
