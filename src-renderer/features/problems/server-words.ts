/** How language servers stand, in one word: for the file in front, or all in all. Pure. */
import type { LanguageServerInfo } from '#contract/language'
import type { FileProblems } from '#contract/language-problems'
import { type AnyPath, pathKey } from '#contract/path'

/** What matters most comes first. */
const order: readonly LanguageServerInfo['state'][] = [
  'broken',
  'starting',
  'ready',
  'untrusted',
  'missing',
  'idle',
  'off',
]

const endingOf = (path: AnyPath): string => {
  const text = 'uri' in path ? path.uri : path.path
  const name = text.slice(text.lastIndexOf('/') + 1)
  return name.includes('.') ? name.slice(name.lastIndexOf('.')).toLowerCase() : ''
}

/** Those that a file of this name is for, the ones that are something to it first. */
export function serversFor(servers: readonly LanguageServerInfo[], path: AnyPath): LanguageServerInfo[] {
  const ending = endingOf(path)
  return servers
    .filter(({ extensions }) => extensions.includes(ending))
    .sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
}

export interface ServerStanding {
  /** Null: servers as such. */
  readonly name: string | null
  readonly state: LanguageServerInfo['state']
  /** What is wrong and what to do about it. */
  readonly problem: string | null
}

/** Null where there is nothing to say: none runs and none is for the file in front. */
export function standingOf(servers: readonly LanguageServerInfo[], front: AnyPath | null): ServerStanding | null {
  const own = front ? serversFor(servers, front)[0] : undefined
  if (own && own.state !== 'idle' && own.state !== 'off') return own
  const started = servers
    .filter(({ root }) => root !== null)
    .sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
  const [first] = started.filter(({ state }) => state !== 'idle' && state !== 'missing')
  return first ? { name: null, state: first.state, problem: first.problem } : null
}

/** Of how many files somebody can say what is wrong: a server that has ended confirms nothing any more. */
export function lookedAt(entries: Iterable<FileProblems>, servers: readonly LanguageServerInfo[]): number {
  const ready = new Set(servers.flatMap(({ serverId, state }) => (state === 'ready' ? [serverId] : [])))
  return new Set([...entries].flatMap(({ serverId, path }) => (ready.has(serverId) ? [pathKey(path)] : []))).size
}
