/** The two tools that look beyond this machine. Rare: most tasks need neither, so their words are not in every request. */
import type { Tool } from '../../agent/ports.ts'
import type { WebNetwork } from './connect.ts'
import type { Search } from './search.ts'
import { createWebfetch } from './webfetch.ts'
import { createWebsearch } from './websearch.ts'

export const createWebTools = (network: WebNetwork, search: Search): Tool[] =>
  [createWebfetch(network), createWebsearch(search)].map(tool => ({ ...tool, rare: true }))
