/** What app shows over everything. Each loads when first wanted. */
import { lazy, Suspense, useEffect } from 'react'
import { useWorkspace } from '../state/view/workspace.ts'
import { appView } from './app-view.ts'
import { NativeMenu } from './native-menu/native-menu.tsx'
import { Fence } from './pane-frame.tsx'
import { TrustQuestion } from './trust-question.tsx'

const fetchPalette = () => import('./palette/palette.tsx')
const Palette = lazy(async () => ({ default: (await fetchPalette()).Palette }))
const FolderDialogs = lazy(async () => ({ default: (await import('./folder-dialogs.tsx')).FolderDialogs }))
const FoldersDialog = lazy(async () => ({ default: (await import('./folders-dialog.tsx')).FoldersDialog }))
const DroppedFolder = lazy(async () => ({ default: (await import('./outside/dropped-folder.tsx')).DroppedFolder }))
const ChildLog = lazy(async () => ({ default: (await import('./child-log.tsx')).ChildLog }))
const AboutDialog = lazy(async () => ({ default: (await import('./about-dialog.tsx')).AboutDialog }))
const Switcher = lazy(async () => ({ default: (await import('./switcher/switcher.tsx')).Switcher }))

/** After the first paint and what it needs. */
const QUIET_MS = 1000

export function Overlays() {
  const palette = appView(state => state.palette)
  const { folderDialog, droppedFolder, folders, switcher, childLog, about } = appView()
  const workspace = useWorkspace()
  useEffect(() => {
    // Keys typed while the palette is still being fetched would go to what has the focus.
    const timer = setTimeout(() => void fetchPalette().catch(() => {}), QUIET_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Fence name="overlays" quiet>
      <NativeMenu />
      <TrustQuestion />
      <Suspense fallback={null}>
        {palette !== null && <Palette initial={palette} onClose={() => appView.setState({ palette: null })} />}
        {switcher && <Switcher onClose={() => appView.setState({ switcher: false })} />}
        {folderDialog !== null && <FolderDialogs workspace={workspace} />}
        {droppedFolder !== null && <DroppedFolder folder={droppedFolder} />}
        {childLog && <ChildLog child={childLog} onClose={() => appView.setState({ childLog: null })} />}
        {about && <AboutDialog onClose={() => appView.setState({ about: false })} />}
        {folders && <FoldersDialog workspace={workspace} />}
      </Suspense>
    </Fence>
  )
}
