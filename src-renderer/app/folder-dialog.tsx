/** A folder chosen by its path: typed, completed, keyboard first. What is done with it is the caller's. */
import { CornerLeftUp, Folder, FolderSearch } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { toFault } from '#contract/error'
import { belay, host } from '../client/index.ts'
import { hasNativeDialogs } from '../state/view/machine.ts'
import { localize, useT } from '../ui/i18n.ts'
import { Button, cx, Dialog, TextField } from '../ui/index.ts'
import './folder-dialog.css'

interface Listing {
  readonly folder: string
  readonly parent: string | null
  readonly state: 'read' | 'missing' | 'file' | 'refused'
  readonly folders: readonly { readonly name: string; readonly absolute: string }[]
}

const ASK_AFTER_MS = 60
const MAX_ROWS = 300

export interface FolderDialogProps {
  readonly title: string
  readonly description: string
  /** Of the button that does it; `doing` while it is done. */
  readonly verb: string
  readonly doing: string
  readonly from?: string
  /** The system's own dialog may choose several. */
  readonly several?: boolean
  /** Away while something else is asked; what was typed stays. */
  readonly hidden?: boolean
  /** What else is asked, below the folders. */
  readonly children?: ReactNode
  /** Closes it unless it answers false. Rejects with words, which are shown. `others`: chosen with it, to come after it. */
  readonly onChosen: (folder: string, others: readonly string[]) => Promise<void | false>
  readonly onClose: () => void
}

