/** The person's own AGENTS.md: in their profile, told in every folder, in words that are theirs. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BelayError } from '#contract/error'
import { writeFileAtomic } from '../base/atomic-file.ts'
import { createSerial } from '../base/serial.ts'

/** Bytes of it that are told; more is cut, and said so. */
export const MOST_OWN_BYTES = 32 * 1024

export interface OwnInstructions {
  readonly file: string
  /** All of it; '' where there is none. Throws what the disk says. */
  read(): Promise<string>
  /** Throws `stale` where it no longer reads as `before`. */
  write(before: string, text: string): Promise<void>
  /** As a model is told it; '' where there is none, or it cannot be read. */
  told(): Promise<string>
}

export function createOwnInstructions(configFolder: string): OwnInstructions {
  const file = join(configFolder, 'AGENTS.md')
  const serial = createSerial()
  const read = async (): Promise<string> => {
    try {
      return await readFile(file, 'utf8')
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return ''
      throw fault
    }
  }
  return {
    file,
    read,
    write: (before, text) =>
      serial(async () => {
        if ((await read()) !== before)
          throw new BelayError('stale', 'The file was changed elsewhere since you opened it. Nothing was written.')
        await writeFileAtomic(file, text)
      }),
    async told() {
      const bytes = Buffer.from(await read().catch(() => ''))
      if (bytes.length <= MOST_OWN_BYTES) return bytes.toString().trim()
      const head = bytes
        .subarray(0, MOST_OWN_BYTES)
        .toString()
        .replace(/\ufffd+$/, '')
      return `${head.trim()}\n(cut after ${MOST_OWN_BYTES / 1024} KB)`
    },
  }
}
