/** Keys in a file of the person's own (0600), each sealed where the platform has a keychain. Several instances may share it. */
import { chmod, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { BelayError } from '#contract/error'
import type { KeyKeeping } from '#contract/machine'
import { readJson, writeFileAtomic } from '../../base/atomic-file.ts'
import { awaitLock, type Lock } from '../../base/lock-file.ts'
import { createSerial } from '../../base/serial.ts'

export interface Secrets {
  /** `unreadable`: it is kept, and what sealed it does not open it any more, or not now. */
  get(name: string): Promise<{ value: string | null; unreadable: boolean }>
  /**
   * Null deletes. Throws `busy` when another instance keeps the file for seconds, `unavailable` where it could not be sealed:
   * then what was kept before stays.
   */
  set(name: string, value: string | null): Promise<void>
  /** Seals what is kept plain, where that can be done. What does not come back as it was stays as it is. Never rejects. */
  sealPlain(): Promise<void>
  keeping(): Promise<KeyKeeping>
}

/** How a value is kept: as it is, or sealed by the platform (src-main). */
export interface Cipher {
  /** Asked each time: a keychain may be unlocked later. */
  keeping(): Promise<Omit<KeyKeeping, 'file'>>
  /** Rejects where it cannot. */
  seal(value: string): Promise<string>
  /** Null: not by us, or not now. `stale`: it is to be sealed anew. */
  open(sealed: string): Promise<{ value: string; stale: boolean } | null>
}

/** In front of what only the desktop app can read; it may share the file. */
const SEALED = 'sealed:'

const plain: Cipher = {
  keeping: async () => ({ kept: 'plain', keeper: null, why: 'web' }),
  seal: async value => value,
  open: async () => null,
}
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
  /** What `change` made of them is written whole where it answers true, while no other instance writes. */
  const write = (change: (all: Map<string, string>) => Promise<boolean>) =>
    serial(async () => {
      const lock = await lockFor(`${file}.lock`, options.instanceId)
      try {
        const all = await read()
        if (await change(all)) await writeFileAtomic(file, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`)
      } finally {
        await lock.release()
      }
    })
  const isSealing = async () => (await cipher.keeping()).kept === 'sealed'
  const sealed = async (value: string): Promise<string> => {
    if (!(await isSealing())) return value
    try {
      return SEALED + (await cipher.seal(value))
    } catch (cause) {
      throw new BelayError(
        'unavailable',
        'The key was not saved: the keychain of this machine did not seal it. What was kept before stays. Unlock it and try again.',
        { cause },
      )
    }
  }
  const put = (name: string, value: string) =>
    write(async all => {
      all.set(name, await sealed(value))
      return true
    })
  /** Unless another was set meanwhile. */
  const sealAgain = (name: string, before: string, value: string) =>
    write(async all => {
      if (all.get(name) !== before) return false
      all.set(name, await sealed(value))
      return true
    })
  return {
    async get(name) {
      const kept = (await read()).get(name)
      if (!kept?.startsWith(SEALED)) return { value: kept ?? null, unreadable: false }
      const opened = await cipher.open(kept.slice(SEALED.length)).catch(() => null)
      if (opened?.stale) void sealAgain(name, kept, opened.value).catch(() => {})
      return { value: opened?.value ?? null, unreadable: opened === null }
    },
    set: (name, value) => (value === null ? write(async all => all.delete(name)) : put(name, value)),
    async sealPlain() {
      try {
        const isPlain = ([, value]: [string, string]) => !value.startsWith(SEALED)
        if (![...(await read())].some(isPlain) || !(await isSealing())) return
        await write(async all => {
          for (const [name, value] of [...all].filter(isPlain)) {
            const kept = await cipher.seal(value)
            if ((await cipher.open(kept))?.value === value) all.set(name, SEALED + kept)
          }
          return true
        })
      } catch {
        // They stay as they are, and what is said of them stays true.
      }
    },
    keeping: async () => ({ ...(await cipher.keeping()), file }),
  }
}

async function lockFor(file: string, instanceId: string): Promise<Lock> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await chmod(dirname(file), 0o700).catch(() => {})
  const lock = await awaitLock(file, { instanceId, what: 'saving a key' }, LOCK_TIMEOUT_MS)
  if ('release' in lock) return lock
  throw new BelayError(
    'busy',
    `The key was not saved: ${lock.heldBy.what} (pid ${lock.heldBy.pid}) keeps the file. Try again.`,
  )
}

/** A Map, so that no name can meet an object's own properties. */
const parse = (value: unknown): Map<string, string> => new Map(Object.entries(Kept.parse(value)))
