/** Which models a server on this machine offers. Over plain `node:http`: `fetch` costs the core's start a tenth of a second. */
import { request } from 'node:http'
import type { ListedModel } from './catalog.ts'
import type { Listing } from './catalogue-file.ts'
import { listingUrl, readListing, serverRoot } from './listing.ts'
import { withOllamaFacts } from './ollama-facts.ts'

const MAX_BYTES = 4_000_000

/** What the server at `baseUrl` lists; null when nothing fitting answers in time. Never rejects. */
export async function modelsAt(baseUrl: string, listing: Listing, timeoutMs: number): Promise<ListedModel[] | null> {
  // Older ones, and others on the same port, know only what all of them know.
  for (const each of listing === 'openai' ? [listing] : ([listing, 'openai'] as const)) {
    try {
      const models = readListing(each, await textAt(listingUrl(each, baseUrl), timeoutMs))
      if (models && each === 'ollama')
        return await withOllamaFacts(models, (path, body) => textAt(`${serverRoot(baseUrl)}${path}`, timeoutMs, body))
      if (models) return models
    } catch {
      // Asked in the other way, or told as null.
    }
  }
  return null
}

/** Rejects for anything but a whole answer with status 2xx within the time. Follows no redirection. `body` is posted. */
function textAt(url: string, timeoutMs: number, body?: object): Promise<string> {
  const method = body ? 'POST' : 'GET'
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, signal: AbortSignal.timeout(timeoutMs), agent: false }, answer => {
      const { statusCode = 0 } = answer
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (piece: string) => {
        text += piece
        if (text.length > MAX_BYTES) asked.destroy(new Error('too long'))
      })
      answer.on('end', () => (statusCode >= 200 && statusCode < 300 ? resolve(text) : reject(new Error('refused'))))
      answer.on('error', reject)
    })
    asked.on('error', reject)
    asked.end(body && JSON.stringify(body))
  })
}
