/**
 * Asks servers again what is wrong, once a change has settled: the changed document first, then those that a person has before
 * them or that had something wrong. Servers that tell by themselves are left alone; a person's own questions go first.
 */
import type { Client } from '../client.ts'
import { diagnose, PULL } from '../diagnose.ts'
import type { OpenDocument } from '../open-documents.ts'
import type { Busy } from './busy.ts'

export interface Refresh {
  /** `changed` null: anything may be otherwise now. */
  soon(client: Client, changed: OpenDocument | null): void
  dispose(): void
}

export interface RefreshOptions {
  readonly busy: Busy
  /** Where that client found something wrong. */
  wrongFilesOf(client: Client): ReadonlySet<string>
}

/** After the last of several changes, and at the latest after the first. */
const QUIET_MS = 120
const LATEST_MS = 600
const MOST_DOCUMENTS = 40

interface Round {
  readonly changed: Set<OpenDocument>
  all: boolean
  readonly since: number
  lastAt: number
  timer: NodeJS.Timeout | undefined
}

export function createRefresh({ busy, wrongFilesOf }: RefreshOptions): Refresh {
  const rounds = new Map<Client, Round>()
  const running = new Set<Client>()
  const ending = new AbortController()

  const wait = (client: Client, round: Round): void => {
    clearTimeout(round.timer)
    const now = performance.now()
    const ms = Math.max(0, Math.min(QUIET_MS, round.since + LATEST_MS - now))
    round.timer = setTimeout(() => void begin(client, round), ms).unref()
  }
  const begin = async (client: Client, round: Round): Promise<void> => {
    // One after the other; what came meanwhile waits for its turn.
    if (running.has(client)) return
    rounds.delete(client)
    running.add(client)
    await ask(client, round).finally(() => running.delete(client))
    const next = rounds.get(client)
    if (next) wait(client, next)
  }
  const ask = async (client: Client, { changed, all, lastAt }: Round): Promise<void> => {
    for (const document of documentsOf(client, { changed, all })) {
      if (ending.signal.aborted || client.isOver() || rounds.has(client)) return
      // Somebody else has asked since.
      if (document.judgedAt >= lastAt) continue
      await busy.calm()
      await diagnose(client, document, document.version, ending.signal)
    }
  }
  const documentsOf = (client: Client, { changed, all }: Pick<Round, 'changed' | 'all'>): OpenDocument[] => {
    const wrong = wrongFilesOf(client)
    const matters = (document: OpenDocument) => document.of !== null || wrong.has(document.absolute)
    const documents = client.documents.all().filter(document => matters(document) && providersOf(client, document) > 0)
    const others = documents.filter(document => !changed.has(document))
    const reachOthers = all || documents.some(document => reachesOthers(client, document))
    const own = documents.filter(document => changed.has(document))
    return [...own, ...(reachOthers ? others : [])].slice(0, MOST_DOCUMENTS)
  }

  return {
    soon(client, changed) {
      if (ending.signal.aborted || client.isOver()) return
      const now = performance.now()
      const round = rounds.get(client) ?? { changed: new Set(), all: false, since: now, lastAt: now, timer: undefined }
      rounds.set(client, round)
      round.lastAt = now
      if (changed) round.changed.add(changed)
      else round.all = true
      if (!running.has(client)) wait(client, round)
    },
    dispose() {
      ending.abort()
      for (const { timer } of rounds.values()) clearTimeout(timer)
      rounds.clear()
    },
  }
}

const providersOf = (client: Client, document: OpenDocument): number => client.providers(PULL, document).length

/** Whether a change in one document may make another one wrong. */
const reachesOthers = (client: Client, document: OpenDocument): boolean =>
  client.providers(PULL, document).some(({ options }) => options.interFileDependencies !== false)
