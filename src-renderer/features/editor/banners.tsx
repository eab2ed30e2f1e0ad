/** What has to be said of a text, above it: a conflict, a restored text, why it cannot be edited. One line, and what to do. */
import { type ReactNode, useState } from 'react'
import { type DocumentState, type Encoding, encodingNames } from '#contract/document'
import type { Root } from '#contract/workspace'
import { belay } from '../../client/index.ts'
import { useDocumentState } from '../../state/mirror/document.ts'
import type { EditorTab } from '../../state/view/editor-tabs.ts'
import { useWorkspace } from '../../state/view/workspace.ts'
import { localize, useT } from '../../ui/i18n.ts'
import { Button, toast } from '../../ui/index.ts'
import { close } from './closing.ts'
import { keepMine, revertFile, saveFile } from './saving.ts'
import { fileName } from './texts.ts'

export interface BannersProps {
  readonly groupId: string
  readonly tab: Extract<EditorTab, { kind: 'file' }>
  readonly comparing: boolean
  readonly onCompare: (on: boolean) => void
}

export function Banners(props: BannersProps) {
  const state = useDocumentState(props.tab.path)
  const [seen, setSeen] = useState<string | null>(null)
  if (!state) return null
  if (state.conflict === 'changed') return <Changed {...props} state={state} />
  if (state.conflict === 'missing') return <Missing {...props} />
  if (state.recovered && state.dirty && seen !== state.documentId)
    return <Recovered {...props} onSeen={() => setSeen(state.documentId)} />
  if (!state.backedUp && state.dirty) return <NotBackedUp {...props} />
  return <Notes {...props} state={state} />
}

const Banner = ({ tone, text, children }: { tone: 'ask' | 'plain'; text: string; children?: ReactNode }) => (
  <div className={`editor-notice editor-notice-${tone}`} role={tone === 'ask' ? 'alert' : 'status'}>
    <span className="editor-notice-text">{text}</span>
    {children && <span className="editor-notice-actions">{children}</span>}
  </div>
)

/** Runs a button's work; a fault is said in words, and the text stays as it is. */
function useWork(): [boolean, (what: string, work: () => Promise<unknown>) => void] {
  const [busy, setBusy] = useState(false)
  const run = (what: string, work: () => Promise<unknown>) => {
    setBusy(true)
    work()
      .catch(fault => toast.error(what, { detail: (fault as Error).message }))
      .finally(() => setBusy(false))
  }
  return [busy, run]
}

function Changed({ tab, comparing, onCompare }: BannersProps & { readonly state: DocumentState }) {
  const t = useT()
  const [busy, run] = useWork()
  const name = fileName(tab.path)
  const work = (label: string, act: () => Promise<unknown>) => (
    <Button busy={busy} onClick={() => run(label, act)}>
      {label}
    </Button>
  )
  return (
    <Banner tone="ask" text={t(comparing ? 'editor.mergeHow' : 'editor.conflict', { name })}>
      <Button variant="main" onClick={() => onCompare(!comparing)}>
        {t(comparing ? 'editor.backToText' : 'editor.merge')}
      </Button>
      {work(t(comparing ? 'editor.saveMerged' : 'editor.mine'), () => keepMine(tab.path))}
      {work(t('editor.theirs'), () => revertFile(tab.path))}
    </Banner>
  )
}

function Missing({ groupId, tab }: BannersProps) {
  const t = useT()
  const [busy, run] = useWork()
  return (
    <Banner tone="ask" text={t('editor.deleted', { name: fileName(tab.path) })}>
      <Button
        variant="main"
        busy={busy}
        onClick={() => run(t('editor.saveAgain'), () => saveFile(tab.path, { force: true }))}
      >
        {t('editor.saveAgain')}
      </Button>
      <Button onClick={() => close({ groupId, tab })}>{t('editor.closeTab')}</Button>
    </Banner>
  )
}

function Recovered({ tab, onSeen }: BannersProps & { readonly onSeen: () => void }) {
  const t = useT()
  const [busy, run] = useWork()
  return (
    <Banner tone="plain" text={t('editor.recovered')}>
      <Button variant="main" busy={busy} onClick={() => run(t('editor.save'), () => saveFile(tab.path))}>
        {t('editor.save')}
      </Button>
      <Button busy={busy} onClick={() => run(t('editor.discard'), () => revertFile(tab.path))}>
        {t('editor.discard')}
      </Button>
      <Button variant="ghost" onClick={onSeen}>
        {t('editor.keepEditing')}
      </Button>
    </Banner>
  )
}

function NotBackedUp({ tab }: BannersProps) {
  const t = useT()
  const [busy, run] = useWork()
  return (
    <Banner tone="ask" text={t('editor.notBackedUp')}>
      <Button variant="main" busy={busy} onClick={() => run(t('editor.save'), () => saveFile(tab.path))}>
        {t('editor.save')}
      </Button>
    </Banner>
  )
}

/** The rest is in the line at the bottom. */
const MOST_OFFERED = 2

function Notes({ state }: BannersProps & { readonly state: DocumentState }) {
  const t = useT()
  const roots = useWorkspace()?.roots ?? []
  const [busy, run] = useWork()
  if (state.guesses) {
    const choices: Encoding[] = [...state.guesses.slice(0, MOST_OFFERED), 'latin1']
    return (
      <Banner tone="plain" text={t('editor.undecodable')}>
        {choices.map(encoding => {
          const label = t('editor.reopenAs', { encoding: encodingNames[encoding] })
          const reopen = () => belay.document.setEncoding({ documentId: state.documentId, encoding, reopen: true })
          return (
            <Button key={encoding} busy={busy} onClick={() => run(label, reopen)}>
              {label}
            </Button>
          )
        })}
      </Banner>
    )
  }
  if (state.readOnly) return <Banner tone="plain" text={t(noteKey(state, roots))} />
  if (state.note) return <Banner tone="plain" text={localize(state.note)} />
  if (state.size === 'plain') return <Banner tone="plain" text={t('editor.plain')} />
  return null
}

const noteKey = ({ path, size }: DocumentState, roots: readonly Root[]) =>
  size === 'slices'
    ? 'editor.slices'
    : 'uri' in path
      ? 'editor.outside'
      : roots.some(root => root.rootId === path.rootId && root.readOnly)
        ? 'editor.readOnlyFolder'
        : 'editor.readOnly'
