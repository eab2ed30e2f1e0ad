/** Looks whether there is a newer Belay: fetches the feed and its signature, and believes nothing before the signature holds. */
import { join } from 'node:path'
import { readJson, writeFileAtomic } from '../../sidecar/base/atomic-file.ts'
import { type Fetch, fetchBytes } from './bounded-fetch.ts'
import { failed } from './failure.ts'
import { compareVersions, type Feed, type FeedSource, feedName, readFeed, Seen } from './feed.ts'
import { isSigned } from './signature.ts'

const FEED_BYTES = 64 * 1024
const SIGNATURE_BYTES = 1024
const TIMEOUT_MS = 20_000

export interface CheckOptions {
  readonly source: FeedSource
  readonly fetch: Fetch
  /** Of the running Belay. */
  readonly version: string
  readonly stateDir: string
  readonly platform: NodeJS.Platform
  readonly arch: string
  readonly timeoutMs?: number
  readonly now?: number
}

/** Null: this Belay is the newest. Rejects with a reason; then nothing of what was fetched has been kept. */
export async function checkForUpdate(options: CheckOptions): Promise<Feed | null> {
  const { source, fetch, version } = options
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS
  const name = feedName(options.platform, options.arch)
  const at = new URL(name, source.url).href
  const [bytes, signature] = await Promise.all([
    fetchBytes(fetch, at, { mostBytes: FEED_BYTES, timeoutMs }),
    fetchBytes(fetch, `${at}.sig`, { mostBytes: SIGNATURE_BYTES, timeoutMs }),
  ])
  if (!isSigned(name, bytes, { signature: signature.toString('latin1'), publicKey: source.publicKey })) {
    throw failed('unsigned')
  }
  const seenFile = join(options.stateDir, 'desktop', 'update.json')
  const seen = await readJson(seenFile, value => Seen.parse(value), null).catch(() => null)
  const feed = readFeed(bytes.toString('utf8'), { version, seen, now: options.now ?? Date.now() })
  await writeFileAtomic(seenFile, JSON.stringify({ version: feed.version, releaseDate: feed.releaseDate })).catch(
    thrown => {
      throw failed('disk', (thrown as NodeJS.ErrnoException).code ?? null)
    },
  )
  return compareVersions(feed.version, version) > 0 ? feed : null
}
