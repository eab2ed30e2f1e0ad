/**
 * The agents one may call: built in, the person's own, those of a trusted folder, those made for a session. Read from disk at
 * each question, so that what is answered never depends on a watch; the watch only tells clients to ask again.
 */
import { join } from 'node:path'
import type { AgentDefinition } from '#contract/agents'
import type { Handlers } from '#contract/define'
import type { WorkspaceId } from '#contract/id'
import type { BelayContract } from '#contract/index'
import { createEmitter, type Emitter } from '../base/emitter.ts'
import { watchFolder } from '../base/watch-folder.ts'
import { type AgentsOptions, agentHandlers, type Brought, type LoadedAgents } from './agent-handlers.ts'
import { builtInAgents } from './built-in.ts'
import { merge } from './merge.ts'
import { type AgentPlace, createScanner } from './scan.ts'

export interface Agents {
  readonly handlers: Handlers<BelayContract>['agents']
  /** Some client's list may look different now. */
  readonly changed: Emitter<null>
  /** As things are on disk. Throws `not_found` for a workspace that is not open. */
  load(workspaceId: WorkspaceId): Promise<LoadedAgents>
  /** Those that files hold. Costs next to nothing where there is no file: every turn asks. */
  written(workspaceId: WorkspaceId): Promise<readonly AgentDefinition[]>
  /** Made for a session; gone with this process. */
  add(workspaceId: WorkspaceId, agent: AgentDefinition): void
  /** A workspace was closed. */
  forget(workspaceId: WorkspaceId): void
  dispose(): void
}

const WATCH_DEPTH = 3

export function createAgents(options: AgentsOptions): Agents {
  const changed = createEmitter<null>(fault => options.log('error', 'a listener failed', { fault: String(fault) }))
  const scanner = createScanner()
  const generated = new Map<WorkspaceId, AgentDefinition[]>()
  const watches = new Map<WorkspaceId, Map<string, () => void>>()
  let builtIn: Promise<AgentDefinition[]> | null = null

  const placesOf = (workspaceId: WorkspaceId): AgentPlace[] => {
    if (options.builtInOnly) return []
    const { roots, mounts, trusted } = options.workspace(workspaceId)
    const own: AgentPlace = {
      scope: 'user',
      folder: join(options.configFolder, 'agents'),
      within: null,
      readOnly: false,
    }
    const placeOf = (folder: string, { absolute, readOnly }: Brought): AgentPlace => ({
      scope: 'workspace',
      ...{ folder, within: absolute, readOnly },
    })
    const brought = [
      ...roots.map(root => placeOf(join(root.absolute, '.belay', 'agents'), root)),
      ...mounts.map(mount => placeOf(mount.absolute, mount)),
    ]
    return trusted ? [own, ...brought] : [own]
  }

  const scan = (places: readonly AgentPlace[]) =>
    Promise.all(
      places.map(async place => ({ scope: place.scope, files: await scanner.scan(place, options.toolNames()) })),
    )
  const load = async (workspaceId: WorkspaceId): Promise<LoadedAgents> => {
    builtIn ??= builtInAgents(options.toolNames())
    const places = placesOf(workspaceId)
    const scanned = await scan(places)
    const merged = merge(await builtIn, scanned, generated.get(workspaceId) ?? [])
    return { ...merged, places, files: scanned.flatMap(({ scope, files }) => files.map(file => ({ ...file, scope }))) }
  }

  /** From the first list on, so that a process without a window pays nothing for it. */
  const watch = (workspaceId: WorkspaceId, places: readonly AgentPlace[]): void => {
    const before = watches.get(workspaceId) ?? new Map<string, () => void>()
    const now = new Map<string, () => void>()
    for (const { folder } of places)
      now.set(folder, before.get(folder) ?? watchFolder(folder, WATCH_DEPTH, () => changed.emit(null)))
    for (const [folder, end] of before) if (!now.has(folder)) end()
    watches.set(workspaceId, now)
  }
  const unwatch = (workspaceId: WorkspaceId): void => {
    for (const end of watches.get(workspaceId)?.values() ?? []) end()
    watches.delete(workspaceId)
  }

  return {
    handlers: agentHandlers({ ...options, load, watch, told: () => changed.emit(null) }),
    changed,
    load,
    async written(workspaceId) {
      const scanned = await scan(placesOf(workspaceId))
      if (scanned.every(({ files }) => files.length === 0)) return []
      const { agents } = await load(workspaceId)
      return agents.filter(({ scope }) => scope === 'user' || scope === 'workspace')
    },
    add(workspaceId, agent) {
      generated.set(workspaceId, [...(generated.get(workspaceId) ?? []), agent])
      changed.emit(null)
    },
    forget(workspaceId) {
      unwatch(workspaceId)
      generated.delete(workspaceId)
    },
    dispose() {
      for (const workspaceId of [...watches.keys()]) unwatch(workspaceId)
    },
  }
}
