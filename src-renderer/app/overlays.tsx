/** What app shows over everything. Each loads when first wanted. */
import { lazy, Suspense, useEffect } from 'react'
import { appView } from './app-view.ts'
import { NativeMenu } from './native-menu.tsx'
import { Fence } from './pane-frame.tsx'
import { TrustQuestion } from './trust-question.tsx'

const fetchPalette = () => import('./palette/palette.tsx')
const Palette = lazy(async () => ({ default: (await fetchPalette()).Palette }))
const OpenFolderDialog = lazy(async () => ({ default: (await import('./open-folder.tsx')).OpenFolderDialog }))

/** After the first paint and what it needs. */
const QUIET_MS = 1000

export function Overlays() {
  const palette = appView(state => state.palette)
  const openFolder = appView(state => state.openFolder)
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
        {openFolder && <OpenFolderDialog onClose={() => appView.setState({ openFolder: false })} />}
      </Suspense>
    </Fence>
  )
}
