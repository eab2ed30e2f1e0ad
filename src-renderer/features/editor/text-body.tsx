/** A text in a group: banners over the editor, or what stands there while it opens, when it cannot be shown, or in a conflict. */
import { FileQuestion, FileX2, RefreshCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Fault } from '#contract/error'
import { useDocumentState } from '../../state/mirror/document.ts'
import type { EditorTab } from '../../state/view/editor-tabs.ts'
import { useWorkspace } from '../../state/view/workspace.ts'
import { localize, useT } from '../../ui/i18n.ts'
import { Button, EmptyState, Spinner } from '../../ui/index.ts'
import { useMonaco } from '../../ui/monaco/index.ts'
import { useCommand } from '../commands.ts'
import type { EditorCompanion } from '../feature.ts'
import { Banners } from './banners.tsx'
import { close } from './closing.ts'
import { ConflictView } from './conflict-view.tsx'
import { GroupEditor } from './group-editor.tsx'
import { SlicesView } from './slices-view.tsx'
import { ensureText, fileName, useText } from './texts.ts'

export interface TextBodyProps {
  readonly groupId: string
  readonly tab: Extract<EditorTab, { kind: 'file' }>
  readonly companion?: EditorCompanion | undefined
}

export function TextBody({ groupId, tab, companion }: TextBodyProps) {
  const t = useT()
  const { path } = tab
  const workspace = useWorkspace()
  const entry = useText(path)
  const state = useDocumentState(path)
  const monaco = useMonaco()
  const [comparing, setComparing] = useState<string | null>(null)
  const known = entry !== undefined

  // biome-ignore lint/correctness/useExhaustiveDependencies: another workspace may be the one that has this file
  useEffect(() => {
    if (!known) ensureText(path)
  }, [path, known, workspace])

  if (entry?.status === 'failed') return <Unshown groupId={groupId} tab={tab} fault={entry.fault} />
  const open = entry?.status === 'open' ? entry : null
  const waiting = <Spinner className="editor-late" label={t('editor.opening', { name: fileName(path) })} />
  if (!monaco) return <div className="editor-wait">{waiting}</div>
  if (open && !open.bound)
    return <SlicesView key={tab.id} groupId={groupId} tabId={tab.id} monaco={monaco} path={path} entry={open} />
  const merging = open !== null && comparing === tab.id && state?.conflict === 'changed'
  return (
    <>
      {open && (
        <Banners groupId={groupId} tab={tab} comparing={merging} onCompare={on => setComparing(on ? tab.id : null)} />
      )}
      <div className="editor-fill" hidden={merging}>
        <GroupEditor monaco={monaco} groupId={groupId} tabId={tab.id} path={path} entry={open} companion={companion} />
        {!open && <div className="editor-wait editor-over">{waiting}</div>}
      </div>
      {merging && <ConflictView monaco={monaco} path={path} entry={open} />}
    </>
  )
}

interface UnshownProps extends Omit<TextBodyProps, 'companion'> {
  readonly fault: Fault
}

function Unshown({ groupId, tab, fault }: UnshownProps) {
  const t = useT()
  const run = useCommand()
  const name = fileName(tab.path)
  const binary = fault.code === 'binary'
  const missing = fault.code === 'not_found'
  return (
    <div role="alert" className="editor-wait">
      <EmptyState
        icon={missing ? FileX2 : FileQuestion}
        title={t(binary ? 'editor.binaryTitle' : missing ? 'editor.missingTitle' : 'editor.failedTitle', { name })}
        body={binary ? t('editor.binaryBody') : missing ? t('editor.missingBody') : localize(fault.message)}
      >
        {!binary && (
          <Button icon={RefreshCw} onClick={() => ensureText(tab.path)}>
            {t('editor.tryAgain')}
          </Button>
        )}
        {binary && (
          <Button onClick={() => void run('explorer.reveal', { path: tab.path })}>{t('editor.reveal')}</Button>
        )}
        <Button variant="ghost" onClick={() => close({ groupId, tab })}>
          {t('editor.closeTab')}
        </Button>
      </EmptyState>
    </div>
  )
}
