/**
 * The jail that every command of an agent runs in. Promise: a command is jailed as the policy says or it is not run, and
 * what was made for it is gone when it has ended.
 */
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { BelayError } from '#contract/error'
import type { SessionId, WorkspaceId } from '#contract/id'
import type { JailPolicy, JailStatus } from '#contract/sandbox'
import type { Root } from '#contract/workspace'
import { createEmitter, type Emitter } from '../base/emitter.ts'
import type { Folders } from '../base/folders.ts'
import type { Log } from '../base/log.ts'
import { protectedNames, protectedPairs, protectedPart, secretNamePatterns } from '../base/protected-places.ts'
import { type Cells, createCells } from './cells.ts'
import { environmentNames } from './environment.ts'
import { hiddenPlaces } from './hidden-places.ts'
import { createHolding } from './holding.ts'
import type { JailedCommand, JailRequest } from './jailed-command.ts'
import { type Backend, linuxBackend } from './linux.ts'
import { macBackend } from './macos.ts'
import type { ParentProxy } from './network.ts'
import { createPlaceholders } from './placeholders.ts'
import { createSessionTemps } from './session-temp.ts'
import { createSetAsides, type SetAsides } from './set-aside.ts'
import { linuxStatus, macStatus, noJailHere, refusalOf } from './status.ts'

export interface Jail {
  /** As far as is known now: the first look at the machine may still be to come. No command runs unjailed because of it. */
  holds(): boolean
  /** This platform has none: no look at the machine changes that. */
  isUnsupported(): boolean
  /** Looks again. Never rejects. */
  status(): Promise<JailStatus>
  readonly changed: Emitter<JailStatus>
  /** Throws `unavailable` with words where the jail does not hold. */
  prepare(request: JailRequest): Promise<JailedCommand>
  policy(roots: readonly Root[], sessionId?: SessionId): Promise<Omit<JailPolicy, 'hosts'>>
  /** A placeholder of the jail's own: nobody should be shown it. */
  isPlaceholder(absolute: string): boolean
  /** Belay writes there itself, because somebody allowed it: no command did. */
  expect(absolute: string): void
  /** What was taken out of the tree after commands, and waits for a person. */
  readonly asides: SetAsides
  /** Call it when the commands of the workspace have ended. */
  endWorkspace(workspaceId: WorkspaceId): Promise<void>
  dispose(): Promise<void>
}

export interface JailOptions {
  readonly folders: Folders
  readonly log: Log
  readonly env: NodeJS.ProcessEnv
  /** Folders that a person added, `~` allowed. */
  writableFolders(): readonly string[]
  /** The proxy that this machine is behind; without it the environment of this process says so. */
  parentProxy?(): ParentProxy
  platform?: NodeJS.Platform
}

const backends: Partial<Record<NodeJS.Platform, Backend>> = { linux: linuxBackend, darwin: macBackend }

const statusOf = (platform: NodeJS.Platform, probe: Cells['probe']): Promise<JailStatus> => {
  if (platform === 'linux') return linuxStatus(probe)
  if (platform === 'darwin') return macStatus(probe)
  return Promise.resolve(noJailHere(platform))
}

/** Writes of Belay's own that are remembered. */
const MOST_EXPECTED = 1000
/** So long one may take. */
const WRITING_MS = 10_000

export function createJail(options: JailOptions): Jail {
  const { folders, log, env, parentProxy, platform = process.platform } = options
  const place = join(folders.state, 'jail')
  const temps = createSessionTemps()
  const placeholders = createPlaceholders(place)
  const holding = createHolding(options.writableFolders, placeholders.has)
  const hidden = hiddenPlaces(env.HOME || homedir(), folders)
  /** When it was written there last. */
  const expected = new Map<string, number>()
  const backend = backends[platform]
  const asides = createSetAsides(join(place, 'aside'), fault =>
    log('warn', 'a protected place could not be set aside', { fault: String(fault) }),
  )
  const cells = createCells({
    ...{ backend: backend ?? linuxBackend, env, hidden, holding, placeholders, temps },
    ...(parentProxy ? { parentProxy } : {}),
    asides,
    // What was written just before a command looked may have reached the disk just after.
    expected: (path, since) =>
      [...expected].some(([each, at]) => at > since - WRITING_MS && (each === path || each.startsWith(`${path}/`))),
  })
  const changed = createEmitter<JailStatus>(fault => log('error', 'a listener failed', { fault: String(fault) }))
  const sessions = new Map<WorkspaceId, Set<SessionId>>()
  const recovered = Promise.all([temps.sweep(), placeholders.recover()])
  asides.prune()
  let known: JailStatus | null = null
  let looking: Promise<JailStatus> | null = null

  const look = (): Promise<JailStatus> => {
    looking ??= statusOf(platform, cells.probe)
      .catch((fault): JailStatus => ({ state: 'missing', errors: [String(fault)], install: null }))
      .then(status => {
        const before = known
        known = status
        looking = null
        if (before && before.state !== status.state) changed.emit(status)
        return status
      })
    return looking
  }

  return {
    changed,
    status: look,
    holds: () => (known ? known.state === 'holds' : backend !== undefined),
    isUnsupported: () => backend === undefined,
    isPlaceholder: placeholders.has,
    asides,
    expect(absolute) {
      if (protectedPart(absolute) === null) return
      expected.delete(absolute)
      expected.set(absolute, performance.now())
      for (const oldest of expected.keys()) {
        if (expected.size <= MOST_EXPECTED) break
        expected.delete(oldest)
      }
    },
    async prepare(request) {
      await recovered
      const status = known?.state === 'holds' ? known : await look()
      if (status.state !== 'holds') throw new BelayError('unavailable', refusalOf(status))
      sessions.set(request.workspaceId, (sessions.get(request.workspaceId) ?? new Set()).add(request.sessionId))
      return cells.prepare(request)
    },
    async policy(roots, sessionId) {
      const held = await holding.of(roots, false)
      return {
        writable: [...held.writable, sessionId ? temps.of(sessionId).files : join(tmpdir(), '(of the session)')],
        readOnly: [...held.readOnly],
        protectedNames: [...protectedNames, ...protectedPairs].sort(),
        hidden: [...hidden],
        maskedNames: [...secretNamePatterns],
        environment: environmentNames(env),
      }
    },
    async endWorkspace(workspaceId) {
      const ended = [...(sessions.get(workspaceId) ?? [])]
      sessions.delete(workspaceId)
      await Promise.all(ended.map(temps.end))
    },
    async dispose() {
      await recovered
      // What looks at the machine is a process too.
      await looking
      await Promise.all([temps.dispose(), placeholders.dispose()])
    },
  }
}
