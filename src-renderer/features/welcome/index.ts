/** What a newcomer meets: a folder to open, work to go on with, a model to choose. */
import { House } from 'lucide-react'
import type { Feature } from '../feature.ts'
import { Welcome } from './welcome.tsx'

export const welcome: Feature = {
  id: 'welcome',
  panes: [{ id: 'welcome', title: 'welcome.title', icon: House, place: 'main', order: 90, component: Welcome }],
}
