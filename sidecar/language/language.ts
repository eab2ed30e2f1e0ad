/** The language room: the servers of every open workspace, the verdicts on what is written, and what a page may ask of them. */
import type { Handlers } from '#contract/define'
import { BelayError } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import type { LanguageServerInfo, LanguageServerSetting, language } from '#contract/language'
import { editorMethods } from '#contract/language-editor'
import { problemMethods } from '#contract/language-problems'
import type { WirePath } from '#contract/path'
import type { Log } from '../base/log.ts'
import type { ChildLedger } from '../base/process-group.ts'
import type { Checked } from './check.ts'
import type { LanguageWorkspace } from './ports.ts'
import type { WorkspaceLanguage } from './workspace-language.ts'

export interface Language {
  readonly handlers: Handlers<{ language: typeof language }>['language']
  /** The verdict on files that were just written or removed. Never rejects. */
  check(workspaceId: WorkspaceId, paths: readonly WirePath[], signal: AbortSignal): Promise<Checked>
  /** A file that is being read: its server starts and reads it too. Waits for nothing, never throws. */
  warm(workspaceId: WorkspaceId, absolute: string): void
  /** The workspace's own servers, for questions. Throws `untrusted`. */
  of(workspaceId: WorkspaceId): Promise<WorkspaceLanguage>
  /** The workspace was closed or lost trust: everything of it ends. Never rejects. */
  endWorkspace(workspaceId: WorkspaceId): Promise<void>
  /** The person's settings changed: servers that run by others end. Never rejects. */
  settingsChanged(): Promise<void>
  dispose(): Promise<void>
}

export interface LanguageOptions {
  /** Throws `not_found`. */
  workspace(id: WorkspaceId): LanguageWorkspace
  /** As the person's shell has it: where programs are found. */
  environment(): Promise<NodeJS.ProcessEnv>
  readonly ledger?: ChildLedger
  readonly log: Log
  enabled(): boolean
  servers(): Readonly<Record<string, LanguageServerSetting>>
  budgetMs(): number
  changed(workspaceId: WorkspaceId): void
  /** A server wrote more into its log. */
  logged(workspaceId: WorkspaceId, id: string): void
}

/** Words of the contract that no server is asked about so far. */
const unanswered = Object.fromEntries(
  [...Object.keys(editorMethods), ...Object.keys(problemMethods)].map(name => [
    name,
    () => Promise.reject(new BelayError('unsupported', 'Editors have no language server yet.')),
  ]),
) as unknown as Handlers<{ language: typeof editorMethods & typeof problemMethods }>['language']

export function createLanguage(options: LanguageOptions): Language {
  const opened = new Map<WorkspaceId, Promise<WorkspaceLanguage>>()
  /** What the running servers were made by. */
  let madeBy = ''

  /** Loaded with the first file that needs it: a start pays nothing for it. */
  const of = (workspaceId: WorkspaceId): Promise<WorkspaceLanguage> => {
    const workspace = options.workspace(workspaceId)
    if (!workspace.info.trusted)
      throw new BelayError('untrusted', 'This folder is not trusted, so no language server runs in it. Trust it first.')
    const known = opened.get(workspaceId)
    if (known) return known
    madeBy = JSON.stringify(options.servers())
    const made = open(workspace)
    opened.set(workspaceId, made)
    return made
  }
  const open = async (workspace: LanguageWorkspace): Promise<WorkspaceLanguage> => {
    const { openWorkspaceLanguage } = await import('./workspace-language.ts')
    const env = await options.environment()
    return openWorkspaceLanguage({
      ...options,
      workspace,
      env,
      changed: () => options.changed(workspace.info.workspaceId),
      logged: id => options.logged(workspace.info.workspaceId, id),
    })
  }
  const endAll = async (): Promise<void> => {
    await Promise.all([...opened.keys()].map(endWorkspace))
  }
  const endWorkspace = async (workspaceId: WorkspaceId): Promise<void> => {
    const ending = opened.get(workspaceId)
    opened.delete(workspaceId)
    await ending?.then(each => each.dispose()).catch(() => {})
  }
  /** Null where servers are switched off, the folder is not trusted, or it was closed. */
  const usable = async (workspaceId: WorkspaceId): Promise<WorkspaceLanguage | null> => {
    try {
      return options.enabled() ? await of(workspaceId) : null
    } catch {
      return null
    }
  }

  return {
    handlers: {
      async servers({ workspaceId }): Promise<{ servers: LanguageServerInfo[] }> {
        const workspace = options.workspace(workspaceId)
        const known = await opened.get(workspaceId)
        if (known) return { servers: known.servers() }
        const { describeServers } = await import('./workspace-language.ts')
        return { servers: describeServers({ ...options, workspace, env: await options.environment() }) }
      },
      async restart({ workspaceId, id }) {
        await (await of(workspaceId)).restart(id)
        return {}
      },
      log: async ({ workspaceId, id, from }) => (await of(workspaceId)).log(id, from),
      ...unanswered,
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
      void usable(workspaceId)
        .then(each => each?.warm(absolute))
        .catch(() => {})
    },
    endWorkspace,
    async settingsChanged() {
      if (opened.size > 0 && (!options.enabled() || JSON.stringify(options.servers()) !== madeBy)) await endAll()
    },
    dispose: endAll,
  }
}
