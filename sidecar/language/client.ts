/**
 * One life of a server: initialised, spoken to, listened to. Whatever it asks is answered; nothing it asks for changes a file or
 * opens a window.
 */
import { CancellationTokenSource } from 'vscode-jsonrpc/node'
import { BelayError } from '#contract/error'
import { createEmitter, type Emitter } from '../base/emitter.ts'
import type { ChildLedger } from '../base/process-group.ts'
import { createSerial } from '../base/serial.ts'
import { capabilitiesFor } from './capabilities.ts'
import type { ServerDefinition } from './definition.ts'
import {
  createOpenDocuments,
  fileOf,
  type OpenDocument,
  type OpenDocuments,
  type SyncKind,
  uriOf,
} from './open-documents.ts'
import type { PositionEncoding } from './position.ts'
import { type Connection, type ProcessLimits, startProcess } from './process.ts'
import { arrayOf, createRegistrations, objectOf, type Registration } from './registrations.ts'
import { answerRequests, type Held, listenTo } from './server-asks.ts'
import { changeTypes, type FileChange, wantedChanges } from './watched-files.ts'

export interface Client {
  readonly definition: ServerDefinition
  readonly root: string
  readonly version: string | null
  readonly encoding: PositionEncoding
  readonly documents: OpenDocuments
  /** How it does a thing for a document; none: it cannot. */
  providers(method: string, document?: OpenDocument): Registration[]
  /** Rejects when the server refuses, is gone, or does not answer in time (null: until the signal); the request is then taken back. */
  request(
    method: string,
    params: unknown,
    options: { signal: AbortSignal; timeoutMs: null } | { signal?: AbortSignal | undefined; timeoutMs: number },
  ): Promise<unknown>
  /** Changes on disk, of which it hears what it asked for, and nothing of open documents. */
  filesChanged(changes: readonly FileChange[]): void
  /** A document is open there from now on; what is typed in it from now on has to be told. */
  readonly began: Emitter<OpenDocument>
  /** It may say something else of this document now (null: of any). */
  readonly news: Emitter<OpenDocument | null>
  /** All that it finds wrong in a file, as it says so; also in files that it does not have open. */
  readonly found: Emitter<Found>
  /** A document is another version of what a person has before them, though its text is the same. */
  readonly relabelled: Emitter<OpenDocument>
  /** It would answer otherwise now, though no text changed: a `refresh` of the protocol by its name, or `features`. */
  readonly refreshed: Emitter<string>
  /** Runs one of its commands; answers the edits that it asked for meanwhile. Rejects as `request` does. */
  command(command: Command, signal: AbortSignal): Promise<unknown[]>
  /** What it says is about the whole project from here on. Never rejects. */
  readonly ready: Promise<void>
  /** When that was; ms of `performance.now()`, 0 where it never had to read first. */
  readyAt(): number
  isOver(): boolean
  /** Why it is no use any more, as soon as that is so. Never rejects. */
  readonly over: Promise<string>
  /** Never rejects; nothing of it runs afterwards. */
  end(): Promise<void>
}

/** `document` null: it does not have that file open, and speaks of what is on disk. */
export interface Found {
  readonly absolute: string
  readonly document: OpenDocument | null
  readonly items: readonly unknown[]
}

export interface Command {
  readonly command: string
  readonly arguments?: readonly unknown[]
}

export interface ClientOptions {
  readonly definition: ServerDefinition
  readonly command: readonly [string, ...string[]]
  readonly env: Record<string, string>
  /** Absolute, real. */
  readonly root: string
  readonly packageVersion: string | null
  readonly ledger?: ChildLedger | undefined
  readonly limits?: Partial<ClientLimits> | undefined
  /** All it writes beside the protocol, as it comes. */
  onWords?(words: string): void
}

export interface ClientLimits extends ProcessLimits {
  readonly initializeMs: number
  /** After this it counts as ready, whatever it says. */
  readonly readyMs: number
  readonly openDocuments: number
}

const usual = { initializeMs: 30_000, readyMs: 60_000, openDocuments: 64 }

