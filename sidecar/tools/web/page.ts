/** The bytes of an answer as text: so many and no more, in the encoding they are in, or words for what is no text. */
import type { Answer } from './connect.ts'

export const MAX_RAW_BYTES = 5 * 1024 * 1024
/** Where a page may say what it is encoded in. */
const SNIFFED_BYTES = 2048

export interface Page {
  /** Without parameters; `application/octet-stream` where nobody said. */
  readonly mediaType: string
  readonly bytes: Uint8Array
  /** More came than is taken. */
  readonly cut: boolean
  readonly charset: string | null
}

export async function readPage({ headers, body }: Answer): Promise<Page> {
  const said = headers.get('content-type') ?? ''
  const [mediaType = '', ...parameters] = said.split(';').map(part => part.trim())
  const named = parameters.find(each => /^charset=/i.test(each))
  const { bytes, cut } = await readCapped(body)
  return {
    mediaType: /^[\w.+-]+\/[\w.+-]+$/.test(mediaType) ? mediaType.toLowerCase() : 'application/octet-stream',
    charset: named ? named.slice('charset='.length).replace(/^["']|["']$/g, '') : null,
    bytes,
    cut,
  }
}

/** Unpacked bytes count: a small answer may hold a large one. */
async function readCapped(body: ReadableStream<Uint8Array> | null): Promise<{ bytes: Uint8Array; cut: boolean }> {
  const pieces: Uint8Array[] = []
  let length = 0
  const reader = body?.getReader()
  try {
    for (;;) {
      const next = await reader?.read()
      if (!next || next.done) break
      pieces.push(next.value)
      length += next.value.byteLength
      if (length > MAX_RAW_BYTES) break
    }
  } finally {
    void reader?.cancel().catch(() => {})
  }
  const all = Buffer.concat(pieces)
  return { bytes: all.subarray(0, MAX_RAW_BYTES), cut: all.length > MAX_RAW_BYTES }
}

export type PageKind = 'html' | 'text' | 'other'

export function kindOf({ mediaType, bytes }: Page): PageKind {
  if (mediaType === 'text/html' || mediaType === 'application/xhtml+xml') return 'html'
  const textual =
    mediaType.startsWith('text/') ||
    /^application\/(.*\+)?(json|xml|yaml|x-yaml|toml|javascript|ecmascript|x-ndjson|x-sh|sql|graphql)$/.test(mediaType)
  if (textual) return 'text'
  if (mediaType !== 'application/octet-stream' || bytes.subarray(0, SNIFFED_BYTES).includes(0)) return 'other'
  return /^\s*<(!doctype html|html)/i.test(Buffer.from(bytes.subarray(0, SNIFFED_BYTES)).toString('latin1'))
    ? 'html'
    : 'text'
}

/** What a mark says goes first, then the server, then the page itself, then UTF-8. Never throws. */
export async function textOf({ bytes, charset }: Page, kind: PageKind): Promise<string> {
  const { default: iconv } = await import('iconv-lite')
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const known = (name: string | null): string | null => (name && iconv.encodingExists(name) ? name : null)
  const encoding = marked(buffer) ?? known(charset) ?? (kind === 'html' ? known(saidInside(buffer)) : null) ?? 'utf8'
  return iconv.decode(buffer, encoding)
}

function marked(bytes: Buffer): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return null
}

function saidInside(bytes: Buffer): string | null {
  const head = bytes.subarray(0, SNIFFED_BYTES).toString('latin1')
  return /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1] ?? null
}
