/** The language room: the servers of every open workspace, the verdicts on what is written, and what a page may ask of them. */
import type { CallContext, Handlers } from '#contract/define'
import { BelayError } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import type { LanguageServerInfo, LanguageServerSetting, language } from '#contract/language'
import { editorMethods } from '#contract/language-editor'
import type { WirePath } from '#contract/path'
import { createEmitter, type Emitter } from '../base/emitter.ts'
import type { Log } from '../base/log.ts'
import { once } from '../base/once.ts'
import type { ChildLedger } from '../base/process-group.ts'
import type { Checked } from './check.ts'
import type { EditorHandlers } from './editor/editor.ts'
import type { LanguageEvent } from './news.ts'
import type { LanguageWorkspace } from './ports.ts'
import type { WorkspaceLanguage } from './workspace-language.ts'

export interface Language {
  readonly handlers: Handlers<{ language: typeof language }>['language']
  /** For every client. */
  readonly events: Emitter<LanguageEvent>
  /** The verdict on files that were just written or removed. Never rejects. */
  check(workspaceId: WorkspaceId, paths: readonly WirePath[], signal: AbortSignal): Promise<Checked>
  /** A file that is being read: its server starts and reads it too. Waits for nothing, never throws. */
  warm(workspaceId: WorkspaceId, absolute: string): void
  /** The workspace's own servers, for questions. Throws `untrusted`. */
  of(workspaceId: WorkspaceId): Promise<WorkspaceLanguage>
  /** The workspace was closed or lost trust: everything of it ends. Never rejects. */
  endWorkspace(workspaceId: WorkspaceId): Promise<void>
  /** It got trust, or another folder: what may run in it is another thing now. */
  workspaceChanged(workspaceId: WorkspaceId): void
  /** The person's settings changed: servers that run by others end. Never rejects. */
  settingsChanged(): Promise<void>
  dispose(): Promise<void>
}

export interface LanguageOptions {
  readonly epoch: string
  /** Throws `not_found`. */
  workspace(id: WorkspaceId): LanguageWorkspace
  /** As the person's shell has it: where programs are found. */
  environment(): Promise<NodeJS.ProcessEnv>
  readonly ledger?: ChildLedger
  readonly log: Log
  enabled(): boolean
  servers(): Readonly<Record<string, LanguageServerSetting>>
  budgetMs(): number
}

const UNTRUSTED = 'This folder is not trusted, so no language server runs in it. Trust it first.'