/** Throws with words where it does not come up; then nothing of it runs any more. */
export async function startClient(options: ClientOptions): Promise<Client> {
  const { definition, root, ledger, command, env, onWords } = options
  const limits = { ...usual, ...options.limits }
  const process = await startProcess({
    ...{ command, cwd: root, env, ledger, limits: options.limits },
    ...(onWords ? { onWords } : {}),
  })
  const { connection } = process
  const began: Client['began'] = createEmitter(() => {})
  const news: Client['news'] = createEmitter(() => {})
  const found: Client['found'] = createEmitter(() => {})
  const relabelled: Client['relabelled'] = createEmitter(() => {})
  const refreshed: Client['refreshed'] = createEmitter(() => {})
  const held: Held = { registrations: null, applying: null }
  const oneCommand = createSerial()
  let becomeReady = () => {}
  let readyAt = 0
  const ready = new Promise<void>(resolve => {
    becomeReady = () => {
      readyAt ||= performance.now()
      resolve()
    }
    if (definition.ready) setTimeout(becomeReady, limits.readyMs).unref()
    else resolve()
  })
  let isOver = false
  void process.over.then(() => {
    isOver = true
    becomeReady()
    news.emit(null)
  })
  answerRequests(connection, { definition, root, news, refreshed, held })
  listenTo(connection, {
    note: process.note,
    published: params => take(params),
    other(method, params) {
      const { ready } = definition
      if (ready?.method === method && objectOf(params)[ready.where.field] === ready.where.is) becomeReady()
    },
  })
  let take: (params: unknown) => void = () => {}
  connection.listen()

  const answer = objectOf(
    await withinTime(
      connection.sendRequest('initialize', initializeParams(options)),
      limits.initializeMs,
      process.over,
    ).catch(async (fault: Error) => {
      await process.end()
      const said = process.log().trim().split('\n').at(-1)
      throw new BelayError(
        'unavailable',
        `${definition.name} did not start. ${fault.message}${said ? ` It said: ${said}` : ''}`,
      )
    }),
  )
  const capabilities = objectOf(answer.capabilities)
  const registrations = createRegistrations(fixedOf(capabilities))
  held.registrations = registrations
  const encoding = encodingOf(capabilities.positionEncoding)
  const documents = createOpenDocuments({
    ...{ connection, encoding, kind: syncKindOf(capabilities.textDocumentSync), most: limits.openDocuments },
    moved: document => news.emit(document),
    began: document => began.emit(document),
    relabelled: document => relabelled.emit(document),
  })
  take = params => {
    const { uri, version, diagnostics } = objectOf(params)
    const document = typeof uri === 'string' ? documents.get(sameUri(uri)) : undefined
    if (!document) {
      const absolute = fileOf(uri)
      if (absolute !== null) found.emit({ absolute, document: null, items: arrayOf(diagnostics) })
      return
    }
    const about = typeof version === 'number' ? version : null
    if (about !== null && about !== document.version) return
    const pushed = { items: arrayOf(diagnostics), version: about, at: performance.now() }
    document.pushed = pushed
    news.emit(document)
    const tooSoon = about === null && pushed.at - document.sentAt < (definition.looksAfterMs ?? 0)
    if (registrations.of('textDocument/diagnostic', document).length === 0 && !tooSoon)
      found.emit({ absolute: document.absolute, document, items: pushed.items })
  }
  await connection.sendNotification('initialized', {})
  for (const method of definition.afterInitialized ?? []) await connection.sendNotification(method)
  if (definition.settings)
    await connection.sendNotification('workspace/didChangeConfiguration', { settings: definition.settings })

  const said = objectOf(answer.serverInfo).version
  return {
    definition,
    root,
    version: options.packageVersion ?? (typeof said === 'string' ? said : null),
    encoding,
    documents,
    began,
    news,
    found,
    relabelled,
    refreshed,
    ready,
    readyAt: () => readyAt,
    providers: (method, document) => registrations.of(method, document),
    request: (method, params, given) => send(connection, { method, params, ...given }),
    command: ({ command, arguments: given }, signal) =>
      oneCommand(async () => {
        const edits: unknown[] = []
        held.applying = edit => void edits.push(edit)
        try {
          const params = { command, ...(given ? { arguments: given } : {}) }
          await send(connection, { method: 'workspace/executeCommand', params, signal, timeoutMs: COMMAND_MS })
          return edits
        } finally {
          held.applying = null
        }
      }),
    filesChanged(changes) {
      const closed = changes.filter(({ absolute }) => !documents.at(absolute))
      const wanted = wantedChanges(registrations, root, closed)
      if (wanted.length === 0) return
      const told = wanted.map(({ absolute, change }) => ({ uri: uriOf(absolute), type: changeTypes[change] }))
      void connection.sendNotification('workspace/didChangeWatchedFiles', { changes: told }).catch(() => {})
    },
    isOver: () => isOver,
    over: process.over,
    end: process.end,
  }
}

/** Servers escape a URI as they like; ours is Node's. */
function sameUri(uri: string): string {
  try {
    return new URL(decodeURIComponent(uri).replaceAll('%', '%25').replaceAll('#', '%23').replaceAll('?', '%3F')).href
  } catch {
    return uri
  }
}

