/** Searching the web by a service that the person chose: whether it can be used, and its key, which no page ever sees. */
import { z } from 'zod'
import { request } from './define.ts'

/** `none`: the agent cannot search. `searxng`: a server of the person's own, at `web.searchUrl`. */
export const searchProviders = ['none', 'brave', 'tavily', 'searxng'] as const
export const SearchProvider = z.enum(searchProviders)
export type SearchProvider = z.infer<typeof SearchProvider>

export const SearchStatus = z.object({
  provider: SearchProvider,
  /** As the person reads it; '' for none. */
  label: z.string(),
  /** `no_url`: the address of the person's own server is not set. `unreadable`: its key is sealed and cannot be opened (now). */
  state: z.enum(['off', 'ready', 'no_key', 'unreadable', 'no_url']),
  /** Where queries go; '' where nothing is set. */
  host: z.string(),
  /** Where its key was found; null: none, or it needs none. */
  source: z.enum(['key', 'environment']).nullable(),
  /** The variable that may hold the key instead. */
  keyVariable: z.string().nullable(),
  lastFour: z.string().nullable(),
})
export type SearchStatus = z.infer<typeof SearchStatus>

export const web = {
  searchStatus: request(z.object({}), SearchStatus),
  setSearchKey: request(
    z.object({ provider: SearchProvider, key: z.string().trim().min(1).max(1000) }),
    z.object({ lastFour: z.string() }),
  ),
  deleteSearchKey: request(z.object({ provider: SearchProvider }), z.object({})),
  /** One search for the word "Belay". */
  testSearch: request(z.object({}), z.object({ ok: z.boolean(), message: z.string() })),
} as const
