/** Beside the panes: follows the workspace's documents, brings unsaved text of an earlier run to the front, asks before closing. */
import { lazy, Suspense, useEffect } from 'react'
import type { DocumentState } from '#contract/document'
import { type AnyPath, pathKey } from '#contract/path'
import { followDocuments } from '../../client/document-pump.ts'
import { changeGroups, closeQuestion, openPaths } from '../../state/view/editor.ts'
import { renamePlaces } from '../../state/view/editor-history.ts'
import { fileTab, openTab, renameTabs, textPathOf, withinRoots } from '../../state/view/editor-tabs.ts'
import { useWorkspace } from '../../state/view/workspace.ts'
import { t, useT } from '../../ui/i18n.ts'
import { ConfirmDialog, toast } from '../../ui/index.ts'
import { warmMonaco } from '../../ui/monaco/index.ts'
import { answerClose } from './closing.ts'
import { SaveAsDialog } from './save-as-dialog.tsx'
import { symbolAsk } from './symbol-ask.ts'
import { fileName } from './texts.ts'

export function EditorOverlay() {
  const workspace = useWorkspace()
  // Also when the same workspace was opened again in a core that was restarted: its documents are then new ones.
  useEffect(() => {
    if (workspace) return followDocuments(workspace.workspaceId, { dirty: showRecovered, moved: followMove })
  }, [workspace])
  useEffect(() => {
    if (workspace)
      changeGroups(all =>
        withinRoots(
          all,
          workspace.roots.map(({ rootId }) => rootId),
        ),
      )
  }, [workspace])
  const opened = workspace !== null
  useEffect(() => {
    if (opened) void warmMonaco()
  }, [opened])
  return (
    <>
      <CloseDialog />
      <SaveAsDialog />
      <SymbolAsked />
    </>
  )
}

/** Whoever moved it, in this window or another. */
function followMove(from: AnyPath, to: AnyPath): void {
  changeGroups(all => renameTabs(all, path => (pathKey(path) === pathKey(from) ? to : null)))
  renamePlaces(from, to)
}

function showRecovered(documents: DocumentState[]): void {
  const open = new Set(openPaths().map(pathKey))
  const hidden = documents.filter(({ path }) => !open.has(pathKey(path)))
  if (hidden.length === 0) return
  for (const { path } of hidden) changeGroups(all => openTab(all, fileTab(path)))
  const names = hidden.map(({ path }) => fileName(path)).join(', ')
  toast.info(t('editor.restored', { names }))
}

const SymbolPick = lazy(() => import('./language/symbol-pick.tsx'))

function SymbolAsked() {
  const { where } = symbolAsk()
  return (
    where && (
      <Suspense>
        <SymbolPick key={where} where={where} />
      </Suspense>
    )
  )
}

function CloseDialog() {
  const t = useT()
  const [first] = closeQuestion(state => state.asked)
  const answer = (how: 'save' | 'discard' | 'cancel') =>
    void answerClose(how).catch(fault => toast.error(t('editor.notClosed'), { detail: (fault as Error).message }))
  const path = first && textPathOf(first.tab)
  const name = path ? fileName(path) : ''
  return (
    <ConfirmDialog
      open={first !== undefined}
      title={t('editor.closeAsk', { name })}
      body={t('editor.closeAskBody')}
      confirmLabel={t('editor.save')}
      cancelLabel={t('editor.cancel')}
      other={{ label: t('editor.dontSave'), onSelect: () => answer('discard') }}
      onConfirm={() => answer('save')}
      onCancel={() => answer('cancel')}
    />
  )
}
