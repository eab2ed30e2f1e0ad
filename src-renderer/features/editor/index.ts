/** The editor: text, pictures, Markdown and diffs in groups of tabs. */
import { FileText, ListTree } from 'lucide-react'
import { lazy } from 'react'
import type { Feature } from '../feature.ts'
import { codeCommands } from './code-commands.ts'
import { editorCommands } from './commands.ts'
import { EditorPane } from './editor-pane.tsx'
import { languageCompanion } from './language/companion.ts'
import { EditorOverlay } from './overlay.tsx'
import { statusItems } from './status.tsx'

const OutlinePane = lazy(() => import('./language/outline-pane.tsx'))

export const editor: Feature = {
  id: 'editor',
  panes: [
    { id: 'editor', title: 'editor.title', icon: FileText, place: 'main', order: 0, component: EditorPane },
    { id: 'outline', title: 'editor.outline', icon: ListTree, place: 'side', order: 15, component: OutlinePane },
  ],
  status: statusItems,
  companions: [languageCompanion],
  commands: { ...editorCommands, ...codeCommands },
  overlay: EditorOverlay,
}