export function createLanguage(options: LanguageOptions): Language {
  const opened = new Map<WorkspaceId, Promise<WorkspaceLanguage>>()
  const events = createEmitter<LanguageEvent>(fault =>
    options.log('error', 'a listener of language servers failed', { fault: String(fault) }),
  )
  /** Of each workspace's list of problems the last batch that was told, over all its openings. */
  const counts = new Map<WorkspaceId, { seq: number }>()
  const countOf = (workspaceId: WorkspaceId): { seq: number } => {
    const count = counts.get(workspaceId) ?? { seq: 0 }
    counts.set(workspaceId, count)
    return count
  }
  const featuresChanged = (workspaceId: WorkspaceId) =>
    events.emit({ name: 'language/featuresChanged', payload: { workspaceId } })
  /** What the running servers were made by. */
  let madeBy = ''
  const settingsNow = () => JSON.stringify([options.enabled(), options.servers()])

  /** Loaded with the first file that needs it: a start pays nothing for it. */
  const of = (workspaceId: WorkspaceId): Promise<WorkspaceLanguage> => {
    const workspace = options.workspace(workspaceId)
    if (!workspace.info.trusted) throw new BelayError('untrusted', UNTRUSTED)
    const known = opened.get(workspaceId)
    if (known) return known
    madeBy = settingsNow()
    const made = open(workspace)
    opened.set(workspaceId, made)
    return made
  }
  const open = async (workspace: LanguageWorkspace): Promise<WorkspaceLanguage> => {
    const { openWorkspaceLanguage } = await import('./workspace-language.ts')
    const { createNews } = await import('./news.ts')
    const env = await options.environment()
    const { workspaceId } = workspace.info
    const news = createNews(workspaceId, event => events.emit(event))
    return openWorkspaceLanguage({ ...options, ...news, count: countOf(workspaceId), workspace, env })
  }
  const endAll = async (): Promise<void> => {
    await Promise.all([...opened.keys()].map(endWorkspace))
  }
  const endWorkspace = async (workspaceId: WorkspaceId): Promise<void> => {
    const ending = opened.get(workspaceId)
    opened.delete(workspaceId)
    await ending?.then(each => each.dispose()).catch(() => {})
    if (ending) featuresChanged(workspaceId)
  }
  /** Null where servers are switched off, the folder is not trusted, or it was closed. */
  const usable = async (workspaceId: WorkspaceId): Promise<WorkspaceLanguage | null> => {
    try {
      return options.enabled() ? await of(workspaceId) : null
    } catch {
      return null
    }
  }
  /** By its name alone: most of what is read needs no server, and nothing is loaded or asked for that. */
  const covered = async (absolute: string): Promise<boolean> => {
    if (!options.enabled()) return false
    const { areCovered } = await import('./registry.ts')
    return areCovered(absolute, options.servers())
  }
  /** For what only describes: nothing is started. */
  const described = async (workspaceId: WorkspaceId) => {
    const workspace = options.workspace(workspaceId)
    const { describeServers, wouldServe } = await import('./workspace-language.ts')
    const needs = { ...options, workspace, env: await options.environment() }
    return {
      servers: (): LanguageServerInfo[] => describeServers(needs),
      covers: (absolute: string) => wouldServe(needs, absolute),
      workspace,
    }
  }

  const editor = once(async (): Promise<EditorHandlers> => {
    const { editorHandlers } = await import('./editor/handlers.ts')
    return editorHandlers({
      editorOf: async workspaceId => (await usable(workspaceId))?.editor ?? null,
      async whyNone({ workspaceId, documentId }) {
        if (!options.enabled()) return { state: 'off', note: 'Language servers are switched off in the settings.' }
        const { covers, workspace } = await described(workspaceId)
        const opened = workspace.documents.opened(documentId)
        if (!opened || !covers(opened.absolute)) return { state: 'none', note: null }
        return { state: 'untrusted', note: UNTRUSTED }
      },
    })
  })

  return {
    events,
    handlers: {
      ...laterHandlers(editor),
      async problems({ workspaceId }) {
        const { workspaceId: id } = options.workspace(workspaceId).info
        const known = await opened.get(id)
        const { seq, files } = known?.problems() ?? { ...countOf(id), files: [] }
        return { epoch: options.epoch, seq, files }
      },
      async servers({ workspaceId }): Promise<{ servers: LanguageServerInfo[] }> {
        const known = await opened.get(workspaceId)
        return { servers: known ? known.servers() : (await described(workspaceId)).servers() }
      },
      async restart({ workspaceId, id }) {
        await (await of(workspaceId)).restart(id)
        return {}
      },
      log: async ({ workspaceId, id, from }) => (await of(workspaceId)).log(id, from),
    },
    of: async workspaceId => of(workspaceId),
    async check(workspaceId, paths, signal) {
      if (paths.length === 0) return { lsp: [] }
      try {
        return (
          (await (await usable(workspaceId))?.check(paths, { budgetMs: options.budgetMs(), signal })) ?? { lsp: [] }
        )
      } catch (fault) {
        options.log('warn', 'a verdict could not be had', { fault: String(fault) })
        return { lsp: [] }
      }
    },
    warm(workspaceId, absolute) {
      void covered(absolute)
        .then(is => (is ? usable(workspaceId) : null))
        .then(each => each?.warm(absolute))
        .catch(() => {})
    },
    endWorkspace,
    workspaceChanged(workspaceId) {
      featuresChanged(workspaceId)
    },
    async settingsChanged() {
      if (settingsNow() === madeBy) return
      await endAll()
      madeBy = settingsNow()
      for (const workspaceId of counts.keys()) featuresChanged(workspaceId)
    },
    dispose: endAll,
  }
}

/** What editors ask is loaded with the first question. */
function laterHandlers(load: () => Promise<EditorHandlers>): EditorHandlers {
  type Handler = (params: unknown, context: CallContext) => unknown
  const names = Object.entries(editorMethods).flatMap(([name, { kind }]) => (kind === 'request' ? [name] : []))
  const later = names.map((name): [string, Handler] => [
    name,
    async (params, context) => ((await load())[name as keyof EditorHandlers] as Handler)(params, context),
  ])
  return Object.fromEntries(later) as unknown as EditorHandlers
}
