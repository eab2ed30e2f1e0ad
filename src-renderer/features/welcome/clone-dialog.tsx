/** Cloning: an address, a folder, how far it is, and Cancel. Escape leaves running work alone; a failure says why and keeps what was typed. */
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { create } from 'zustand'
import { toFault } from '#contract/error'
import type { CloneProgress } from '#contract/git'
import { belay } from '../../client/index.ts'
import { useT } from '../../ui/i18n.ts'
import { Button, Dialog, TextField } from '../../ui/index.ts'
import { useCommand } from '../commands.ts'

export const cloneDialog = create<{ readonly open: boolean }>(() => ({ open: false }))

export function CloneOverlay() {
  const open = cloneDialog(state => state.open)
  return open && <CloneDialog onClose={() => cloneDialog.setState({ open: false })} />
}

/** As the core names it: the address's last part. */
const nameIn = (address: string): string =>
  (
    address
      .trim()
      .replace(/[?#].*$/, '')
      .replace(/[/\\]+$/, '')
      .split(/[/\\:]/)
      .at(-1) ?? ''
  ).replace(/\.git$/, '')

function CloneDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useT()
  const field = useRef<HTMLInputElement>(null)
  const [address, setAddress] = useState('')
  const [typedName, setName] = useState<string | null>(null)
  const [into, setInto] = useLikelyFolder()
  const { running, progress, fault, start, cancel, forgetFault } = useClone(onClose)
  const name = typedName ?? nameIn(address)
  const ready = address.trim() !== '' && into.trim() !== '' && name.trim() !== ''
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (!running && ready) void start(address, into, name)
  }
  return (
    <Dialog
      open
      onOpenChange={shown => !shown && !running && onClose()}
      title={t('welcome.cloneTitle')}
      description={t('welcome.cloneHow')}
      width={560}
      initialFocus={field}
      footer={
        <>
          <Button variant="ghost" onClick={running ? cancel : onClose}>
            {t(running ? 'welcome.cloneCancel' : 'app.cancel')}
          </Button>
          <Button variant="main" busy={running} aria-disabled={!ready} onClick={() => submit()}>
            {t(running ? 'welcome.cloning' : 'welcome.clone')}
          </Button>
        </>
      }
    >
      <form onSubmit={submit} className="welcome-clone">
        <TextField
          ref={field}
          label={t('welcome.cloneAddress')}
          placeholder={t('welcome.cloneExample')}
          value={address}
          readOnly={running}
          onChange={text => {
            setAddress(text)
            forgetFault()
          }}
        />
        <TextField label={t('welcome.cloneInto')} value={into} readOnly={running} onChange={setInto} />
        <TextField label={t('welcome.cloneName')} value={name} readOnly={running} onChange={setName} />
        {running && <Progress progress={progress} />}
        <div role="alert" className={fault ? 'ui-field-error' : 'visually-hidden'}>
          {fault}
        </div>
        {/* Enter in a field. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}

function Progress({ progress }: { readonly progress: CloneProgress | null }) {
  const t = useT()
  const words = t(progress ? `welcome.clonePhase.${progress.phase}` : 'welcome.clonePhase.connecting')
  const percent = progress?.percent ?? null
  return (
    <div className="welcome-progress">
      <output>{percent === null ? words : t('welcome.clonePercent', { words, percent })}</output>
      <progress aria-label={words} max={100} {...(percent === null ? {} : { value: percent })} />
    </div>
  )
}

/** Where the last folder lies, so would the next; home until that is known or where there is none. */
function useLikelyFolder(): [string, (folder: string) => void] {
  const [typed, setTyped] = useState<string | null>(null)
  const [likely, setLikely] = useState('~/')
  useEffect(() => {
    belay.workspace.recent({}).then(
      ({ folders }) => {
        const parent = folders[0]?.folder.replace(/[/\\][^/\\]+[/\\]?$/, '')
        // `C:` alone is wherever one was on that drive.
        if (parent) setLikely(/^[A-Za-z]:$/.test(parent) ? `${parent}\\` : parent)
      },
      () => {},
    )
  }, [])
  return [typed ?? likely, setTyped]
}

function useClone(onDone: () => void) {
  const run = useCommand()
  const [running, setRunning] = useState<{ cloneId: string; abort: AbortController } | null>(null)
  const [progress, setProgress] = useState<CloneProgress | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const cloneId = running?.cloneId
  useEffect(() => belay.on('git/cloning', told => void (told.cloneId === cloneId && setProgress(told))), [cloneId])
  const start = async (address: string, into: string, name: string) => {
    const mine = { cloneId: crypto.randomUUID(), abort: new AbortController() }
    setRunning(mine)
    setProgress(null)
    setFault(null)
    try {
      const wish = { cloneId: mine.cloneId, address, into, name }
      const { folder } = await belay.git.clone(wish, { signal: mine.abort.signal })
      onDone()
      void run('app.openFolderAt', { folder })
    } catch (thrown) {
      const { code, message } = toFault(thrown)
      setRunning(null)
      if (code !== 'cancelled') setFault(message)
    }
  }
  return {
    running: running !== null,
    progress,
    fault,
    start,
    cancel: () => running?.abort.abort(),
    forgetFault: () => setFault(null),
  }
}
