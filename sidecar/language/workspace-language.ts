/** The servers of one workspace: who asks them, what keeps their copies true, and what they find wrong. */
import { BelayError } from '#contract/error'
import type { LanguageServerInfo, LanguageServerSetting } from '#contract/language'
import type { WirePath } from '#contract/path'
import { keylessEnvironment } from '../base/environment.ts'
import type { Log } from '../base/log.ts'
import type { ChildLedger } from '../base/process-group.ts'
import { type Checked, check, MOST_FILES, type WrittenFile } from './check.ts'
import type { Client } from './client.ts'
import { createCopies } from './copies.ts'
import { languageOf, type ServerDefinition } from './definition.ts'
import { diagnose } from './diagnose.ts'
import { createEditor, type EditorHandlers } from './editor/editor.ts'
import { createFleet, type Fleet, type FleetOptions } from './fleet.ts'
import { type Answer, navigate, type Question } from './navigate.ts'
import type { OpenDocument } from './open-documents.ts'
import type { LanguageWorkspace } from './ports.ts'
import { createBusy } from './problems/busy.ts'
import { createProblemWatch, type ProblemWatch, type ProblemWatchOptions } from './problems/watch.ts'
import { definitionsWith } from './registry.ts'
import { type Renaming, renaming } from './rename.ts'
import type { Server } from './server.ts'
import { textAt } from './synced-text.ts'

export interface WorkspaceLanguage {
  check(paths: readonly WirePath[], options: { budgetMs: number; signal: AbortSignal }): Promise<Checked>
  warm(absolute: string): Promise<void>
  /** Throws, with words for a model, where no server can answer. */
  navigate(question: Question): Promise<Answer>
  /** What the server of the file would change, by file. Throws as `navigate` does. Changes nothing. */
  rename(at: Omit<Question, 'operation' | 'query'>, newName: string): Promise<Renaming>
  readonly editor: EditorHandlers
  problems: ProblemWatch['snapshot']
  servers(): LanguageServerInfo[]
  restart(id: string): Promise<void>
  /** What that server wrote from there on. Throws `not_found`. */
  log(id: string, from: number): { from: number; text: string }
  dispose(): Promise<void>
}

export interface WorkspaceLanguageOptions extends Pick<ProblemWatchOptions, 'count' | 'problemsChanged'> {
  readonly workspace: LanguageWorkspace
  readonly env: NodeJS.ProcessEnv
  readonly ledger?: ChildLedger | undefined
  readonly log: Log
  readonly limits?: FleetOptions['limits']
  servers(): Readonly<Record<string, LanguageServerSetting>>
  /** The state of a server is another one. */
  changed(): void
  /** That server wrote more into its log. */
  logged(id: string): void
  /** What an editor may ask may be something else now. */
  featuresChanged(): void
  /** Servers would answer otherwise, though no text changed: a `refresh` of the protocol by its name. */
  answersChanged(what: string): void
  /** For tests: these and no others. */
  readonly definitions?: readonly ServerDefinition[]
}

/** For how long a file that is only being read may make its server work. */
const WARM_MS = 60_000

