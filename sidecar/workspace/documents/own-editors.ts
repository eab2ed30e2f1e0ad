/** Clients with an editor of their own, which may hold unsaved text of a file that the agent is about to touch: each is asked to save it first. */
import { newId } from '../../base/id.ts'

/** An editor that does not answer holds nobody up for longer. */
const PATIENCE_MS = 2000

export interface OwnEditors {
  add(clientId: string): void
  remove(clientId: string): void
  /** A client has answered. */
  settled(wantedId: string, clientId: string): void
  /** Resolves when every such client has saved what it had of the file, or has not answered in time. At once where there is none. */
  settle(absolute: string): Promise<void>
}

export function createOwnEditors(
  ask: (clientId: string, wanted: { wantedId: string; absolute: string }) => void,
  patienceMs = PATIENCE_MS,
): OwnEditors {
  const clients = new Set<string>()
  const waiting = new Map<string, { clientId: string; done(): void }>()
  const one = (clientId: string, absolute: string) =>
    new Promise<void>(resolve => {
      const wantedId = newId('wnt')
      const timer = setTimeout(() => done(), patienceMs)
      const done = () => {
        clearTimeout(timer)
        waiting.delete(wantedId)
        resolve()
      }
      waiting.set(wantedId, { clientId, done })
      ask(clientId, { wantedId, absolute })
    })
  return {
    add: clientId => void clients.add(clientId),
    remove(clientId) {
      clients.delete(clientId)
      for (const each of [...waiting.values()]) if (each.clientId === clientId) each.done()
    },
    settled(wantedId, clientId) {
      const found = waiting.get(wantedId)
      if (found?.clientId === clientId) found.done()
    },
    async settle(absolute) {
      await Promise.all([...clients].map(clientId => one(clientId, absolute)))
    },
  }
}
