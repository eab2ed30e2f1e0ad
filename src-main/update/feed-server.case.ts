/** A feed of our own on loopback, signed with the project's own script, and what can go wrong with one. */
import { createHash } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FeedSource } from './feed.ts'

const { newKey, signFeed } = (await import('../../scripts/sign-feed.mjs' as string)) as {
  newKey(): { publicKey: string; privateKey: string }
  signFeed(name: string, text: string, how: { privateKey: string; until: Date }): { feed: string; signature: string }
}

export { newKey, signFeed }

export interface Release {
  readonly version: string
  readonly artifact: Buffer
  readonly releaseDate?: string
  readonly until?: Date
  readonly notes?: string
  /** Another than the artifact's own. */
  readonly size?: number
  readonly file?: string
}

export const DAY_MS = 86_400_000

/** As electron-builder writes it. */
export const feedText = ({ version, artifact, ...rest }: Release): string => {
  const sha512 = createHash('sha512').update(artifact).digest('base64')
  const file = rest.file ?? `Belay-${version}.AppImage`
  return [
    `version: ${version}`,
    'files:',
    `  - url: ${file}`,
    `    sha512: ${sha512}`,
    `    size: ${rest.size ?? artifact.length}`,
    '    blockMapSize: 12',
    `path: ${file}`,
    `sha512: ${sha512}`,
    ...(rest.notes ? [`releaseNotes: ${JSON.stringify(rest.notes)}`] : []),
    `releaseDate: '${rest.releaseDate ?? '2026-01-02T03:04:05.678Z'}'`,
    '',
  ].join('\n')
}

export interface FeedServer {
  readonly source: FeedSource
  /** Every path that was asked for. */
  readonly asked: string[]
  /** Puts a whole, well signed release there. */
  publish(release: Release): void
  /** What stands under a path; a listener answers itself. */
  readonly files: Map<string, Buffer | string | RequestListener>
  close(): Promise<void>
}

export const FEED = '/latest-linux.yml'

export async function startFeedServer(key = newKey()): Promise<FeedServer> {
  const files: FeedServer['files'] = new Map()
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const file = files.get(request.url ?? '')
    if (typeof file === 'function') return file(request, response)
    response.writeHead(file === undefined ? 404 : 200).end(file)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    source: { url: `http://127.0.0.1:${port}/`, publicKey: key.publicKey, publisher: null },
    asked,
    files,
    publish(release) {
      const until = release.until ?? new Date(Date.now() + DAY_MS)
      const { feed, signature } = signFeed(FEED.slice(1), feedText(release), { privateKey: key.privateKey, until })
      files.set(FEED, feed)
      files.set(`${FEED}.sig`, signature)
      files.set(`/${release.file ?? `Belay-${release.version}.AppImage`}`, release.artifact)
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
