/** What the explorer does without a pane: it follows the open workspace, keeps what is remembered, and asks before it deletes. */
import { useEffect, useRef } from 'react'
import { baseName, pathKey, type WirePath } from '#contract/path'
import { followWorkspace, revealPath, rootsChanged } from '../../client/workspace-pump.ts'
import { entryAt, useTree } from '../../state/mirror/tree.ts'
import { useCurrentTab } from '../../state/view/editor.ts'
import { useWorkspace, workspaceView } from '../../state/view/workspace.ts'
import { useT } from '../../ui/i18n.ts'
import { ConfirmDialog } from '../../ui/index.ts'
import { finishDelete, focusTree, treeNow } from './explorer-actions.ts'
import { FollowDialog } from './explorer-follow-dialog.tsx'
import { explorerState, explorerView, resetExplorer, selectOnly, selectQuietly } from './explorer-state.ts'
import { showFault } from './explorer-undo.ts'
import { shownName } from './names.ts'

export function ExplorerOverlay() {
  const workspace = useWorkspace()
  const workspaceId = workspace?.workspaceId
  useEffect(() => {
    const { workspace } = workspaceView.getState()
    if (!workspaceId || !workspace) return
    resetExplorer()
    const stopFollowing = followWorkspace(workspace, explorerView.get())
    const stopKeeping = useTree.subscribe(({ tree, workspaceId: of }, before) => {
      if (of === workspaceId && tree.expanded !== before.tree.expanded) keepExpanded(tree.expanded)
    })
    return () => {
      stopKeeping()
      stopFollowing()
    }
  }, [workspaceId])
  useEffect(() => {
    if (workspace) rootsChanged(workspace.roots.map(({ rootId }) => rootId))
  }, [workspace])
  useFollowEditor()
  return (
    <>
      <DeleteDialog />
      <FollowDialog />
    </>
  )
}

function keepExpanded(keys: ReadonlySet<string>): void {
  const roots = workspaceView.getState().workspace?.roots ?? []
  explorerView.set({
    expanded: [...keys].flatMap(key => {
      const [rootId = '', path = ''] = key.split('\0')
      return path === '' ? [] : [{ rootId, path } as WirePath]
    }),
    closedRoots: roots.flatMap(({ rootId }) => (keys.has(pathKey({ rootId, path: '' })) ? [] : [rootId])),
  })
}

/** The file in front is the selected row; ignored places are not opened for it. */
function useFollowEditor(): void {
  const tab = useCurrentTab()
  const about = tab && tab.kind !== 'diff' ? tab.path : null
  const path = about && !('uri' in about) ? about : null
  /** Coming back, the tree stands as it was left, whatever is in front. */
  const comingBack = useRef(explorerView.get().scroll > 0)
  const key = path ? `${path.rootId} ${path.path}` : ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` says when it is another file
  useEffect(() => {
    if (!path || /(^|\/)node_modules\//.test(path.path)) return
    let current = true
    const select = comingBack.current ? selectQuietly : selectOnly
    comingBack.current = false
    void revealPath(path).then(() => {
      if (current && entryAt(treeNow(), path) && !explorerState.getState().renaming) select(path)
    })
    return () => {
      current = false
    }
  }, [key])
}

function DeleteDialog() {
  const t = useT()
  const deleting = explorerState(state => state.deleting)
  const close = () => {
    explorerState.setState({ deleting: null })
    focusTree()
  }
  const name = shownName(baseName(deleting?.[0]?.path ?? ''))
  const count = deleting?.length ?? 0
  return (
    <ConfirmDialog
      open={deleting !== null}
      danger
      title={t('explorer.deleteTitle', { count, name })}
      body={t('explorer.deleteBody')}
      confirmLabel={t('explorer.menu.delete')}
      cancelLabel={t('explorer.cancel')}
      onCancel={close}
      onConfirm={() => {
        close()
        if (deleting) finishDelete(deleting).catch(showFault)
      }}
    />
  )
}
