/**
 * Errors that a change made in other open files: what they had before is kept, they are asked again afterwards, and only what is
 * new is told. Files whose errors nobody knew before are left out: nothing can be said to be new there.
 */
import type { Client } from './client.ts'
import { diagnose } from './diagnose.ts'
import type { OpenDocument } from './open-documents.ts'
import type { Server } from './server.ts'
import { errorsIn, type FoundError, newErrors } from './verdict.ts'
import { within } from './within.ts'

export interface Neighbours {
  /** Those with new errors, within the deadline. Never rejects. */
  newErrors(
    deadline: number,
    signal: AbortSignal,
  ): Promise<{ client: Client; document: OpenDocument; errors: FoundError[] }[]>
}

/** Most other files that are asked about after a change, the last used first, and most that are told. */
const MOST_ASKED = 8
const MOST_TOLD = 5

/** `changed`: absolute paths of what is about to be written. Called before it is sent. */
export function neighboursOf(servers: readonly Server[], changed: ReadonlySet<string>): Neighbours {
  const clients = [...new Set(servers.map(server => server.running()).filter(client => client !== null))]
  const before = clients.flatMap(client =>
    client.documents
      .all()
      .filter(({ absolute, known }) => !changed.has(absolute) && known !== null)
      .slice(0, MOST_ASKED)
      .map(document => ({ client, document, version: document.version, errors: errorsIn(document.known ?? []) })),
  )
  return {
    async newErrors(deadline, signal) {
      const ending = new AbortController()
      const found: { client: Client; document: OpenDocument; errors: FoundError[] }[] = []
      const asked = before.map(async ({ client, document, version, errors }) => {
        const items = await diagnose(client, document, version, AbortSignal.any([signal, ending.signal]))
        const fresh = items ? newErrors(errors, errorsIn(items)) : []
        if (fresh.length > 0) found.push({ client, document, errors: fresh })
      })
      await within(Promise.all(asked), deadline, signal)
      ending.abort()
      return found.slice(0, MOST_TOLD)
    },
  }
}
