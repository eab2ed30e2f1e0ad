import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, test } from 'vitest'
import type { WorkspaceInfo } from '#contract/workspace'
import { jailStore } from '../state/mirror/jail-store.ts'
import { workspaceView } from '../state/view/workspace.ts'
import { TooltipProvider } from '../ui/tooltip.tsx'
import { JailBanner } from './jail-banner.tsx'

test('without a jail on this platform a trusted folder says that every command asks', () => {
  const place = document.createElement('div')
  const root = createRoot(place)
  const become = (state: 'holds' | 'missing' | 'unsupported', trusted = true) =>
    flushSync(() => {
      jailStore.setState({ status: { state } as never })
      workspaceView.setState({ workspace: { trusted } as WorkspaceInfo })
    })
  flushSync(() =>
    root.render(
      <TooltipProvider>
        <JailBanner />
      </TooltipProvider>,
    ),
  )
  become('holds')
  expect(place.textContent).toBe('')
  become('unsupported', false)
  expect(place.textContent).toBe('')
  become('unsupported')
  expect(place.textContent).toContain(
    'There is no jail on this platform. Every command of the agent asks, whatever the mode.',
  )
  become('missing')
  expect(place.textContent).toContain('There is no jail on this machine yet.')
  root.unmount()
})
