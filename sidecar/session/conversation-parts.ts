/** What a person handed in, as words and attachments that the log can keep: bytes become blobs, paths stay references. */
import { BelayError } from '#contract/error'
import type { BlobId } from '#contract/id'
import { baseName } from '#contract/path'
import type { PromptPart } from '#contract/session'
import type { Attachment } from '#contract/session-event'

const MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024
const TITLE_CHARS = 60

export interface PromptContent {
  text: string
  attachments: Attachment[]
}

/** `kept` come first. Throws `invalid` and `too_large` with nothing kept of the prompt. */
export async function contentOf(
  parts: readonly PromptPart[],
  keep: (bytes: Uint8Array) => Promise<BlobId>,
  kept: readonly Attachment[] = [],
): Promise<PromptContent> {
  const texts: string[] = []
  const attachments: Attachment[] = [...kept]
  for (const part of parts) {
    if (part.kind === 'text') texts.push(part.text)
    else if (part.kind === 'path') attachments.push(referenceTo(part.path))
    else if (part.kind === 'kept') attachments.push(part.attachment)
    else attachments.push(await attach(part, keep))
  }
  const text = texts.join('\n\n')
  if (text.trim() === '' && attachments.length === 0) {
    throw new BelayError('invalid', 'There is nothing to send: write something or attach a file.')
  }
  return { text, attachments }
}

function referenceTo(path: Extract<PromptPart, { kind: 'path' }>['path']): Attachment {
  const nothing = { mediaType: '', bytes: 0, blobId: null }
  if (!('uri' in path)) return { kind: 'file', name: baseName(path.path), ...nothing, path }
  return { kind: 'file', name: decodeURIComponent(new URL(path.uri).pathname), ...nothing, path: null }
}

async function attach(
  { name, mediaType, base64 }: Extract<PromptPart, { kind: 'bytes' }>,
  keep: (bytes: Uint8Array) => Promise<BlobId>,
): Promise<Attachment> {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length > MAX_ATTACHMENT_BYTES) {
    throw new BelayError(
      'too_large',
      `Nothing was sent: ${name} is larger than 10 MB. Put it in the folder and name its path.`,
    )
  }
  const kind =
    mediaType.startsWith('image/') && mediaType !== 'image/svg+xml' ? 'image' : isText(bytes) ? 'text' : 'file'
  return { kind, name, mediaType, bytes: bytes.length, blobId: await keep(bytes), path: null }
}

function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** The first line of the first words, cut between words where there is a place to. Null when there are none. */
export function titleFrom(text: string): string | null {
  const line = text.trim().split('\n', 1)[0]?.replace(/\s+/g, ' ').trim() ?? ''
  if (line === '') return null
  const letters = [...line]
  if (letters.length <= TITLE_CHARS) return line
  const cut = letters.slice(0, TITLE_CHARS - 1).join('')
  const space = cut.lastIndexOf(' ')
  return `${(space > TITLE_CHARS / 2 ? cut.slice(0, space) : cut).trimEnd()}…`
}
