/** Answers to requests for `app://belay/…`: files of the built window, and nothing outside its folder. Headers on every answer. */
import { Readable } from 'node:stream'
import { pageHeaders } from '../../sidecar/server/page-headers.ts'
import { findStaticFile } from '../../sidecar/server/static-files.ts'
import { isOurs } from './page-origin.ts'

/** The same rules as in the browser form; the page connects nowhere, its ports come by message. */
const headers = pageHeaders([])

/** Never rejects. */
export function appAnswers(folder: string): (request: Request) => Promise<Response> {
  const refuse = (status: number) => new Response(null, { status, headers })
  return async ({ url, method }) => {
    if (method !== 'GET' && method !== 'HEAD') return refuse(405)
    const file = isOurs(url) ? await findStaticFile(folder, new URL(url).pathname) : null
    if (!file) return refuse(404)
    const body = method === 'HEAD' ? null : (Readable.toWeb(Readable.from(file.read())) as ReadableStream)
    return new Response(body, {
      headers: { ...headers, 'Content-Type': file.mediaType, 'Content-Length': String(file.bytes) },
    })
  }
}
