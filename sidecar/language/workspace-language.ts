/** The servers of one workspace and what keeps them true: open texts, changes on disk, and what was just written. */
import { join } from 'node:path'
import type { TextChange } from '#contract/document'
import { BelayError } from '#contract/error'
import type { LanguageServerInfo, LanguageServerSetting } from '#contract/language'
import type { WirePath } from '#contract/path'
import type { PathChange } from '#contract/workspace'
import { keylessEnvironment } from '../base/environment.ts'
import type { Log } from '../base/log.ts'
import type { ChildLedger } from '../base/process-group.ts'
import { type Checked, check, isTooLarge, languageOf, MOST_FILES, type WrittenFile } from './check.ts'
import type { Client } from './client.ts'
import type { ServerDefinition } from './definition.ts'
import { diagnose } from './diagnose.ts'
import { createFleet, type Fleet, type FleetOptions } from './fleet.ts'
import { type Answer, navigate, placeParams, type Question } from './navigate.ts'
import type { OpenDocument } from './open-documents.ts'
import type { LanguageWorkspace } from './ports.ts'
import { indexText } from './position.ts'
import { isWithin } from './project-root.ts'
import { definitionsWith } from './registry.ts'
import { changesOf, proposedEdits } from './rename.ts'
import type { Server } from './server.ts'
import type { FileChange } from './watched-files.ts'

export interface WorkspaceLanguage {
  check(paths: readonly WirePath[], options: { budgetMs: number; signal: AbortSignal }): Promise<Checked>
  warm(absolute: string): Promise<void>
  /** Throws, with words for a model, where no server can answer. */
  navigate(question: Question): Promise<Answer>
  /** What the server of the file would change, by file. Throws as `navigate` does. Changes nothing. */
  rename(at: Omit<Question, 'operation' | 'query'>, newName: string): Promise<Renaming>
  servers(): LanguageServerInfo[]
  restart(id: string): Promise<void>
  /** What that server wrote from there on. Throws `not_found`. */
  log(id: string, from: number): { from: number; text: string }
  dispose(): Promise<void>
}

export interface Renaming {
  /** Absolute. */
  readonly files: readonly string[]
  /** What changes in the text of one of them. Throws `invalid` where the server proposed nonsense. */
  changesIn(file: string, text: string): TextChange[]
}

export interface WorkspaceLanguageOptions {
  readonly workspace: LanguageWorkspace
  readonly env: NodeJS.ProcessEnv
  readonly ledger?: ChildLedger | undefined
  readonly log: Log
  readonly limits?: FleetOptions['limits']
  servers(): Readonly<Record<string, LanguageServerSetting>>
  changed(): void
  /** That server wrote more into its log. */
  logged(id: string): void
  /** For tests: these and no others. */
  readonly definitions?: readonly ServerDefinition[]
}

const RENAME_MS = 15_000
/** For how long a file that is only being read may make its server work. */
const WARM_MS = 60_000

