/** Tells the desktop what its window shows (title, folder, file, unsaved text, zoom) and how it looks. Nothing in a browser. */
import type { Shown } from '#contract/host'
import { type AnyPath, baseName } from '#contract/path'
import type { WorkspaceInfo } from '#contract/workspace'
import { host, useConnection } from '../../client/index.ts'
import { useDocuments } from '../../state/mirror/document.ts'
import { onSetting, settingNow, settingsMirror } from '../../state/mirror/settings.ts'
import { currentPath, editorGroups } from '../../state/view/editor.ts'
import { workspaceView } from '../../state/view/workspace.ts'
import { ownZoom } from '../../state/view/zoom.ts'
import { isMac } from '../../ui/index.ts'
import { visible } from '../../ui/visible.ts'
import { onZoom, zoomNow } from '../zoom.ts'

const MAX_TITLE = 300

/** Call once. The page's own title is kept in a browser too. */
export function followNativeWindow(): void {
  const desktop = window.belay !== undefined
  let told = ''
  const tell = () => {
    const shown = shownNow()
    if (document.title !== shown.title) document.title = shown.title
    // Until it is known which folder this is, the desktop knows better.
    if (!desktop || workspaceView.getState().opening !== null || useConnection.getState().host !== 'ready') return
    const text = JSON.stringify(shown)
    if (text === told) return
    told = text
    host.host.setShown(shown).catch(() => {
      told = ''
    })
  }
  for (const store of [workspaceView, useDocuments, editorGroups, useConnection]) store.subscribe(tell)
  onZoom(tell)
  tell()
  if (!desktop) return
  const wear = () => {
    if (settingsMirror.getState().snapshot === null) return
    const look = { theme: settingNow('appearance.theme'), language: settingNow('appearance.language') }
    host.host.setLook(look).catch(() => {})
  }
  onSetting('appearance.theme', wear)
  onSetting('appearance.language', wear)
}

function shownNow(): Shown {
  const { workspace } = workspaceView.getState()
  const path = currentPath()
  const unsaved = Object.values(useDocuments.getState().states).some(({ dirty }) => dirty)
  const file = workspace && path && visible(baseName('uri' in path ? path.uri : path.path))
  const parts = [file, workspace?.name, 'Belay'].filter(part => part)
  // macOS has a mark of its own for unsaved text.
  const title = `${unsaved && !isMac() ? '● ' : ''}${parts.join(' — ')}`.slice(0, MAX_TITLE)
  const folders = workspace?.roots.map(({ absolute }) => absolute) ?? []
  return {
    title,
    folder: folders[0] ?? null,
    folders,
    file: workspace && path && absoluteOf(workspace, path),
    unsaved,
    zoom: ownZoom.getState().percent,
    scale: zoomNow(),
  }
}

function absoluteOf({ roots }: WorkspaceInfo, path: AnyPath): string | null {
  if (!('rootId' in path)) return null
  const root = roots.find(({ rootId }) => rootId === path.rootId)
  return root ? `${root.absolute}/${path.path}` : null
}
