/** Asks for the other name: a path in the folder, the name selected without its ending, or what the system's own dialog answers. */
import { FolderSearch } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { BelayError, toFault } from '#contract/error'
import { type AnyPath, baseName, isUntitled, type WirePath } from '#contract/path'
import { host } from '../../client/index.ts'
import { hasNativeDialogs } from '../../state/view/machine.ts'
import { pathIn, workspaceView } from '../../state/view/workspace.ts'
import { localize, useT } from '../../ui/i18n.ts'
import { Button, Dialog, TextField } from '../../ui/index.ts'
import { saveAs, saveAsWish } from './save-as.ts'
import { fileName } from './texts.ts'

export function SaveAsDialog() {
  const path = saveAsWish(state => state.path)
  return path && <Asking path={path} onClose={() => saveAsWish.setState({ path: null, onSaved: undefined })} />
}

function Asking({ path, onClose }: { readonly path: AnyPath; readonly onClose: () => void }) {
  const t = useT()
  const field = useRef<HTMLInputElement>(null)
  const initial = isUntitled(path) ? `${fileName(path)}.txt` : 'uri' in path ? fileName(path) : path.path
  const [typed, setTyped] = useState(initial)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const { workspace } = workspaceView.getState()
  const [rootId, setRootId] = useState('uri' in path ? workspace?.roots[0]?.rootId : path.rootId)
  useEffect(() => {
    const start = initial.length - baseName(initial).length
    const dot = initial.lastIndexOf('.')
    field.current?.setSelectionRange(start, dot > start ? dot : initial.length)
  }, [initial])
  /** `chosen` answers where to; null: nowhere yet. */
  const save = async (chosen: () => Promise<WirePath | null>) => {
    if (busy) return
    setBusy(true)
    setFault(null)
    try {
      const to = await chosen()
      if (!to) return setBusy(false)
      await saveAs(path, to)
      const { onSaved } = saveAsWish.getState()
      onClose()
      onSaved?.(to)
    } catch (thrown) {
      setFault(localize(toFault(thrown).message))
      setBusy(false)
      field.current?.focus()
    }
  }
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    void save(async () => (rootId ? { rootId, path: typed.trim().replace(/^\/+/, '') } : null))
  }
  const title = t('editor.saveAsTitle', { name: fileName(path) })
  /** What it answers stays in the field where it cannot be saved there. */
  const browse = async (): Promise<WirePath | null> => {
    const folder = workspace?.roots.find(root => root.rootId === rootId)?.absolute
    if (!workspace || !folder) return null
    const { file } = await host.host.pickSaveFile({ title, from: `${folder}/${typed.trim()}` })
    if (!file) return null
    const to = pathIn(workspace, file)
    if ('uri' in to) throw new BelayError('invalid', t('editor.saveAsElsewhere', { file }))
    setRootId(to.rootId)
    setTyped(to.path)
    return to
  }
  return (
    <Dialog
      open
      onOpenChange={shown => !shown && onClose()}
      title={title}
      description={t('editor.saveAsHow')}
      width={520}
      initialFocus={field}
      footer={
        <>
          {hasNativeDialogs() && (
            <Button className="ui-dialog-aside" icon={FolderSearch} onClick={() => void save(browse)}>
              {t('app.browseSystem')}
            </Button>
          )}
          <Button variant="ghost" onClick={onClose}>
            {t('editor.cancel')}
          </Button>
          <Button variant="main" busy={busy} onClick={() => submit()}>
            {t('editor.save')}
          </Button>
        </>
      }
    >
      <form onSubmit={submit}>
        <TextField
          ref={field}
          label={t('editor.saveAsPath')}
          hideLabel
          value={typed}
          onChange={text => {
            setTyped(text)
            setFault(null)
          }}
          error={fault}
        />
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}
