/** What came in by a pipe, whole or not at all: at most 10 MiB, and never a wait for a pipe that nobody writes to. */
import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import { BelayError } from '#contract/error'

export const MAX_STDIN_BYTES = 10 * 1024 * 1024
/** Patience with a pipe that is only a bonus, since the prompt stands on the command line. */
const FIRST_BYTES_MS = 200

export interface Piped {
  /** '' when nothing came. */
  readonly text: string
  /** False: what could not be read stands there as �. */
  readonly utf8: boolean
}

/** `required`: the prompt is expected here, so wait for its end. Throws `too_large`. */
export async function readStdin(input: Readable & { isTTY?: boolean }, required: boolean): Promise<Piped> {
  if (input.isTTY) return { text: '', utf8: true }
  const chunks: Buffer[] = []
  let bytes = 0
  const ended = new Promise<void>((resolve, reject) => {
    input.on('data', (chunk: Buffer | string) => {
      const piece = Buffer.from(chunk)
      chunks.push(piece)
      bytes += piece.length
      if (bytes > MAX_STDIN_BYTES) reject(new BelayError('too_large', 'Nothing was sent: stdin is larger than 10 MiB.'))
    })
    input.once('end', resolve)
    // A closed or unreadable stdin is one without content.
    input.once('error', () => resolve())
  })
  const nobody = new Promise<void>(resolve => {
    if (!required) setTimeout(() => chunks.length === 0 && resolve(), FIRST_BYTES_MS).unref()
  })
  try {
    await Promise.race([ended, nobody])
  } finally {
    input.pause()
    input.removeAllListeners('data')
  }
  const whole = Buffer.concat(chunks)
  return { text: whole.toString('utf8'), utf8: isUtf8(whole) }
}
