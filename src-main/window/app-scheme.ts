/** Serves the window's page from disk as `app://belay/`: a secure origin of its own, and nothing outside the page's folder. */
import { Readable } from 'node:stream'
import { protocol } from 'electron'
import { pageHeaders } from '../../sidecar/server/page-headers.ts'
import { findStaticFile } from '../../sidecar/server/static-files.ts'

const SCHEME = 'app'
export const APP_ORIGIN = `${SCHEME}://belay`

/** Before the app is ready, or the scheme has no rights. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ])
}

/** The same rules as in the browser form; the page connects nowhere, its ports come by message. */
const headers = pageHeaders([])

export function serveApp(folder: string): void {
  protocol.handle(SCHEME, async request => {
    const { host, pathname } = new URL(request.url)
    const refuse = (status: number) => new Response(null, { status, headers })
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405)
    const file = host === 'belay' ? await findStaticFile(folder, pathname) : null
    if (!file) return refuse(404)
    const body = request.method === 'HEAD' ? null : (Readable.toWeb(Readable.from(file.read())) as ReadableStream)
    return new Response(body, {
      headers: { ...headers, 'Content-Type': file.mediaType, 'Content-Length': String(file.bytes) },
    })
  })
}
