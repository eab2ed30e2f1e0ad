/** All servers of one workspace: which serve a file, in which folder; that none runs which trust does not allow; their end. */
import { dirname } from 'node:path'
import { BelayError } from '#contract/error'
import type { LanguageServerInfo } from '#contract/language'
import { baseName } from '#contract/path'
import type { PathChange } from '#contract/workspace'
import type { Log } from '../base/log.ts'
import { findOnPath } from '../base/on-path.ts'
import type { ChildLedger } from '../base/process-group.ts'
import { endingOf, type ServerDefinition } from './definition.ts'
import type { LanguageWorkspace } from './ports.ts'
import { findProgram } from './program.ts'
import { isWithin, nearestMarked } from './project-root.ts'
import { createServer, type Server, type ServerLimits, type ServerOptions } from './server.ts'

export interface Fleet {
  /**
   * Those that serve this file (absolute, real, inside a root), and for a check only those that can check; none where trust
   * does not allow it. Starts nothing.
   */
  serving(absolute: string, to: 'check' | 'ask'): Promise<Server[]>
  /** Whether there may be a server for a file of this name. */
  covers(path: string): boolean
  /** There is one for such a file, and trust does not allow it. */
  waitsForTrust(absolute: string): boolean
  /** Why none serves a file, for a person or a model. */
  whyNone(absolute: string): string
  /** Files came or went: where what marks a project is among them, what lies where may be another project now. */
  cameOrWent(changes: readonly PathChange[]): void
  /** Every server that was started so far. */
  all(): Server[]
  list(): LanguageServerInfo[]
  /** Throws `not_found`. */
  restart(id: string): Promise<void>
  /** What it wrote from there on. Throws `not_found`. */
  log(id: string, from: number): { from: number; text: string }
  /** Never rejects; nothing runs afterwards. */
  dispose(): Promise<void>
}

export interface FleetOptions {
  readonly workspace: LanguageWorkspace
  readonly definitions: readonly ServerDefinition[]
  /** Without keys. */
  readonly env: Record<string, string>
  readonly ledger?: ChildLedger | undefined
  readonly log: Log
  readonly limits?: Partial<ServerLimits & { readonly running: number }> | undefined
  onChanged(): void
  /** That server wrote more into its log. */
  onLogged(id: string): void
  onStarted: ServerOptions['onStarted']
}

/** Most that run at once in a workspace of many projects; the one that was used longest ago is ended first. */
const MOST_RUNNING = 10
/** Folders of which it is known what marks a project above them. */
const MOST_REMEMBERED = 2000

