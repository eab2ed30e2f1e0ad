/** Big output, once: up to 16 KB it stands in the event; above that all of it is a blob and the event has head and tail. */
import type { BlobId } from '#contract/id'
import type { Preview } from '#contract/session-event'

export const WHOLE_PREVIEW_BYTES = 16 * 1024
const HEAD_BYTES = 10 * 1024
const TAIL_BYTES = 5 * 1024

/** Never rejects: where the blob cannot be kept, head and tail still are. */
export async function previewOf(text: string, keep: (bytes: Uint8Array) => Promise<BlobId>): Promise<Preview> {
  // A lone surrogate has no UTF-8; counted after the replacement that the disk would make too.
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length <= WHOLE_PREVIEW_BYTES) return { text, bytes: bytes.length, truncated: false, blobId: null }
  const blobId = await keep(bytes).catch(() => null)
  const head = bytes.subarray(0, boundary(bytes, HEAD_BYTES))
  const tail = bytes.subarray(boundary(bytes, bytes.length - TAIL_BYTES))
  const left = bytes.length - head.length - tail.length
  return {
    text: `${head}\n\n[${left} of ${bytes.length} bytes left out here. Ask for the part you need.]\n\n${tail}`,
    bytes: bytes.length,
    truncated: true,
    blobId,
  }
}

/** The nearest start of a character at or before `at`. */
function boundary(bytes: Uint8Array, at: number): number {
  let start = at
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--
  return start
}
