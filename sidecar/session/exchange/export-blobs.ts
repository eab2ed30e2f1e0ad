/** The contents that an exported log speaks of, as lines behind it: `{ blob, base64 }`. */
import { BlobId } from '#contract/id'
import { createBlobs } from '../blobs.ts'
import type { SessionFiles } from '../files.ts'

/** Of all of them together; what does not fit is left out, and an import says how much. */
const MOST_BYTES = 32_000_000

/** `within`: where they may lie. Never rejects for one that is gone or damaged. */
export async function exportBlobs(text: string, within: readonly SessionFiles[]): Promise<string> {
  const stores = within.map(files => createBlobs(files.blobs, () => {}))
  const lines: string[] = []
  let room = MOST_BYTES
  for (const id of blobsIn(text)) {
    for (const blobs of stores) {
      const bytes = await blobs.read(id).catch(() => null)
      if (!bytes) continue
      if (bytes.length <= room)
        lines.push(`${JSON.stringify({ blob: id, base64: Buffer.from(bytes).toString('base64') })}\n`)
      room -= Math.min(room, bytes.length)
      break
    }
  }
  return lines.join('')
}

/** Each once, in the order in which they are spoken of. */
export const blobsIn = (text: string): BlobId[] =>
  [...new Set([...text.matchAll(/"(blb_[0-9a-f]{64})"/g)].map(([, id]) => id))].map(id => BlobId.parse(id))
