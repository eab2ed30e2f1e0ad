/** The services that can be searched, as data: where a query goes, how it says who asks, and what an answer looks like. */
import { z } from 'zod'
import type { SearchProvider } from '#contract/web'

export interface Found {
  readonly title: string
  readonly url: string
  readonly snippet: string
}

export interface SearchService {
  readonly label: string
  /** Null: it needs none. */
  readonly keyVariable: string | null
  /** Null: an address of the person's own. */
  readonly base: string | null
  request(base: string, query: string, count: number, key: string | null): { url: string; init: RequestInit }
  /** Throws on any other shape. */
  read(json: unknown): Found[]
}

const text = z.string().nullish()
const trimmed = (url: string): string => url.replace(/\/+$/, '')

export const searchServices: Readonly<Record<Exclude<SearchProvider, 'none'>, SearchService>> = {
  brave: {
    label: 'Brave Search',
    keyVariable: 'BRAVE_API_KEY',
    base: 'https://api.search.brave.com',
    request: (base, query, count, key) => ({
      url: `${base}/res/v1/web/search?${new URLSearchParams({ q: query, count: String(count) })}`,
      init: { headers: { accept: 'application/json', 'x-subscription-token': key ?? '' } },
    }),
    read: json =>
      z
        .object({
          web: z.object({ results: z.array(z.object({ title: text, url: z.string(), description: text })) }).nullish(),
        })
        .parse(json)
        .web?.results.map(({ title, url, description }) => ({
          title: title ?? '',
          url,
          snippet: plain(description),
        })) ?? [],
  },
  tavily: {
    label: 'Tavily',
    keyVariable: 'TAVILY_API_KEY',
    base: 'https://api.tavily.com',
    request: (base, query, count, key) => ({
      url: `${base}/search`,
      init: {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify({ query, max_results: count }),
      },
    }),
    read: json =>
      z
        .object({ results: z.array(z.object({ title: text, url: z.string(), content: text })) })
        .parse(json)
        .results.map(({ title, url, content }) => ({ title: title ?? '', url, snippet: content ?? '' })),
  },
  searxng: {
    label: 'SearXNG',
    keyVariable: null,
    base: null,
    request: (base, query) => ({
      url: `${trimmed(base)}/search?${new URLSearchParams({ q: query, format: 'json' })}`,
      init: { headers: { accept: 'application/json' } },
    }),
    read: json =>
      z
        .object({ results: z.array(z.object({ title: text, url: z.string(), content: text })) })
        .parse(json)
        .results.map(({ title, url, content }) => ({ title: title ?? '', url, snippet: content ?? '' })),
  },
}

/** Brave marks the words it found. */
const plain = (html: string | null | undefined): string =>
  (html ?? '')
    .replace(/<\/?strong>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
