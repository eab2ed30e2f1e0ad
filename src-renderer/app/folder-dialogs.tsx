/** What one does with a folder that is chosen by its path: open it, here or in a window of its own, add it, find a workspace in it again. */
import { useState } from 'react'
import { toFault } from '#contract/error'
import type { RootKind, WorkspaceInfo } from '#contract/workspace'
import { host } from '../client/index.ts'
import { useT } from '../ui/i18n.ts'
import { ConfirmDialog, Segmented, Switch, TextField, toast } from '../ui/index.ts'
import { appView } from './app-view.ts'
import { FolderDialog } from './folder-dialog.tsx'
import { TrustMeans } from './trust-means.tsx'
import { addFolder, foundFolder, openFolder } from './workspace-actions.ts'

export function FolderDialogs({ workspace }: { readonly workspace: WorkspaceInfo | null }) {
  const t = useT()
  const { folderDialog } = appView()
  const close = () => appView.setState({ folderDialog: null })
  if (folderDialog === null) return null
  if (folderDialog.kind === 'add')
    return workspace && <AddFolder workspace={workspace} from={folderDialog.from} onClose={close} />
  if (folderDialog.kind === 'find') {
    const { folder } = folderDialog
    return (
      <FolderDialog
        title={t('app.findFolderTitle')}
        description={t('app.findFolderHow', { folder })}
        verb={t('app.findFolderIs')}
        doing={t('app.openingShort')}
        from={above(folder)}
        onChosen={to => foundFolder(folder, to)}
        onClose={close}
      />
    )
  }
  const elsewhere = folderDialog.kind === 'window'
  return (
    <FolderDialog
      title={t(elsewhere ? 'command.app.openFolderInNewWindow' : 'app.openFolderTitle')}
      description={t('app.openFolderHow')}
      verb={t('app.open')}
      doing={t('app.openingShort')}
      onChosen={elsewhere ? openElsewhere : openFolder}
      onClose={close}
    />
  )
}

const openElsewhere = async (folder: string): Promise<void> => void (await host.host.newWindow({ folder }))

interface Chosen {
  readonly folder: string
  readonly others: readonly string[]
}

/** The folder that held it, with its separator. */
const above = (folder: string): string => folder.replace(/[^/\\]*[/\\]?$/, '') || '~/'

interface AddFolderProps {
  readonly workspace: WorkspaceInfo
  readonly from?: string | undefined
  readonly onClose: () => void
}

function AddFolder({ workspace, from, onClose }: AddFolderProps) {
  const t = useT()
  const [kind, setKind] = useState<RootKind>('files')
  const [alias, setAlias] = useState('')
  const [readOnly, setReadOnly] = useState(false)
  /** A folder that is to be trusted before it is added, and those that come after it. */
  const [asked, setAsked] = useState<Chosen | null>(null)
  const wanted = { kind, alias: alias.trim() === '' ? null : alias, readOnly }
  /** False: a question comes first. One alias is for one folder. */
  const add = async ({ folder, others }: Chosen, trust: boolean, first = true): Promise<void | false> => {
    try {
      const { name } = await addFolder({ ...wanted, ...(first ? {} : { alias: null }), folder, trust })
      toast.ok(t('app.added', { name }))
    } catch (thrown) {
      if (toFault(thrown).code !== 'untrusted') throw thrown
      setAsked({ folder, others })
      return false
    }
    const [next, ...rest] = others
    return next === undefined ? undefined : add({ folder: next, others: rest }, false, false)
  }
  const trustAndAdd = (chosen: Chosen) => {
    setAsked(null)
    add(chosen, true).then(
      added => added !== false && onClose(),
      thrown => toast.error(t('command.app.addFolder'), { detail: toFault(thrown).message }),
    )
  }
  return (
    <>
      <FolderDialog
        title={t('app.addFolderTitle', { name: workspace.name })}
        description={t('app.addFolderHow')}
        verb={t('app.add')}
        doing={t('app.adding')}
        from={from ?? above(workspace.roots[0]?.absolute ?? '')}
        hidden={asked !== null}
        several
        onChosen={(folder, others) => add({ folder, others }, false)}
        onClose={onClose}
      >
        <div className="folder-dialog-options">
          <Segmented
            label={t('app.addAs')}
            value={kind}
            onChange={setKind}
            options={(['files', 'agents', 'skills'] as const).map(value => ({ value, label: t(`app.addAs.${value}`) }))}
          />
          <TextField
            label={t('app.alias')}
            hideLabel
            value={alias}
            placeholder={t(kind === 'files' ? 'app.aliasFiles' : 'app.aliasMount')}
            onChange={setAlias}
          />
          {/* biome-ignore lint/a11y/noLabelWithoutControl: the switch is the control */}
          <label className="folder-dialog-switch">
            <Switch label={t('app.readOnly')} checked={readOnly} onChange={setReadOnly} />
            <span aria-hidden="true">{t('app.readOnly')}</span>
          </label>
        </div>
        <p className="folder-dialog-about">{t(`app.addAsMeans.${kind}`)}</p>
      </FolderDialog>
      <ConfirmDialog
        open={asked !== null}
        cautious
        title={t('app.trustAsk', { name: asked?.folder ?? '' })}
        body={
          asked !== null && (
            <>
              <p>{t('app.addTrust')}</p>
              <TrustMeans workspaceId={workspace.workspaceId} folder={asked.folder} />
            </>
          )
        }
        confirmLabel={t('app.trustAndAdd')}
        cancelLabel={t('app.notNow')}
        onCancel={() => setAsked(null)}
        onConfirm={() => asked !== null && trustAndAdd(asked)}
      />
    </>
  )
}
