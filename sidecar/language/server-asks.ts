/** What a server may ask of Belay and tell it. Everything is answered; nothing changes a file, opens a window or calls a host. */
import type { Emitter } from '../base/emitter.ts'
import type { ServerDefinition } from './definition.ts'
import { type OpenDocument, uriOf } from './open-documents.ts'
import type { Connection } from './process.ts'
import { objectOf, type Registrations } from './registrations.ts'
import { answerOf } from './settings-answer.ts'

interface Asked {
  readonly definition: ServerDefinition
  readonly root: string
  readonly news: Emitter<OpenDocument | null>
  readonly refreshed: Emitter<string>
  readonly held: Held
}

/** What is there only at times. */
export interface Held {
  registrations: Registrations | null
  /** Takes the edits that a command asks for while one runs. */
  applying: ((edit: unknown) => void) | null
}

export function answerRequests(connection: Connection, asked: Asked): void {
  const { definition, root, news, refreshed, held } = asked
  const on = (method: string, answer: (params: unknown) => unknown) => connection.onRequest(method, answer)
  on('workspace/configuration', params => answerOf(definition.settings ?? {}, params))
  on('workspace/workspaceFolders', () => [{ uri: uriOf(root), name: root.split(/[\\/]/).at(-1) ?? root }])
  on('client/registerCapability', params => {
    held.registrations?.add(params)
    news.emit(null)
    refreshed.emit('features')
    return null
  })
  on('client/unregisterCapability', params => {
    held.registrations?.remove(params)
    news.emit(null)
    refreshed.emit('features')
    return null
  })
  on('workspace/diagnostic/refresh', () => {
    news.emit(null)
    return null
  })
  for (const of of ['semanticTokens', 'inlayHint', 'codeLens', 'foldingRange', 'inlineValue'])
    on(`workspace/${of}/refresh`, () => {
      refreshed.emit(of)
      return null
    })
  // A schema at some host of the project's choosing: nobody is called, and it is taken to allow everything.
  on('vscode/content', () => '{}')
  on('window/workDoneProgress/create', () => null)
  on('window/showMessageRequest', () => null)
  on('window/showDocument', () => ({ success: false }))
  on('workspace/applyEdit', params => {
    if (!held.applying) return { applied: false, failureReason: 'Belay applies edits that were asked for only.' }
    held.applying(objectOf(params).edit)
    return { applied: true }
  })
}

interface Listeners {
  note(words: string): void
  published(params: unknown): void
  other(method: string, params: unknown): void
}

export function listenTo(connection: Connection, { note, published, other }: Listeners): void {
  connection.onNotification('textDocument/publishDiagnostics', published)
  for (const method of ['window/logMessage', 'window/showMessage'])
    connection.onNotification(method, (params: unknown) => {
      const { message, type } = objectOf(params)
      if (typeof message === 'string' && (type === 1 || type === 2)) note(`${message}\n`)
    })
  connection.onNotification((method: string, params: unknown) => other(method, params))
  connection.onUnhandledProgress(({ value }) => other('$/progress', value))
}