export function openWorkspaceLanguage(options: WorkspaceLanguageOptions): WorkspaceLanguage {
  const { workspace, log } = options
  const fleet = fleetOf(options)
  const textAt = async (absolute: string): Promise<string | null> => {
    const path = workspace.paths.toWire(absolute)
    if (!path) return null
    const text = await workspace.documents.textOf(path).catch(() => null)
    return text === null || isTooLarge(text) ? null : text
  }
  const holding = (absolute: string): { server: Server; client: Client }[] =>
    fleet.all().flatMap(server => {
      const client = server.running()
      return client?.documents.at(absolute) ? [{ server, client }] : []
    })
  /** What servers have of a file becomes what it is now, or what is given. Never rejects. */
  const follow = async (absolute: string, saved: boolean, given: string | null = null): Promise<void> => {
    const holders = holding(absolute)
    if (holders.length === 0) return
    // Nothing is awaited before what is given is sent: typed texts keep their order.
    const text = given !== null && !isTooLarge(given) ? given : await textAt(absolute)
    const each = holders.map(({ server, client }) =>
      text === null
        ? client.documents.close(absolute)
        : client.documents.sync({ absolute, languageId: languageOf(server, absolute), text, saved }),
    )
    await Promise.allSettled(each)
  }
  const tellDisk = async (changes: readonly PathChange[]): Promise<void> => {
    const told = changes.flatMap(change => absoluteChange(workspace, change))
    const clients = fleet.all().flatMap(server => server.running() ?? [])
    const open = new Set(clients.flatMap(client => client.documents.all().map(({ absolute }) => absolute)))
    // Folders that came or went whole, and bursts that were not seen one by one, touch whatever is open below them.
    const touched = [...open].filter(absolute =>
      told.some(({ folder, at }) => (folder ? isWithin(absolute, at) : at === absolute)),
    )
    await Promise.all(touched.map(absolute => follow(absolute, true)))
    const files = told.flatMap(({ at, change }): FileChange[] =>
      change === 'overflow' ? [] : [{ absolute: at, change }],
    )
    for (const client of clients) client.filesChanged(files)
  }

  /** The server that is asked about a file, with its text; a server beside another is asked for nothing. */
  const asked = async (absolute: string): Promise<{ client: Client; document: OpenDocument }> => {
    const servers = (await fleet.serving(absolute, 'ask')).filter(({ definition }) => !definition.extra)
    const [server] = servers
    if (!server) throw new BelayError('unsupported', fleet.whyNone(absolute))
    const text = await textAt(absolute)
    if (text === null) throw new BelayError('invalid', 'That file is not there, is no text, or is larger than 5 MB.')
    const client = await server.client()
    if (!client) throw new BelayError('unavailable', server.problem ?? `${server.definition.name} is not running.`)
    await client.ready
    const languageId = languageOf(server, absolute)
    return { client, document: await client.documents.sync({ absolute, languageId, text, saved: false }) }
  }

  const ends = [
    workspace.documents.texts.on(({ absolute, text }) => void follow(absolute, false, text)),
    workspace.changed.on(changes => {
      void tellDisk(changes).catch(fault =>
        log('warn', 'servers could not be told of changes', { fault: String(fault) }),
      )
    }),
  ]

  return {
    async check(paths, { budgetMs, signal }) {
      const covered = paths.filter(({ path }) => fleet.covers(path))
      const files = await Promise.all(
        // One more than is looked at, so that it is known that there are more.
        covered.slice(0, MOST_FILES + 1).map(async (path): Promise<WrittenFile | null> => {
          const absolute = await workspace.paths.toAbsolute(path).catch(() => null)
          return absolute === null ? null : { path, absolute, text: await textAt(absolute) }
        }),
      )
      const written = files.filter(each => each !== null)
      for (const { absolute, text } of written) if (text === null) void follow(absolute, true)
      const toWire = (absolute: string) => workspace.paths.toWire(absolute)
      return check(written, { fleet, budgetMs, signal, toWire })
    },
    async warm(absolute) {
      const servers = await fleet.serving(absolute, 'check')
      if (servers.length === 0) return
      const text = await textAt(absolute)
      if (text === null) return
      await Promise.allSettled(
        servers.map(async server => {
          const client = await server.client()
          if (!client) return
          const document = await client.documents.sync({
            absolute,
            languageId: languageOf(server, absolute),
            text,
            saved: false,
          })
          // So that it is known what was wrong before anything is changed.
          if (document.known === null) await diagnose(client, document, document.version, AbortSignal.timeout(WARM_MS))
        }),
      )
    },
    async navigate(question) {
      const { client, document } = await asked(question.absolute)
      return navigate({ client, document, question, textOf: textAt })
    },
    async rename(at, newName) {
      const { client, document } = await asked(at.absolute)
      if (client.providers('textDocument/rename', document).length === 0)
        throw new BelayError('unsupported', `${client.definition.name} cannot rename.`)
      const params = placeParams({ client, document, question: { ...at, operation: 'definition', query: '' } })
      const { signal } = at
      const answer = await client.request(
        'textDocument/rename',
        { ...params, newName },
        { signal, timeoutMs: RENAME_MS },
      )
      const byFile = new Map(proposedEdits(answer).map(({ absolute, edits }) => [absolute, edits]))
      return {
        files: [...byFile.keys()],
        changesIn: (file, text) => changesOf(byFile.get(file) ?? [], indexText(text), client.encoding),
      }
    },
    servers: () => fleet.list(),
    restart: id => fleet.restart(id),
    log: fleet.log,
    async dispose() {
      for (const end of ends) end()
      await fleet.dispose()
    },
  }
}

/** Of a workspace in which nothing was needed yet. Starts nothing. */
export function describeServers(
  options: Omit<WorkspaceLanguageOptions, 'changed' | 'logged' | 'limits'>,
): LanguageServerInfo[] {
  return fleetOf({ ...options, changed: () => {}, logged: () => {} }).list()
}

const fleetOf = (options: WorkspaceLanguageOptions): Fleet =>
  createFleet({
    ...options,
    env: keylessEnvironment(options.env),
    definitions: options.definitions ?? definitionsWith(options.servers()),
    onChanged: options.changed,
    onLogged: options.logged,
  })

/** Where a change is on this machine; links in it are not followed, for servers are told of what was watched. */
function absoluteChange(
  { info }: LanguageWorkspace,
  { path, change, folder }: PathChange,
): { at: string; change: PathChange['change']; folder: boolean }[] {
  const root = info.roots.find(({ rootId }) => rootId === path.rootId)
  return root
    ? [{ at: join(root.absolute, ...path.path.split('/')), change, folder: folder || change === 'overflow' }]
    : []
}
