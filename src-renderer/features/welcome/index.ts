/** What a newcomer meets: a folder to open or to clone, work to go on with, a model to choose. */
import { House } from 'lucide-react'
import type { Feature } from '../feature.ts'
import { CloneOverlay, cloneDialog } from './clone-dialog.tsx'
import { Welcome } from './welcome.tsx'

export const welcome: Feature = {
  id: 'welcome',
  panes: [{ id: 'welcome', title: 'welcome.title', icon: House, place: 'main', order: 90, component: Welcome }],
  overlay: CloneOverlay,
  commands: {
    'app.cloneRepository': () => {
      cloneDialog.setState({ open: true })
    },
  },
}