export function openWorkspaceLanguage(options: WorkspaceLanguageOptions): WorkspaceLanguage {
  const { workspace, log } = options
  const fleet: Fleet = fleetOf({
    ...options,
    onChanged() {
      options.changed()
      options.featuresChanged()
    },
    onStarted(server, client) {
      watch.follow(server, client)
      client.refreshed.on(what => (what === 'features' ? options.featuresChanged() : options.answersChanged(what)))
      client.began.on(({ absolute }) => {
        // While its text was on the way, something may have been typed, or the file may have gone.
        void copies.typed(absolute)
        // What can be asked about it is known from now on.
        if (workspace.documents.openedAt(absolute)) options.featuresChanged()
      })
      void copies.syncOpened(server)
    },
  })
  const copies = createCopies({ workspace, fleet })
  const busy = createBusy()
  const watch = createProblemWatch({ ...options, fleet, busy })
  const quiet = (what: string) => (fault: unknown) => log('warn', what, { fault: String(fault) })

  /** The server reads it, and says what is wrong with it now. */
  const warmIn = async (server: Server, absolute: string): Promise<void> => {
    const client = await server.client()
    const text = client && (await textAt(workspace, absolute))
    if (!text) return
    const languageId = languageOf(server.definition, absolute)
    const document = await client.documents.sync({ ...text, languageId, saved: false })
    // So that it is known what was wrong before anything is changed.
    if (document.known === null) await diagnose(client, document, document.version, AbortSignal.timeout(WARM_MS))
  }
  const warm = async (absolute: string): Promise<void> => {
    const servers = await fleet.serving(absolute, 'check')
    await Promise.allSettled(servers.map(server => warmIn(server, absolute)))
  }
  const present = (absolute: string): void => {
    void fleet
      .serving(absolute, 'ask')
      .then(servers => Promise.allSettled(servers.map(server => warmIn(server, absolute))))
      .catch(quiet('a server could not be shown a file'))
  }

  /** The server that is asked about a file, with its text; a server beside another is asked for nothing. */
  const asked = async (absolute: string): Promise<{ client: Client; document: OpenDocument }> => {
    const servers = (await fleet.serving(absolute, 'ask')).filter(({ definition }) => !definition.extra)
    const [server] = servers
    if (!server) throw new BelayError('unsupported', fleet.whyNone(absolute))
    const text = await textAt(workspace, absolute)
    if (text === null) throw new BelayError('invalid', 'That file is not there, is no text, or is larger than 5 MB.')
    const client = await server.client()
    if (!client) throw new BelayError('unavailable', server.problem ?? `${server.definition.name} is not running.`)
    await client.ready
    const languageId = languageOf(server.definition, absolute)
    return { client, document: await client.documents.sync({ ...text, languageId, saved: false }) }
  }

  const ends = [
    workspace.documents.texts.on(({ absolute }) => void copies.typed(absolute)),
    workspace.changed.on(changes => {
      fleet.cameOrWent(changes)
      watch.onDisk(changes)
      void copies.onDisk(changes).catch(quiet('servers could not be told of changes'))
    }),
  ]

  return {
    async check(paths, { budgetMs, signal }) {
      const covered = paths.filter(({ path }) => fleet.covers(path))
      const places = await Promise.all(
        // One more than is looked at, so that it is known that there are more.
        covered.slice(0, MOST_FILES + 1).map(async path => {
          const absolute = await workspace.paths.toAbsolute(path).catch(() => null)
          return absolute === null ? null : { path, absolute }
        }),
      )
      const found = places.filter(each => each !== null)
      // What a command wrote is not in the open texts yet; without it the text of before would be judged in its place.
      await workspace.documents.diskChanged(found.map(({ absolute }) => absolute))
      const written = await Promise.all(
        found.map(async (each): Promise<WrittenFile> => ({ ...each, text: await textAt(workspace, each.absolute) })),
      )
      for (const { absolute, text } of written) if (text === null) void copies.follow(absolute, true)
      const toWire = (absolute: string) => workspace.paths.toWire(absolute)
      return check(written, { fleet, budgetMs, signal, toWire })
    },
    warm,
    async navigate(question) {
      const { client, document } = await asked(question.absolute)
      const textOf = async (absolute: string) => (await textAt(workspace, absolute))?.text ?? null
      return navigate({ client, document, question, textOf })
    },
    async rename(at, newName) {
      const { client, document } = await asked(at.absolute)
      return renaming({ client, document, at, newName })
    },
    editor: createEditor({
      ...{ workspace, fleet, busy, present },
      syncOpened: async () => void (await Promise.all(fleet.all().map(copies.syncOpened))),
    }),
    problems: watch.snapshot,
    servers: () => fleet.list(),
    async restart(id) {
      await fleet.restart(id)
      // What a person has before them is looked at again at once.
      for (const { absolute } of workspace.documents.allOpened()) present(absolute)
    },
    log: fleet.log,
    async dispose() {
      for (const end of ends) end()
      watch.dispose()
      await fleet.dispose()
    },
  }
}

/** Of a workspace in which nothing was needed yet. Starts nothing. */
export function describeServers(options: FleetNeeds): LanguageServerInfo[] {
  return fleetOf({ ...options, ...silent }).list()
}

/** Whether a server would serve such a file if its folder were trusted. Starts nothing. */
export const wouldServe = (options: FleetNeeds, absolute: string): boolean =>
  fleetOf({ ...options, ...silent }).covers(absolute)

const silent = { onChanged: () => {}, onStarted: () => {}, logged: () => {} }

type FleetNeeds = Pick<
  WorkspaceLanguageOptions,
  'workspace' | 'env' | 'ledger' | 'log' | 'limits' | 'servers' | 'definitions'
>

const fleetOf = (
  options: FleetNeeds & Pick<WorkspaceLanguageOptions, 'logged'> & Pick<FleetOptions, 'onChanged' | 'onStarted'>,
): Fleet =>
  createFleet({
    ...options,
    env: keylessEnvironment(options.env),
    definitions: options.definitions ?? definitionsWith(options.servers()),
    onLogged: options.logged,
  })
