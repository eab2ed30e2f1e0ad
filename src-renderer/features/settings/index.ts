/** Settings, keys and model accounts, as a page over the editor. */
import { Settings } from 'lucide-react'
import { lazy } from 'react'
import type { Feature } from '../feature.ts'
import { JailItem } from './jail-item.tsx'

const SettingsPage = lazy(async () => ({ default: (await import('./settings-page.tsx')).SettingsPage }))

export const settings: Feature = {
  id: 'settings',
  panes: [
    { id: 'settings', title: 'settings.title', icon: Settings, place: 'main', order: 80, component: SettingsPage },
  ],
  status: [{ id: 'settings.jail', side: 'left', order: 35, component: JailItem }],
}
