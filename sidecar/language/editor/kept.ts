/** What the last lists of each client were made of, for what is asked about an item later. */
import { newId } from '../../base/id.ts'

export interface Kept<T> {
  /** Answers its id. */
  keep(client: string, list: T): string
  /** Undefined: it is none of the last, or another client's. */
  get(client: string, listId: string): T | undefined
}

const MOST_OF_CLIENT = 4
const MOST_CLIENTS = 20

export function createKept<T>(): Kept<T> {
  const clients = new Map<string, Map<string, T>>()
  return {
    keep(client, list) {
      const lists = clients.get(client) ?? new Map<string, T>()
      // Last in the order of use.
      clients.delete(client)
      clients.set(client, lists)
      const listId = newId('lst')
      lists.set(listId, list)
      forgetOldest(lists, MOST_OF_CLIENT)
      forgetOldest(clients, MOST_CLIENTS)
      return listId
    },
    get: (client, listId) => clients.get(client)?.get(listId),
  }
}

function forgetOldest(map: Map<string, unknown>, most: number): void {
  for (const key of [...map.keys()].slice(0, Math.max(0, map.size - most))) map.delete(key)
}
