/** Where what is in an editor leads: another file opens as a tab of ours, the web outside Belay, all else nowhere. */
import type { editor, IPosition, IRange, Uri } from 'monaco-editor/editor'
import { type AnyPath, samePath } from '#contract/path'
import { host } from '../../../client/index.ts'
import { workspaceView } from '../../../state/view/workspace.ts'
import type { Monaco } from '../../../ui/monaco/index.ts'
import type { RunCommand } from '../../commands.ts'
import { focusedEditor } from '../focus.ts'
import { pathOfUri } from '../model-uri.ts'

/** For how long Monaco waits to see the text that it asked for. */
const SHOWN_MS = 2000

export function openElsewhere(monaco: Monaco, run: RunCommand): void {
  monaco.editor.registerEditorOpener({
    async openCodeEditor(source, uri, at) {
      const path = pathOfUri(uri)
      const here = source.getModel()
      if (!path) return false
      const from = here && pathOfUri(here.uri)
      // Monaco goes there itself, in the tab that is shown already.
      if (from && samePath(from, path) && source === focusedEditor()) return false
      const { lineNumber, column } = startOf(at)
      await run('editor.open', { path, line: lineNumber, column })
      await isShown(path)
      return true
    },
  })
  monaco.editor.registerLinkOpener({
    async open(uri) {
      if (/^(https?|mailto)$/.test(uri.scheme))
        await host.host.openExternal({ url: uri.toString(true) }).catch(() => {})
      // Monaco knows the place, and asks the opener above.
      if (pathOfUri(uri)) return false
      if (uri.scheme === 'file') await run('editor.open', { path: fileAt(uri), ...placeIn(uri.fragment) })
      return true
    },
  })
}

const startOf = (at: IRange | IPosition | undefined): IPosition => {
  if (!at) return { lineNumber: 1, column: 1 }
  return 'startLineNumber' in at ? { lineNumber: at.startLineNumber, column: at.startColumn } : at
}

/** In the folder that holds it, or as a file outside of all. */
function fileAt(uri: Uri): AnyPath {
  const file = uri.fsPath.replaceAll('\\', '/')
  for (const { rootId, absolute } of workspaceView.getState().workspace?.roots ?? []) {
    const folder = `${absolute.replaceAll('\\', '/')}/`
    if (file.startsWith(folder)) return { rootId, path: file.slice(folder.length) }
  }
  return { uri: uri.with({ fragment: '' }).toString() }
}

/** `L12`, `L12,3` or `12,3`, as links into files have it. */
function placeIn(fragment: string): { line?: number; column?: number } {
  const [, line, column] = /^L?(\d+)(?:,(\d+))?/.exec(fragment) ?? []
  return { ...(line ? { line: Number(line) } : {}), ...(column ? { column: Number(column) } : {}) }
}

/** Monaco marks the place for a moment in the editor that was asked: not before the new text is in it. */
async function isShown(path: AnyPath): Promise<void> {
  const shows = (each: editor.ICodeEditor | null) => {
    const model = each?.getModel()
    const shown = model && 'uri' in model ? pathOfUri(model.uri) : null
    return shown !== null && samePath(shown, path)
  }
  const until = performance.now() + SHOWN_MS
  while (!shows(focusedEditor()) && performance.now() < until)
    await new Promise(resolve => requestAnimationFrame(resolve))
}
