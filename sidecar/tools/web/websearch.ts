/** websearch: what a search service finds, as a list. The query leaves this machine, so it is asked about as it is written. */
import { z } from 'zod'
import type { Tool } from '../../agent/ports.ts'
import { enclosed, newMark, oneLine } from '../../base/foreign-text.ts'
import { defineTool, said } from '../define.ts'
import type { Search } from './search.ts'
import { STRANGER } from './webfetch.ts'

const RESULTS = 10
const MAX_QUERY_CHARS = 400

export const createWebsearch = (search: Search): Tool =>
  defineTool({
    name: 'websearch',
    description:
      'Search the web by the service the person chose: titles, addresses and snippets. Put nothing of their code or secrets into a query. Fetch what you need with webfetch.',
    parameters: z.object({ query: z.string().trim().min(1).max(MAX_QUERY_CHARS) }),
    parallel: true,
    async describe({ query }) {
      const { label, url } = await search.place()
      return { kind: 'fetch', url, exact: `${label}: ${query}` }
    },
    async run({ query }, { signal }) {
      const { label, found } = await search.find(query, RESULTS, signal)
      const detail = { provider: label, matches: found.length }
      if (found.length === 0) return said(`${label} found nothing for "${query}".`, detail)
      const lines = found.map(
        ({ title, url, snippet }, i) =>
          `${i + 1}. ${oneLine(title, 200)}\n   ${oneLine(url, 1000)}\n   ${oneLine(snippet, 600)}`,
      )
      const results = found.map(({ title, url, snippet }) => ({
        title: oneLine(title, 200),
        url,
        snippet: oneLine(snippet, 600),
      }))
      return said(`${STRANGER}\n${enclosed('results', newMark(), label, lines.join('\n'))}`, { ...detail, results })
    },
  })
