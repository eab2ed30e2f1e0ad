/** Asks for the other name: a path in the folder, the name selected without its ending. */
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { toFault } from '#contract/error'
import { type AnyPath, baseName, isUntitled } from '#contract/path'
import { workspaceView } from '../../state/view/workspace.ts'
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
  const rootId = 'uri' in path ? workspaceView.getState().workspace?.roots[0]?.rootId : path.rootId
  useEffect(() => {
    const start = initial.length - baseName(initial).length
    const dot = initial.lastIndexOf('.')
    field.current?.setSelectionRange(start, dot > start ? dot : initial.length)
  }, [initial])
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    if (busy || !rootId) return
    setBusy(true)
    setFault(null)
    try {
      const to = { rootId, path: typed.trim().replace(/^\/+/, '') }
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
  return (
    <Dialog
      open
      onOpenChange={shown => !shown && onClose()}
      title={t('editor.saveAsTitle', { name: fileName(path) })}
      description={t('editor.saveAsHow')}
      width={520}
      initialFocus={field}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            {t('editor.cancel')}
          </Button>
          <Button variant="main" busy={busy} onClick={() => void submit()}>
            {t('editor.save')}
          </Button>
        </>
      }
    >
      <form onSubmit={event => void submit(event)}>
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
