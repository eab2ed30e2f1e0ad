/** The editor: text, pictures, Markdown and diffs in groups of tabs. */
import { FileText } from 'lucide-react'
import type { Feature } from '../feature.ts'
import { editorCommands } from './commands.ts'
import { EditorPane } from './editor-pane.tsx'
import { EditorOverlay } from './overlay.tsx'
import { statusItems } from './status.tsx'

export const editor: Feature = {
  id: 'editor',
  panes: [{ id: 'editor', title: 'editor.title', icon: FileText, place: 'main', order: 0, component: EditorPane }],
  status: statusItems,
  commands: editorCommands,
  overlay: EditorOverlay,
}
