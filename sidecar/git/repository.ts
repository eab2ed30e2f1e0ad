/** One repository as the verbs use it: git runs at its top, names are turned into paths of the root and back, writing waits in a queue. */
import { dirname, join, relative, resolve, sep } from 'node:path'
import { BelayError } from '#contract/error'
import type { Root } from '#contract/workspace'
import type { ChildLedger } from '../base/process-group.ts'
import { createSerial, type Serial } from '../base/serial.ts'
import { type Paths, relativeBelow } from '../workspace/paths.ts'
import type { ConfigEntry, Manner } from './configuration.ts'
import { type Located, locate, type Place, translation } from './locate.ts'
import { configurationOf, type GitOptions, type GitResult, runGit } from './run.ts'

export type RunOptions = Pick<GitOptions, 'signal' | 'timeoutMs' | 'mostBytes' | 'input' | 'onPrinted' | 'extra'>

export interface Repository extends Place {
  readonly root: Root
  run(manner: Manner, args: readonly string[], options?: RunOptions): Promise<GitResult>
  /** What counts here, the repository's own part told apart. */
  configuration(): Promise<ConfigEntry[]>
  /** A path of the root as git names it from the top; `.` or a folder for ''. Throws `invalid`, `outside`. */
  toName(path: string): Promise<string>
  /** Null outside the root. */
  toPath(name: string): string | null
  /** What a path must begin with to lie in the root; '' where the root is the top or lies above it. */
  readonly prefix: string
  /** The read-only folder of the workspace that a real path belongs to; null where it may be written. */
  readOnlyRoot(absolute: string): Root | null
  readonly readOnlyRoots: readonly Root[]
  /** Names of those that lie in the work tree. */
  readonly spared: readonly string[]
  /** One writing verb after the other in all worktrees of the repository. */
  readonly queue: Serial
  /** Fetching and pushing wait for each other only: they may take long, and touch no files. */
  readonly network: Serial
}

export interface RepositorySetup {
  root: Root
  inside: string
  paths: Paths
  trusted(): boolean
  env: NodeJS.ProcessEnv
  ledger?: ChildLedger | undefined
  /** Ends what runs here. */
  signal: AbortSignal
  queues: Queues
}

export interface Queues {
  of(commonDir: string): { queue: Serial; network: Serial }
}

/** For one core: folders of several workspaces may be of one repository. */
export function createQueues(): Queues {
  const all = new Map<string, { queue: Serial; network: Serial }>()
  return {
    of(commonDir) {
      const found = all.get(commonDir) ?? { queue: createSerial(), network: createSerial() }
      all.set(commonDir, found)
      return found
    },
  }
}

/** Where it lies now, also where it is none that can be used. Never called untrusted. Throws `outside`, `invalid`. */
export async function findRepository(setup: RepositorySetup): Promise<Located & { repository?: Repository }> {
  const from = await setup.paths.toAbsolute({ rootId: setup.root.rootId, path: setup.inside })
  const place = await locate(from)
  if (place.standing !== 'ready') return place
  const configs = [join(place.commonDir, 'config'), join(place.gitDir, 'config.worktree')]
  const at = { cwd: place.top, ceiling: dirname(place.top), configs, env: setup.env, ledger: setup.ledger }
  const elsewhere = await workTreeElsewhere(place, at)
  if (elsewhere !== null)
    return {
      standing: 'broken',
      note: `This repository’s configuration puts its files into ${elsewhere} (core.worktree). Belay works with it there only; open that folder, or remove the setting.`,
    }
  return { ...place, repository: repositoryAt(place, at, setup) }
}

/** A configuration that has git write somewhere else than into the folder that was opened is not followed. */
async function workTreeElsewhere(place: Place, at: GitOptions): Promise<string | null> {
  const said = (await configurationOf(at)).findLast(({ key }) => key === 'core.worktree')?.value
  if (said === undefined) return null
  const folder = resolve(place.gitDir, said)
  return folder === place.top ? null : folder
}

function repositoryAt(place: Place, at: GitOptions, setup: RepositorySetup): Repository {
  const { root, paths } = setup
  const { strip, add } = translation(root.absolute, place.top)
  return {
    ...place,
    ...setup.queues.of(place.commonDir),
    root,
    prefix: strip,
    readOnlyRoot: paths.readOnlyRoot,
    get readOnlyRoots() {
      return paths.roots.filter(({ readOnly }) => readOnly)
    },
    get spared() {
      return this.readOnlyRoots.flatMap(({ absolute }) => nameBelow(place.top, absolute) || [])
    },
    run(manner, args, { signal, ...options } = {}) {
      const both = signal ? AbortSignal.any([signal, setup.signal]) : setup.signal
      return runGit(manner, args, { ...at, ...options, signal: both })
    },
    configuration: () => configurationOf(at),
    async toName(path) {
      const absolute = await paths.toEntry({ rootId: root.rootId, path })
      const name = relative(place.top, absolute).split(sep).join('/')
      if (name === '..' || name.startsWith('../'))
        throw new BelayError('outside', 'That file is not part of this repository. Nothing was changed.')
      return name || '.'
    },
    toPath: name => (name.startsWith(strip) ? add + name.slice(strip.length) : null),
  }
}

const nameBelow = (top: string, absolute: string) => relativeBelow(top, absolute)?.split(sep).join('/')

/** The absolute place of what git names from the top. */
export const absoluteOf = (repository: Repository, name: string): string =>
  join(repository.top, ...name.split('/').filter(Boolean))
