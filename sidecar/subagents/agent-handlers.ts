/** The `agents` domain: what a page lists, reads, writes and takes away. Only what is an agent is ever written. */
import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Handlers } from '#contract/define'
import { BelayError, toFault } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import type { BelayContract } from '#contract/index'
import { writeFileAtomic } from '../base/atomic-file.ts'
import type { Log } from '../base/log.ts'
import { createSerial } from '../base/serial.ts'
import { type ParsedAgent, parseAgent } from './definition.ts'
import type { Merged } from './merge.ts'
import { type AgentFile, type AgentPlace, hashOf, isInside, MAX_AGENT_BYTES, readSmall } from './scan.ts'

type AgentHandlers = Handlers<BelayContract>['agents']

/** A folder that may bring agents; a real path. */
export interface Brought {
  readonly absolute: string
  readonly readOnly: boolean
}

export interface AgentsOptions {
  /** Nobody's but those that Belay ships. */
  builtInOnly?: boolean | undefined
  /** The person's settings: their agents lie in `agents` below it. */
  configFolder: string
  /** Throws `not_found` when it is not open. */
  workspace(workspaceId: WorkspaceId): {
    readonly roots: readonly Brought[]
    /** Folders that hold agents and nothing else. */
    readonly mounts: readonly Brought[]
    readonly trusted: boolean
  }
  /** Every tool there is. */
  toolNames(): readonly string[]
  /** Takes a file away so that it can be brought back. */
  remove(file: string): Promise<void>
  log: Log
}

export interface LoadedAgents extends Merged {
  readonly files: readonly (AgentFile & { scope: AgentPlace['scope'] })[]
  readonly places: readonly AgentPlace[]
}

interface Which {
  workspaceId: WorkspaceId
  scope: AgentPlace['scope']
  name: string
}

export function agentHandlers(
  options: Pick<AgentsOptions, 'toolNames' | 'remove'> & {
    load(workspaceId: WorkspaceId): Promise<LoadedAgents>
    watch(workspaceId: WorkspaceId, places: LoadedAgents['places']): void
    told(): void
  },
): AgentHandlers {
  const writing = createSerial()

  const find = async ({ workspaceId, scope, name }: Which) => {
    const loaded = await options.load(workspaceId)
    return { loaded, found: fileOf(loaded, scope, name) }
  }
  const mustFind = async (which: Which): Promise<AgentFile> => {
    const { found } = await find(which)
    if (found) return found
    throw new BelayError('not_found', `There is no file for an agent ${which.name} any more. Nothing was done.`)
  }

  return {
    async list({ workspaceId }) {
      const { agents, problems, places } = await options.load(workspaceId)
      options.watch(workspaceId, places)
      return { agents: [...agents], problems: [...problems], tools: [...options.toolNames()] }
    },
    async read(which) {
      const { file } = await mustFind(which)
      const bytes = await readSmall(await realpath(file))
      return { text: bytes.toString('utf8'), hash: hashOf(bytes) }
    },
    save: ({ text, hash, ...which }) =>
      writing(async () => {
        const { loaded, found } = await find(which)
        const place = found ? placeHolding(loaded, found) : placeOf(loaded, which.scope)
        refuseReadOnly(place)
        const file = found?.file ?? join(place.folder, `${which.name}.md`)
        const fileName = found?.fileName ?? which.name
        const bytes = Buffer.from(text, 'utf8')
        if (bytes.length > MAX_AGENT_BYTES)
          throw new BelayError('too_large', 'The text is too long for an agent. Nothing was written.')
        const parsed = await parseAgent(text, { fileName, scope: which.scope, toolNames: options.toolNames() })
        if (!parsed.ok) throw notWritten(parsed.line, parsed.message)
        checkName(loaded, which, parsed, found)
        if ((found ? hashOf(await readSmall(await realpath(file))) : null) !== hash)
          throw new BelayError(
            'stale',
            `${basename(file)} was changed elsewhere since you opened it. Nothing was written; your text is still here. Read it again first.`,
          )
        await write(place, file, bytes)
        options.told()
        return { hash: hashOf(bytes) }
      }),
    remove: which =>
      writing(async () => {
        const { loaded, found } = await find(which)
        const { file } = found ?? (await mustFind(which))
        if (found) refuseReadOnly(placeHolding(loaded, found))
        await options.remove(file)
        options.told()
        return {}
      }),
  }
}