export function createFleet(options: FleetOptions): Fleet {
  const { workspace, env } = options
  const definitions = options.definitions.filter(({ off }) => !off)
  const servers = new Map<string, Server>()
  let disposed = false

  const markers = new Set(definitions.flatMap(({ rootMarkers }) => rootMarkers))
  /** By server and folder. */
  const marked = new Map<string, Promise<string | null>>()
  const nearest = (absolute: string, top: string, { id, rootMarkers }: ServerDefinition): Promise<string | null> => {
    const key = `${id}\0${dirname(absolute)}`
    const known = marked.get(key)
    if (known) return known
    const found = nearestMarked(absolute, top, rootMarkers)
    if (marked.size >= MOST_REMEMBERED) marked.clear()
    marked.set(key, found)
    return found
  }
  const rootOf = async (absolute: string, definition: ServerDefinition): Promise<string | null> => {
    const { rootMarkers, extra } = definition
    const tops = workspace.info.roots.filter(root => isWithin(absolute, root.absolute)).map(root => root.absolute)
    // One root may lie inside another.
    const top = tops.sort((a, b) => b.length - a.length)[0]
    if (!top) return null
    const found = rootMarkers.length > 0 ? await nearest(absolute, top, definition) : null
    return found ?? (extra ? null : top)
  }
  const allowed = ({ executesProjectCode }: ServerDefinition): boolean =>
    executesProjectCode ? workspace.bringsCount : workspace.info.trusted

  const serverIn = (definition: ServerDefinition, root: string): Server => {
    const key = `${definition.id} ${root}`
    const known = servers.get(key)
    const server = known ?? createServer({ ...options, definition, root, onLogged: () => options.onLogged(key) })
    // Last in the order of use.
    servers.delete(key)
    servers.set(key, server)
    const running = [...servers.values()].filter(each => each.running())
    const most = options.limits?.running ?? MOST_RUNNING
    for (const old of running.slice(0, Math.max(0, running.length - most))) void old.restart()
    return server
  }

  const about = (
    definition: ServerDefinition,
  ): Omit<LanguageServerInfo, 'id' | 'root' | 'state' | 'version' | 'problem'> => ({
    serverId: definition.id,
    name: definition.name,
    extensions: Object.keys(definition.languages),
    executesProjectCode: definition.executesProjectCode,
    own: definition.own ?? false,
  })

  const get = (id: string): Server => {
    const server = servers.get(id)
    if (server) return server
    throw new BelayError('not_found', 'That language server was not started here (any more). Nothing was done.')
  }

  return {
    async serving(absolute, to) {
      if (disposed) return []
      const ending = endingOf(absolute)
      const able = (each: ServerDefinition) => to === 'ask' || lacking(each, env) === null
      const fitting = definitions.filter(each => ending in each.languages && allowed(each) && able(each))
      const found = await Promise.all(
        fitting.map(async definition => {
          const root = await rootOf(absolute, definition)
          return root === null || disposed ? [] : [serverIn(definition, root)]
        }),
      )
      return found.flat()
    },
    waitsForTrust: absolute =>
      definitions.some(each => endingOf(absolute) in each.languages && !each.extra && !allowed(each)),
    cameOrWent(changes) {
      const matters = ({ path, folder, change }: PathChange) =>
        change === 'overflow' || (change !== 'changed' && (folder || markers.has(baseName(path.path))))
      if (changes.some(matters)) marked.clear()
    },
    covers: path => definitions.some(each => endingOf(path) in each.languages),
    whyNone(absolute) {
      const ending = endingOf(absolute)
      const fitting = definitions.find(each => ending in each.languages)
      if (fitting) return `${fitting.name} may not run here: the person has not trusted this folder for it.`
      const all = [...new Set(definitions.flatMap(each => Object.keys(each.languages)))].sort()
      return `No language server covers ${ending || 'files without an ending'}. Covered: ${all.join(' ')}.`
    },
    all: () => [...servers.values()],
    list() {
      const started = [...servers.values()].map(
        (server): LanguageServerInfo => ({
          ...about(server.definition),
          id: server.id,
          root: workspace.paths.toWire(server.root),
          state: server.state,
          version: server.version,
          problem: server.problem,
        }),
      )
      const rest = options.definitions
        .filter(each => !started.some(({ serverId }) => serverId === each.id))
        .map((definition): LanguageServerInfo => {
          const found = findProgram(definition, env)
          const [state, problem] = definition.off
            ? (['off', null] as const)
            : !allowed(definition)
              ? (['untrusted', 'The folder is not trusted for this.'] as const)
              : 'missing' in found
                ? (['missing', found.missing] as const)
                : (['idle', lacking(definition, env)] as const)
          const version = 'missing' in found ? null : found.version
          return { ...about(definition), id: definition.id, root: null, state, version, problem }
        })
      return [...started, ...rest]
    },
    restart: async id => get(id).restart(),
    log: (id, from) => get(id).written.since(from),
    async dispose() {
      disposed = true
      await Promise.all([...servers.values()].map(each => each.dispose()))
      servers.clear()
    },
  }
}

/** What it needs besides itself and is not here, with what to do; null where nothing is. */
export function lacking({ checksWith, name }: ServerDefinition, env: NodeJS.ProcessEnv): string | null {
  if (!checksWith || findOnPath([checksWith.program], env)) return null
  return `${name} cannot check anything without ${checksWith.program}: ${checksWith.install}`
}
