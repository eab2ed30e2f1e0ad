/** What stands around the shell: the command runner, tooltips, toasts. */
import { useEffect, useState } from 'react'
import { RunnerContext } from '../features/commands.ts'
import { EditorPartsContext } from '../features/feature.ts'
import { layout } from '../state/view/layout.ts'
import { useT } from '../ui/i18n.ts'
import { Toaster, TooltipProvider } from '../ui/index.ts'
import { editorPartsOf } from './editor-parts.tsx'
import { features } from './features.ts'
import { Fence } from './pane-frame.tsx'
import { Shell } from './shell.tsx'
import { runner } from './start.ts'

const editorParts = editorPartsOf(features)

export function App() {
  const t = useT()
  // Beside the side pane, so that no message covers the prompt.
  const swapped = layout.use(now => now.swapped)
  return (
    <RunnerContext value={runner.run}>
      <TooltipProvider>
        <EditorPartsContext value={editorParts}>
          <Fence name="Belay">
            <Shell />
          </Fence>
        </EditorPartsContext>
        <Toaster theme={useDark() ? 'dark' : 'light'} label={t('app.news')} side={swapped ? 'right' : 'left'} />
      </TooltipProvider>
    </RunnerContext>
  )
}

const isDark = () => !document.documentElement.dataset.theme?.endsWith('light')

function useDark(): boolean {
  const [dark, setDark] = useState(isDark)
  useEffect(() => {
    const observer = new MutationObserver(() => setDark(isDark()))
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => observer.disconnect()
  }, [])
  return dark
}
