/** What providers said of their models, kept with its time in the cache folder; it may be deleted at any time. */
import { z } from 'zod'
import { readRemade, writeFileAtomic } from '../base/atomic-file.ts'
import { createSerial } from '../base/serial.ts'
import type { ListedModel } from './catalog.ts'
import { splitModel } from './provider.ts'

const tokens = z.number().int().positive().optional()
const dollars = z.number().nonnegative()
const Listed = z.object({
  id: z.string(),
  label: z.string().optional(),
  contextTokens: tokens,
  outputTokens: tokens,
  input: z.array(z.enum(['image', 'pdf'])).optional(),
  tools: z.boolean().optional(),
  price: z.object({ input: dollars, output: dollars, cacheRead: dollars, cacheWrite: dollars }).optional(),
})
const List = z.object({
  /** ms since 1970. */
  at: z.number(),
  /** Where it was read: another address has other models. */
  baseUrl: z.string(),
  models: z.array(Listed),
})
const Lists = z.record(z.string(), List)

export interface ProviderList {
  readonly at: number
  readonly baseUrl: string
  readonly models: readonly ListedModel[]
}

export interface Listings {
  of(providerId: string): ProviderList | null
  /** Memory first; a cache that cannot be written is not worth a fault. */
  keep(providerId: string, list: ProviderList): Promise<void>
  forget(providerId: string): Promise<void>
  /** What its provider said of one model; null when it said nothing. */
  model(model: string): { listed: ListedModel; on: string } | null
}

export async function createListings(file: string): Promise<Listings> {
  const lists = new Map(Object.entries(await readRemade(file, value => Lists.parse(value), {}).catch(() => ({}))))
  const byId = new Map<string, Map<string, ListedModel>>()
  const serial = createSerial()
  const index = (providerId: string, { models }: ProviderList) =>
    byId.set(providerId, new Map(models.map(each => [each.id, each])))
  for (const [providerId, list] of lists) index(providerId, list)
  const save = () => serial(() => writeFileAtomic(file, JSON.stringify(Object.fromEntries(lists)))).catch(() => {})

  return {
    of: providerId => lists.get(providerId) ?? null,
    async keep(providerId, list) {
      lists.set(providerId, { ...list, models: [...list.models] })
      index(providerId, list)
      await save()
    },
    async forget(providerId) {
      byId.delete(providerId)
      if (lists.delete(providerId)) await save()
    },
    model(name) {
      const { provider, id } = splitModel(name)
      const listed = byId.get(provider)?.get(id)
      const at = lists.get(provider)?.at
      return listed && at !== undefined ? { listed, on: new Date(at).toISOString().slice(0, 10) } : null
    },
  }
}