export function FolderDialog(props: FolderDialogProps) {
  const { onClose } = props
  const t = useT()
  const list = useId()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(props.from ?? '~/')
  const [chosen, setChosen] = useState(-1)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const { listing, answers, browseFault } = useBrowse(typed)
  /** Keys that were faster than the folders of what is typed: they wait for those. */
  const ahead = useRef<string[]>([])
  const rows = listing ? listing.folders.slice(0, MAX_ROWS) : []

  const type = (text: string) => {
    setTyped(text)
    setChosen(-1)
    ahead.current = []
    setFault(null)
  }
  /** Goes into a folder: its own folders come up next. */
  const enter = (absolute: string) => {
    type(
      absolute.endsWith('/') || absolute.endsWith('\\')
        ? absolute
        : `${absolute}${absolute.includes('\\') ? '\\' : '/'}`,
    )
    field.current?.focus()
  }
  const open = async (folder: string, others: readonly string[] = []) => {
    setBusy(true)
    setFault(null)
    try {
      if ((await props.onChosen(folder, others)) !== false) onClose()
    } catch (thrown) {
      setFault(localize(toFault(thrown).message))
      field.current?.focus()
    } finally {
      setBusy(false)
    }
  }
  /** In the system's own dialog: one comes into the field, several are chosen at once. */
  const browse = async () => {
    const { folders } = await host.host.pickFolders({
      ...{ title: props.title, from: listing?.folder ?? null, several: props.several ?? false },
    })
    const [first, ...others] = folders
    if (first === undefined) return
    if (others.length === 0) enter(first)
    else await open(first, others)
  }
  /** The row that is chosen after that key. */
  const press = (key: string, at: number): number => {
    const row = rows[at]
    if (key === 'ArrowDown') return Math.min(rows.length - 1, at + 1)
    if (key === 'ArrowUp') return Math.max(-1, at - 1)
    const into = key === 'Tab' && rows.length === 1 ? rows[0] : row
    if (into) enter(into.absolute)
    else if (key === 'Enter' && typed.trim()) void open(typed.trim())
    return -1
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: what waited for the folders is done once, when they come
  useEffect(() => {
    const keys = ahead.current
    ahead.current = []
    if (answers === typed && keys.length > 0) setChosen(keys.reduce((at, key) => press(key, at), -1))
  }, [answers])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (ahead.current.length > 0) ahead.current.push('Enter')
    else setChosen(press('Enter', chosen))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const late = answers !== typed
    const completes = event.key === 'Tab' && !event.shiftKey && (late || chosen >= 0 || rows.length === 1)
    if (!completes && event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    if (late) ahead.current.push(event.key)
    else setChosen(press(event.key, chosen))
  }
  return (
    <Dialog
      open={!props.hidden}
      onOpenChange={shown => !shown && onClose()}
      title={props.title}
      description={props.description}
      width={560}
      initialFocus={field}
      footer={
        <>
          {hasNativeDialogs() && (
            <Button
              className="ui-dialog-aside"
              icon={FolderSearch}
              onClick={() => void browse().catch(thrown => setFault(localize(toFault(thrown).message)))}
            >
              {t('app.browseSystem')}
            </Button>
          )}
          <Button variant="ghost" onClick={onClose}>
            {t('app.cancel')}
          </Button>
          <Button variant="main" busy={busy} onClick={() => void open(rows[chosen]?.absolute ?? typed.trim())}>
            {busy ? props.doing : props.verb}
          </Button>
        </>
      }
    >
      <form onSubmit={submit} className="folder-dialog">
        <TextField
          ref={field}
          label={t('app.folderPath')}
          hideLabel
          value={typed}
          onChange={type}
          onKeyDown={onKeyDown}
          error={fault}
          role="combobox"
          aria-expanded={rows.length > 0}
          aria-controls={list}
          aria-activedescendant={chosen >= 0 ? `${list}-${chosen}` : undefined}
        />
        <div className="folder-dialog-list" id={list} role="listbox" aria-label={t('app.folders')}>
          {listing?.parent && (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
            <div
              className="folder-dialog-row"
              role="option"
              aria-selected={false}
              tabIndex={-1}
              onClick={() => listing.parent && enter(listing.parent)}
            >
              <CornerLeftUp size={14} />
              <span>{listing.parent}</span>
            </div>
          )}
          {rows.map((row, index) => (
            <Row
              key={row.absolute}
              id={`${list}-${index}`}
              name={row.name}
              chosen={index === chosen}
              onEnter={() => enter(row.absolute)}
              onOpen={() => void open(row.absolute)}
            />
          ))}
          {listing && rows.length === 0 && (
            <div className="folder-dialog-none">{t(emptyWords(listing.state, typed))}</div>
          )}
          {browseFault && <div className="folder-dialog-none">{browseFault}</div>}
        </div>
        {props.children}
        {/* Enter in the field. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}

const emptyWords = (state: Listing['state'], typed: string): string =>
  state !== 'read' ? `app.browse.${state}` : /[/\\]$/.test(typed) ? 'app.noFolders' : 'app.noFolderLike'

interface RowProps {
  readonly id: string
  readonly name: string
  readonly chosen: boolean
  readonly onEnter: () => void
  readonly onOpen: () => void
}

function Row({ id, name, chosen, onEnter, onOpen }: RowProps) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (chosen) element.current?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
    <div
      ref={element}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={chosen}
      className={cx('folder-dialog-row', chosen && 'folder-dialog-chosen')}
      onClick={onEnter}
      onDoubleClick={onOpen}
    >
      <Folder size={14} />
      <span>{name}</span>
    </div>
  )
}

interface Browsed {
  readonly listing: Listing | null
  /** The words that this answers. */
  readonly answers: string | null
  readonly browseFault: string | null
}

/** The folders below what is typed; what was shown stays until the next answer. */
function useBrowse(typed: string): Browsed {
  const [browsed, setBrowsed] = useState<Browsed>({ listing: null, answers: null, browseFault: null })
  useEffect(() => {
    const controller = new AbortController()
    const timer = setTimeout(() => {
      belay.workspace.browse({ typed }, { signal: controller.signal }).then(
        listing => setBrowsed({ listing, answers: typed, browseFault: null }),
        thrown => {
          if (controller.signal.aborted) return
          setBrowsed({ listing: null, answers: typed, browseFault: localize(toFault(thrown).message) })
        },
      )
    }, ASK_AFTER_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [typed])
  return browsed
}
