/** Keys in a file of the person's own (0600), for machines without a keychain of ours. Several instances may share it. */
import { chmod, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { z } from 'zod'
import { BelayError } from '#contract/error'
import { readJson, writeFileAtomic } from '../../base/atomic-file.ts'
import { acquireLock, type Lock } from '../../base/lock-file.ts'
import { createSerial } from '../../base/serial.ts'

export interface Secrets {
  get(name: string): Promise<string | null>
  /** Null deletes. Throws `busy` when another instance keeps the file for seconds. */
  set(name: string, value: string | null): Promise<void>
}

/** How a value is kept: as it is, or enciphered by the platform (src-main). `open` returns null for what it cannot read. */
export interface Cipher {
  seal(value: string): string
  open(sealed: string): string | null
}

/** In front of what only the desktop app can read; it may share the file. */
export const SEALED = 'sealed:'

const plain: Cipher = { seal: value => value, open: sealed => (sealed.startsWith(SEALED) ? null : sealed) }
const Kept = z.record(z.string(), z.string())
const LOCK_TIMEOUT_MS = 5000

export function createSecrets(options: {
  folder: string
  file?: string
  instanceId: string
  cipher?: Cipher
}): Secrets {
  const file = join(options.folder, options.file ?? 'secrets.json')
  const cipher = options.cipher ?? plain
  const serial = createSerial()
  const read = () => readJson(file, parse, new Map<string, string>())
  return {
    async get(name) {
      const sealed = (await read()).get(name)
      return sealed === undefined ? null : cipher.open(sealed)
    },
    set: (name, value) =>
      serial(async () => {
        const lock = await lockFor(`${file}.lock`, options.instanceId)
        try {
          const all = await read()
          if (value === null) all.delete(name)
          else all.set(name, cipher.seal(value))
          await writeFileAtomic(file, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`)
        } finally {
          await lock.release()
        }
      }),
  }
}

async function lockFor(file: string, instanceId: string): Promise<Lock> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await chmod(dirname(file), 0o700).catch(() => {})
  for (const deadline = Date.now() + LOCK_TIMEOUT_MS; ; ) {
    const lock = await acquireLock(file, { instanceId, what: 'saving a key' })
    if ('release' in lock) return lock
    if (Date.now() > deadline) {
      throw new BelayError(
        'busy',
        `The key was not saved: ${lock.heldBy.what} (pid ${lock.heldBy.pid}) keeps the file. Try again.`,
      )
    }
    await after(20)
  }
}

/** A Map, so that no name can meet an object's own properties. */
const parse = (value: unknown): Map<string, string> => new Map(Object.entries(Kept.parse(value)))
