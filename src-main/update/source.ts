/** Where this Belay looks for newer ones: what it was built with, and nothing else once it is packaged. */
import type { FeedSource } from './feed.ts'

/** Put in by the build (`BELAY_FEED_URL`, `BELAY_FEED_KEY`, `BELAY_FEED_PUBLISHER`): see electron.vite.config.ts. */
declare const BELAY_FEED: { url: string; publicKey: string; publisher: string | null } | null

/** Null: built without a feed, so there is no updater. An app that is not packaged may be told a feed by its environment. */
export function feedSource(packaged: boolean, env: NodeJS.ProcessEnv): FeedSource | null {
  const { BELAY_FEED_URL: url, BELAY_FEED_KEY: publicKey } = env
  if (!packaged && url && publicKey) return wellFormed({ url, publicKey, publisher: null })
  return typeof BELAY_FEED === 'undefined' || BELAY_FEED === null ? null : wellFormed(BELAY_FEED)
}

/** A feed that anyone on the way could change is none. */
function wellFormed(source: FeedSource): FeedSource | null {
  const text = source.url.endsWith('/') ? source.url : `${source.url}/`
  if (!URL.canParse(text)) return null
  const { protocol, hostname, href } = new URL(text)
  const local = protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
  return protocol === 'https:' || local ? { ...source, url: href } : null
}
