/** What app shows over everything. Each loads when first wanted. */
import { lazy, Suspense } from 'react'
import { appView } from './app-view.ts'
import { NativeMenu } from './native-menu.tsx'
import { Fence } from './pane-frame.tsx'

const Palette = lazy(async () => ({ default: (await import('./palette/palette.tsx')).Palette }))
const OpenFolderDialog = lazy(async () => ({ default: (await import('./open-folder.tsx')).OpenFolderDialog }))

export function Overlays() {
  const palette = appView(state => state.palette)
  const openFolder = appView(state => state.openFolder)
  return (
    <Fence name="overlays" quiet>
      <NativeMenu />
      <Suspense fallback={null}>
        {palette !== null && <Palette initial={palette} onClose={() => appView.setState({ palette: null })} />}
        {openFolder && <OpenFolderDialog onClose={() => appView.setState({ openFolder: false })} />}
      </Suspense>
    </Fence>
  )
}