const initializeParams = ({ definition, root }: ClientOptions) => ({
  processId: process.pid,
  clientInfo: { name: 'Belay' },
  rootPath: root,
  rootUri: uriOf(root),
  workspaceFolders: [{ uri: uriOf(root), name: root.split(/[\\/]/).at(-1) ?? root }],
  capabilities: capabilitiesFor(definition),
  initializationOptions: definition.initialization ?? {},
})

const encodingOf = (said: unknown): PositionEncoding => (said === 'utf-8' || said === 'utf-32' ? said : 'utf-16')

function syncKindOf(said: unknown): SyncKind {
  const { change = typeof said === 'number' ? said : 0, save } = objectOf(said)
  return {
    change: change === 2 ? 'incremental' : change === 1 ? 'full' : 'none',
    save: save === true || typeof save === 'object' || typeof said === 'number',
    saveText: objectOf(save).includeText === true,
  }
}

const COMMAND_MS = 60_000

/** `initialize` says it by names of its own. */
const fixedOf = (capabilities: Record<string, unknown>): Record<string, unknown> => ({
  'textDocument/diagnostic': capabilities.diagnosticProvider,
  'textDocument/completion': capabilities.completionProvider,
  'textDocument/hover': capabilities.hoverProvider,
  'textDocument/signatureHelp': capabilities.signatureHelpProvider,
  'textDocument/definition': capabilities.definitionProvider,
  'textDocument/declaration': capabilities.declarationProvider,
  'textDocument/typeDefinition': capabilities.typeDefinitionProvider,
  'textDocument/documentHighlight': capabilities.documentHighlightProvider,
  'textDocument/formatting': capabilities.documentFormattingProvider,
  'textDocument/rangeFormatting': capabilities.documentRangeFormattingProvider,
  'textDocument/onTypeFormatting': capabilities.documentOnTypeFormattingProvider,
  'textDocument/semanticTokens': capabilities.semanticTokensProvider,
  'textDocument/foldingRange': capabilities.foldingRangeProvider,
  'textDocument/inlayHint': capabilities.inlayHintProvider,
  'textDocument/selectionRange': capabilities.selectionRangeProvider,
  'textDocument/documentColor': capabilities.colorProvider,
  'textDocument/linkedEditingRange': capabilities.linkedEditingRangeProvider,
  'textDocument/documentLink': capabilities.documentLinkProvider,
  'workspace/willRenameFiles': objectOf(objectOf(capabilities.workspace).fileOperations).willRename,
  'workspace/executeCommand': capabilities.executeCommandProvider,
  'textDocument/implementation': capabilities.implementationProvider,
  'textDocument/references': capabilities.referencesProvider,
  'textDocument/documentSymbol': capabilities.documentSymbolProvider,
  'textDocument/prepareCallHierarchy': capabilities.callHierarchyProvider,
  'textDocument/rename': capabilities.renameProvider,
  'textDocument/codeAction': capabilities.codeActionProvider,
  'workspace/symbol': capabilities.workspaceSymbolProvider,
})

async function send(
  connection: Connection,
  {
    method,
    params,
    signal,
    timeoutMs,
  }: { method: string; params: unknown; signal?: AbortSignal | undefined; timeoutMs: number | null },
): Promise<unknown> {
  const source = new CancellationTokenSource()
  const cancel = () => source.cancel()
  const timer = timeoutMs === null ? undefined : setTimeout(cancel, timeoutMs)
  signal?.addEventListener('abort', cancel, { once: true })
  if (signal?.aborted) cancel()
  const cancelled = new Promise<never>((_, reject) => {
    source.token.onCancellationRequested(() =>
      reject(new BelayError('timeout', `No answer to ${method} came in time.`)),
    )
  })
  try {
    return await Promise.race([connection.sendRequest(method, params, source.token), cancelled])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
    source.dispose()
  }
}

function withinTime<T>(work: Promise<T>, ms: number, over: Promise<string>): Promise<T> {
  work.catch(() => {})
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`It did not answer within ${ms / 1000} s.`)), ms)
    const settle = (then: () => void) => {
      clearTimeout(timer)
      then()
    }
    void over.then(why => settle(() => reject(new Error(why))))
    work.then(
      value => settle(() => resolve(value)),
      // A connection that was closed meanwhile: how it ended says more.
      fault =>
        void Promise.race([over, new Promise<null>(done => setTimeout(() => done(null), 300))]).then(why =>
          settle(() => reject(why === null ? fault : new Error(why))),
        ),
    )
  })
}
