/** Where Monaco asks for what only an application has: texts that no editor shows, and a way to say something to the person. */
import type { editor, Uri } from 'monaco-editor/editor'
import { ITextModelService } from 'monaco-editor/editor/common/services/resolverService.js'
import { StandaloneServices } from 'monaco-editor/editor/standalone/browser/standaloneServices.js'
import { IDialogService } from 'monaco-editor/platform/dialogs/common/dialogs.js'
import {
  INotificationService,
  NoOpNotification,
  Severity,
} from 'monaco-editor/platform/notification/common/notification.js'

export interface HeldModel {
  readonly model: editor.ITextModel
  readonly release: () => void
}

export interface MonacoNeeds {
  /** The text of that name, for as long as it is held; null for a name that is none of ours. Rejects where it cannot be had. */
  text(uri: Uri): Promise<HeldModel> | null
  tell(severity: 'info' | 'warning' | 'error', message: string): void
}

/** Once, after Monaco's services have started. */
export function serveMonaco({ text, tell }: MonacoNeeds): void {
  const models = StandaloneServices.get(ITextModelService)
  const usual = models.createModelReference.bind(models)
  models.createModelReference = async uri => {
    const ours = text(uri)
    if (!ours) return usual(uri)
    const { release } = await ours
    try {
      const reference = await usual(uri)
      return {
        object: reference.object,
        dispose() {
          reference.dispose()
          release()
        },
      }
    } catch (fault) {
      release()
      throw fault
    }
  }
  // What it gave up itself, such as looking for a tag's other name in a text that left the editor, it rejects, and awaits nowhere.
  window.addEventListener('unhandledrejection', event => {
    if (event.reason instanceof Error && event.reason.name === 'Canceled') event.preventDefault()
  })
  // It asks before it takes back a step over several texts. That is what undo was pressed for.
  StandaloneServices.get(IDialogService).prompt = async ({ buttons }) => ({
    result: await buttons?.[0]?.run({ checkboxChecked: false }),
  })
  StandaloneServices.get(INotificationService).notify = ({ severity, message }) => {
    const level = severity === Severity.Error ? 'error' : severity === Severity.Warning ? 'warning' : 'info'
    tell(level, typeof message === 'string' ? message : message.message)
    return new NoOpNotification()
  }
}
