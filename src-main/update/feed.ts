/** What a feed says, once its signature has been found good: a version, its files, and until when its signer vouches for it. */
import { parse } from 'yaml'
import { z } from 'zod'
import { failed } from './failure.ts'

/** Where to look and whose word counts: what a Belay is built with. */
export interface FeedSource {
  /** Https, or http on this machine; ends with `/`. */
  readonly url: string
  /** Ed25519, SPKI DER, base64. */
  readonly publicKey: string
  /** Whose name Windows must find on an installer; null where builds carry none. */
  readonly publisher: string | null
}

const MOST_BYTES = 1024 ** 3
const File = z.object({
  /** Beside the feed: never a path, never another place. */
  url: z.string().regex(/^[\w][\w. ()+-]{0,150}$/),
  sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
  size: z.number().int().positive().max(MOST_BYTES),
})
const Time = z.iso.datetime({ offset: true })

/** Electron-builder's `latest*.yml` with `validUntil`, which the signing script adds. What else it says is not read. */
const Feed = z.object({
  version: z.string().regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/),
  files: z.array(File).min(1).max(20),
  releaseDate: Time,
  validUntil: Time,
  releaseNotes: z.string().max(20_000).optional(),
})
export type Feed = z.infer<typeof Feed>

/** The newest that was ever offered: nothing before it counts any more. */
export const Seen = z.object({ version: z.string(), releaseDate: z.string() })
export type Seen = z.infer<typeof Seen>

/** Rejects with a reason: `malformed`, `expired`, `older`. The version may be the running one. */
export function readFeed(text: string, against: { version: string; seen: Seen | null; now: number }): Feed {
  const feed = parsed(text)
  if (Date.parse(feed.validUntil) <= against.now) throw failed('expired', feed.validUntil)
  if (compareVersions(feed.version, against.version) < 0) throw failed('older', feed.version)
  const { seen } = against
  const order = seen ? compareVersions(feed.version, seen.version) : 1
  if (order < 0 || (seen && order === 0 && Date.parse(feed.releaseDate) < Date.parse(seen.releaseDate))) {
    throw failed('older', feed.version)
  }
  return feed
}

function parsed(text: string): Feed {
  let value: unknown
  try {
    // No aliases: a few lines could become gigabytes.
    value = parse(text, { maxAliasCount: 0, schema: 'core', logLevel: 'silent' })
  } catch {
    throw failed('malformed')
  }
  const result = Feed.safeParse(value)
  if (!result.success) throw failed('malformed', result.error.issues[0]?.path.join('.') ?? null)
  return result.data
}

/** Below, at or above zero. A pre-release of a version comes before it. */
export function compareVersions(one: string, other: string): number {
  const [ours, theirs] = [one, other].map(text => {
    const [, numbers = '', before = ''] = /^([\d.]+)(-.*)?/.exec(text) ?? []
    return [...numbers.split('.').map(Number), before === '' ? 1 : 0]
  })
  const at = ours?.findIndex((number, index) => number !== theirs?.[index]) ?? -1
  return at < 0 ? 0 : (ours?.[at] ?? 0) - (theirs?.[at] ?? 0)
}

/** As electron-builder names them. */
export function feedName(platform: NodeJS.Platform, arch: string): string {
  if (platform === 'win32') return 'latest.yml'
  if (platform === 'darwin') return 'latest-mac.yml'
  return arch === 'x64' ? 'latest-linux.yml' : `latest-linux-${arch}.yml`
}
