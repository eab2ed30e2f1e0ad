/**
 * All that a server says of one version of one document, once it is sure of it: asked for where it answers, awaited where it
 * pushes. What it says of another version is not an answer.
 */
import { setTimeout as after } from 'node:timers/promises'
import type { Client } from './client.ts'
import type { OpenDocument } from './open-documents.ts'
import { arrayOf, objectOf, type Registration } from './registrations.ts'

export const PULL = 'textDocument/diagnostic'
const PULL_TIMEOUT_MS = 60_000
const SETTLE_MS = 150
/** Server cancelled, content modified: to be asked again. */
const askAgain = new Set<unknown>([-32802, -32801])
const MOST_PULLS = 5

/**
 * Null: the version is no longer the document's, the server is gone, or it cannot say. Settles with `signal` at the latest.
 * Never rejects.
 */
export async function diagnose(
  client: Client,
  document: OpenDocument,
  version: number,
  signal: AbortSignal,
): Promise<readonly unknown[] | null> {
  const moved = new AbortController()
  // What is said of a text that is another one by now is not waited for: the server may spare itself the work.
  const leave = client.news.on(() => {
    if (isPast(client, document, version)) moved.abort()
  })
  try {
    return await untilSure(client, document, version, AbortSignal.any([signal, moved.signal]))
  } finally {
    leave()
  }
}

async function untilSure(
  client: Client,
  document: OpenDocument,
  version: number,
  signal: AbortSignal,
): Promise<readonly unknown[] | null> {
  await unlessAborted(client.ready, signal)
  for (;;) {
    if (signal.aborted || isPast(client, document, version)) return null
    const heard = nextNews(client, document, signal)
    const askedAt = performance.now()
    try {
      const found = await whatIsSaid(client, document, version, signal)
      if (signal.aborted || isPast(client, document, version)) return null
      if (found === 'never') return null
      if (found !== 'not yet') {
        document.known = found
        document.judgedAt = askedAt
        client.found.emit({ absolute: document.absolute, document, items: found })
        return found
      }
      await heard.came
    } finally {
      heard.end()
    }
  }
}

/** Another text, no longer open there, or nobody there at all. */
const isPast = (client: Client, document: OpenDocument, version: number): boolean =>
  client.isOver() || document.version !== version || client.documents.get(document.uri) !== document

async function whatIsSaid(
  client: Client,
  document: OpenDocument,
  version: number,
  signal: AbortSignal,
): Promise<readonly unknown[] | 'not yet' | 'never'> {
  const providers = client.providers(PULL, document)
  if (providers.length === 0) return (await settledPush(client, document, signal)) ?? 'not yet'
  // The same provider registered anew, while it reads its configuration again, is one provider.
  const byName = new Map(providers.map(each => [String(each.options.identifier ?? ''), each]))
  const answers = await Promise.all(
    [...byName.values()].map(each => pull(client, document, { provider: each, version, signal })),
  )
  if (answers.includes(null)) return 'never'
  return [...answers.flatMap(each => each ?? []), ...(document.pushed?.items ?? [])]
}

/** Null: nothing that counts was pushed yet. */
async function settledPush(
  client: Client,
  document: OpenDocument,
  signal: AbortSignal,
): Promise<readonly unknown[] | null> {
  const { settleMs = SETTLE_MS, looksAfterMs = 0 } = client.definition
  for (;;) {
    const { pushed, sentAt } = document
    if (!pushed || signal.aborted) return null
    // Without a version in it, only its time tells which text it is about.
    if (pushed.version === null && pushed.at - sentAt < looksAfterMs) return null
    // What it said while it still read the project counts once it had time to say something else.
    const [since, settles] = pushed.at < client.readyAt() ? [client.readyAt(), SETTLE_MS] : [pushed.at, settleMs]
    const quietMs = since + settles - performance.now()
    if (quietMs <= 0) return pushed.items
    await after(quietMs, undefined, { signal }).catch(() => {})
  }
}

async function pull(
  client: Client,
  document: OpenDocument,
  { provider, version, signal }: { provider: Registration; version: number; signal: AbortSignal },
): Promise<readonly unknown[] | null> {
  const { identifier } = provider.options
  const name = String(identifier ?? '')
  for (let tried = 0; tried < MOST_PULLS; tried++) {
    const before = document.pulled.get(name)
    try {
      const answer = objectOf(
        await client.request(
          PULL,
          {
            textDocument: { uri: document.uri },
            ...(identifier === undefined ? {} : { identifier }),
            ...(before?.resultId ? { previousResultId: before.resultId } : {}),
          },
          { signal, timeoutMs: PULL_TIMEOUT_MS },
        ),
      )
      if (isPast(client, document, version)) return null
      const items = answer.kind === 'unchanged' ? (before?.items ?? []) : arrayOf(answer.items)
      const resultId = typeof answer.resultId === 'string' ? answer.resultId : null
      document.pulled.set(name, { resultId, items, version })
      keepRelated(client, name, answer.relatedDocuments)
      return items
    } catch (fault) {
      if (signal.aborted || isPast(client, document, version) || !askAgain.has(objectOf(fault).code)) return null
      await after(20 * 2 ** tried, undefined, { signal }).catch(() => {})
    }
  }
  return null
}

/** A server may answer for other documents that the change touched: only of the version it was just asked in does it speak. */
function keepRelated(client: Client, name: string, related: unknown): void {
  for (const [uri, report] of Object.entries(objectOf(related))) {
    const { kind, items, resultId } = objectOf(report)
    const document = client.documents.get(uri)
    if (!document || kind !== 'full') continue
    const id = typeof resultId === 'string' ? resultId : null
    document.pulled.set(name, { resultId: id, items: arrayOf(items), version: document.version })
  }
}

/** Resolves when the server may say something else of the document, or with the signal. */
export async function newsOf(client: Client, document: OpenDocument, signal: AbortSignal): Promise<void> {
  await nextNews(client, document, signal).came
}

function nextNews(client: Client, document: OpenDocument, signal: AbortSignal): { came: Promise<void>; end(): void } {
  let stop = () => {}
  const came = new Promise<void>(resolve => {
    const leave = client.news.on(about => {
      if (about === null || about === document) resolve()
    })
    const onAbort = () => resolve()
    signal.addEventListener('abort', onAbort, { once: true })
    stop = () => {
      leave()
      signal.removeEventListener('abort', onAbort)
    }
  })
  void came.then(() => stop())
  return { came, end: () => stop() }
}

async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  let stop = () => {}
  const aborted = new Promise<void>(resolve => {
    const onAbort = () => resolve()
    signal.addEventListener('abort', onAbort, { once: true })
    stop = () => signal.removeEventListener('abort', onAbort)
  })
  await Promise.race([work, aborted])
  stop()
}
