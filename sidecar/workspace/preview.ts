/** The bytes of a file for a picture or other preview, with a type told by its content first and its name second. */
import { open } from 'node:fs/promises'
import { extname } from 'node:path'
import { BelayError } from '#contract/error'
import type { AnyPath } from '#contract/path'
import { explained, shown } from './fault.ts'
import type { Paths } from './paths.ts'

export const PREVIEW_BYTES = 20 * 1024 * 1024

const magic: readonly (readonly [string, RegExp])[] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF....WEBP/s],
  ['image/avif', /^....ftypavi[fs]/s],
  ['image/bmp', /^BM/],
  ['image/x-icon', /^\0\0\x01\0/],
  ['application/pdf', /^%PDF-/],
  ['application/zip', /^PK\x03\x04/],
  ['application/gzip', /^\x1f\x8b/],
  ['audio/mpeg', /^(ID3|\xff[\xfb\xf3\xf2])/],
  ['audio/ogg', /^OggS/],
  ['audio/wav', /^RIFF....WAVE/s],
  ['video/mp4', /^....ftyp/s],
  ['video/webm', /^\x1a\x45\xdf\xa3/],
  ['font/woff2', /^wOF2/],
]
const byName: Record<string, string> = {
  '.svg': 'image/svg+xml',
  '.md': 'text/markdown',
  '.html': 'text/html',
  '.json': 'application/json',
}

/** Names lie, first bytes seldom do: a `.png` that is none is not answered as one. */
export function mediaTypeOf(head: Buffer, name: string): string {
  const text = head.subarray(0, 32).toString('latin1')
  const found = magic.find(([, pattern]) => pattern.test(text))
  if (found) return found[0]
  if (head.includes(0)) return 'application/octet-stream'
  return byName[extname(name).toLowerCase()] ?? 'text/plain'
}

/** Throws `too_large`, `not_a_file`, and what the disk says. */
export async function readPreview(
  paths: Paths,
  path: AnyPath,
): Promise<{ base64: string; mediaType: string; bytes: number }> {
  const name = paths.display(path)
  const absolute = await paths.toAbsolute(path)
  const handle = await open(absolute, 'r').catch(fault => {
    throw explained(fault, `Could not read ${shown(name)}`)
  })
  try {
    const facts = await handle.stat()
    if (!facts.isFile())
      throw new BelayError('not_a_file', `${shown(name)} is not a file, so there is nothing to preview.`)
    if (facts.size > PREVIEW_BYTES)
      throw new BelayError(
        'too_large',
        `${shown(name)} has ${Math.ceil(facts.size / 1_048_576)} MB; previews go up to 20 MB. It was not loaded.`,
      )
    const bytes = await handle.readFile()
    return {
      base64: bytes.toString('base64'),
      mediaType: mediaTypeOf(bytes.subarray(0, 4096), name),
      bytes: bytes.length,
    }
  } catch (fault) {
    throw explained(fault, `Could not read ${shown(name)}`)
  } finally {
    await handle.close()
  }
}
