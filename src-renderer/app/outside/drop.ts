/** Files and folders that are dropped on the window, beside the places that take them themselves: a file opens, a folder is asked about. */
import type { RunCommand } from '../../features/commands.ts'
import { pathIn, workspaceView } from '../../state/view/workspace.ts'
import { appView } from '../app-view.ts'

interface Dropped {
  readonly absolute: string
  readonly folder: boolean
}

/** Call once. Where the page learns of no paths (a browser) nothing is taken. */
export function takeDrops(target: Window, run: RunCommand): void {
  const takes: Readonly<Record<'dragover' | 'drop', (event: DragEvent) => void>> = {
    dragover: event => {
      if (event.dataTransfer) event.dataTransfer.dropEffect = target.belay ? 'copy' : 'none'
    },
    drop: event => {
      for (const dropped of droppedOn(event, target)) void show(dropped, run)
    },
  }
  for (const [type, take] of Object.entries(takes) as [keyof typeof takes, (event: DragEvent) => void][]) {
    const takeFiles = (event: DragEvent) => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      take(event)
    }
    target.addEventListener(type, takeFiles)
    // Monaco would write the path into the text.
    const beforeEditor = (event: DragEvent) => {
      if (!(event.target instanceof Element && event.target.closest('.monaco-editor'))) return
      if (!event.dataTransfer?.types.includes('Files')) return
      event.stopPropagation()
      takeFiles(event)
    }
    target.addEventListener(type, beforeEditor, true)
  }
}

/** Only what lies on a disk has a path: not an image of a page. */
function droppedOn(event: DragEvent, { belay }: Window): Dropped[] {
  return [...(event.dataTransfer?.items ?? [])].flatMap(item => {
    const file = item.kind === 'file' ? item.getAsFile() : null
    const absolute = file ? belay?.pathOf(file) : ''
    return absolute ? [{ absolute, folder: item.webkitGetAsEntry()?.isDirectory === true }] : []
  })
}

async function show({ absolute, folder }: Dropped, run: RunCommand): Promise<void> {
  const { workspace } = workspaceView.getState()
  if (folder && workspace) return appView.setState({ droppedFolder: absolute })
  if (folder) return run('app.openFolderAt', { folder: absolute })
  // Without a workspace there is none that could show a file.
  if (!workspace) await run('app.openFolderAt', { folder: absolute.replace(/[/\\][^/\\]*$/, '') || '/' })
  const opened = workspaceView.getState().workspace
  if (opened) await run('editor.open', { path: pathIn(opened, absolute) })
}