/** By the name it goes by, else, for one that is broken, by its file's. */
function fileOf(
  { files }: LoadedAgents,
  scope: AgentPlace['scope'],
  name: string,
): LoadedAgents['files'][number] | null {
  const key = name.toLowerCase()
  const own = files.filter(each => each.scope === scope)
  const byName = own.find(({ parsed }) => parsed.ok && parsed.agent.name.toLowerCase() === key)
  return byName ?? own.find(({ fileName }) => fileName.toLowerCase() === key) ?? null
}

function placeOf({ places }: LoadedAgents, scope: AgentPlace['scope']): AgentPlace {
  const place = places.find(each => each.scope === scope)
  if (place) return place
  throw new BelayError(
    'untrusted',
    'This folder is not trusted, so its agents are neither read nor written. Trust it first.',
  )
}

/** Where a file was found. */
const placeHolding = (loaded: LoadedAgents, { file, scope }: LoadedAgents['files'][number]): AgentPlace =>
  loaded.places.find(place => place.scope === scope && isInside(file, place.folder)) ?? placeOf(loaded, scope)

function refuseReadOnly({ readOnly, folder }: AgentPlace): void {
  if (readOnly)
    throw new BelayError('read_only', `${folder} is in a read-only folder of the workspace. Nothing was written.`)
}

const notWritten = (line: number, message: string): BelayError =>
  new BelayError('invalid', `Nothing was written. Line ${line}: ${message}`)

/** A new file says the name it was asked for; any file may only take a name that is free. */
function checkName(
  loaded: LoadedAgents,
  { scope, name }: Which,
  { agent, nameLine }: Extract<ParsedAgent, { ok: true }>,
  found: LoadedAgents['files'][number] | null,
): void {
  const key = agent.name.toLowerCase()
  if (!found && key !== name.toLowerCase())
    throw notWritten(nameLine, `The name is ${agent.name}, but it is to be saved as ${name}.`)
  const others = loaded.files.filter(each => each.file !== found?.file && each.parsed.ok)
  const other = others.find(({ parsed }) => parsed.ok && parsed.agent.name.toLowerCase() === key)
  const mine = found?.parsed.ok === true && found.parsed.agent.name.toLowerCase() === key
  const taken = scope === 'workspace' ? !mine && !loaded.isFree(key) : other?.scope === 'user'
  if (!taken) return
  const holder = loaded.agents.find(each => each.name.toLowerCase() === key)
  throw notWritten(
    nameLine,
    `The name ${agent.name} is taken by ${other?.file ?? holderWords[holder?.scope ?? 'user']}.`,
  )
}

const holderWords = {
  'built-in': 'a built-in agent: one of a folder cannot stand for it',
  user: 'a file of your own that has a mistake',
  workspace: 'another agent of this folder',
  generated: 'an agent that was made for a session',
} as const

/** Never through a link that leads out of the folder. */
async function write(place: AgentPlace, file: string, bytes: Uint8Array): Promise<void> {
  try {
    const { within } = place
    const at = await nearestReal(file)
    if (within !== null && !isInside(at, within))
      throw new BelayError('outside', `${file} leads out of the folder. Nothing was written.`)
    await writeFileAtomic(at, bytes, within === null ? 0o600 : 0o644)
  } catch (thrown) {
    const { code, message } = toFault(thrown)
    throw thrown instanceof BelayError ? thrown : new BelayError(code, `Nothing was written: ${message}`)
  }
}

/** Where it really lies, or would: what is there of the path is resolved. */
async function nearestReal(file: string): Promise<string> {
  const missing: string[] = []
  for (let at = file; dirname(at) !== at; at = dirname(at)) {
    const real = await realpath(at).catch(() => null)
    if (real !== null) return join(real, ...missing)
    // A link that leads nowhere yet would be followed by whoever writes.
    if (await lstat(at).catch(() => null)) throw new BelayError('outside', `${at} leads nowhere. Nothing was written.`)
    missing.unshift(basename(at))
  }
  return file
}
