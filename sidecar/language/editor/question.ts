/**
 * Who is asked about an open document, and about which text. Promise: a question reaches a server exactly when its copy is the
 * version that was asked about, and what it answers is placed in that text, whatever is typed meanwhile.
 */
import type { DocumentId } from '#contract/id'
import type { Client } from '../client.ts'
import { languageOf } from '../definition.ts'
import type { Fleet } from '../fleet.ts'
import type { OpenDocument } from '../open-documents.ts'
import type { LanguageWorkspace } from '../ports.ts'
import type { Registration } from '../registrations.ts'
import type { Server } from '../server.ts'
import { type ServerText, syncedText } from '../synced-text.ts'
import type { Units } from './said.ts'

export interface About {
  readonly documentId: DocumentId
  readonly version: number
}

/** One server with the text as it was when it was asked. */
export interface Asked extends Units {
  readonly client: Client
  readonly document: OpenDocument
  /** Of the method, for this document; the first counts. */
  readonly provider: Registration
  /** For the method's own document; the answer of a server that fails, is slow or is gone is null. */
  ask(params: Record<string, unknown>, options?: AskOptions): Promise<unknown>
  /** The same, but rejecting with the server's words. */
  insist(params: Record<string, unknown>, options?: AskOptions): Promise<unknown>
}

export interface AskOptions {
  /** Where it differs from the one that is registered. */
  readonly method?: string
  readonly timeoutMs?: number
}

export const stale = { stale: true } as const
/** For `catch`: a text that was another one by the time its edit was made is no fault. */
export const staleOr = (fault: unknown): typeof stale => {
  if ((fault as { code?: unknown }).code === 'stale') return stale
  throw fault
}
export const isStale = (answer: object): answer is typeof stale => 'stale' in answer

export interface Questions {
  /**
   * The servers that can do `method`, the file's own before those beside it, each with this very version; started if none
   * runs. `stale` where the document has another version. Rejects only with the signal.
   */
  of(about: About, method: string, signal: AbortSignal): Promise<Asked[] | typeof stale>
  /** Whether the document still has that version. */
  isCurrent(about: About): boolean
}

const TIMEOUT_MS = 10_000

export function createQuestions({ workspace, fleet }: { workspace: LanguageWorkspace; fleet: Fleet }): Questions {
  const current = ({ documentId, version }: About): ServerText | null => {
    const text = syncedText(workspace.documents.opened(documentId))
    return text?.of?.version === version ? text : null
  }
  const synced = async (server: Server, about: About): Promise<{ client: Client; document: OpenDocument } | null> => {
    const client = await server.client()
    const text = current(about)
    if (!client || !text) return null
    const languageId = languageOf(server.definition, text.absolute)
    const document = await client.documents.sync({ ...text, languageId, saved: false })
    return { client, document }
  }
  const isThere = ({ of }: OpenDocument, { documentId, version }: About): boolean =>
    of?.documentId === documentId && of.version === version

  return {
    isCurrent: about => current(about) !== null,
    async of(about, method, signal) {
      const text = current(about)
      if (!text) return stale
      const serving = await fleet.serving(text.absolute, 'ask')
      const running = serving.filter(server => server.running() !== null)
      const own = serving.filter(({ definition }) => !definition.extra)
      const found = await unless(
        signal,
        Promise.all((running.length > 0 ? running : own).map(server => synced(server, about).catch(() => null))),
      )
      if (!current(about)) return stale
      const asked = found.flatMap((each): Asked[] => {
        if (!each || !isThere(each.document, about)) return []
        const { client, document } = each
        const [provider] = client.providers(method, document)
        if (!provider) return []
        const { index } = document
        const insist = async (params: Record<string, unknown>, options: AskOptions = {}) =>
          client.request(
            options.method ?? method,
            { textDocument: { uri: document.uri }, ...params },
            { signal, timeoutMs: options.timeoutMs ?? TIMEOUT_MS },
          )
        const ask: Asked['ask'] = (params, options) =>
          insist(params, options).catch(fault => {
            if (signal.aborted) throw fault
            return null
          })
        return [{ client, document, provider, index, encoding: client.encoding, ask, insist }]
      })
      return asked.sort(
        (a, b) => Number(a.client.definition.extra ?? false) - Number(b.client.definition.extra ?? false),
      )
    },
  }
}

/** Rejects with the signal; the work goes on for whoever asks next. */
async function unless<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted()
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    stop = () => signal.removeEventListener('abort', onAbort)
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    stop()
  }
}
