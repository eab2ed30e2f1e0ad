/** Keys sealed with one that the platform keeps. Where it keeps none they stay plain, and `keeping` says why. */
import { setTimeout as after } from 'node:timers/promises'
import type { SafeStorage } from 'electron'
import type { Cipher } from '../../sidecar/supervise/machine/secrets.ts'

/** A keychain may ask its owner for a password first; nobody waits longer than this for that. */
const PATIENCE_MS = 15_000

type Storage = Pick<
  SafeStorage,
  'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync' | 'getSelectedStorageBackend'
>

/** Ask it only after the app is ready. */
export function createKeychain(
  safeStorage: Storage,
  platform: NodeJS.Platform = process.platform,
  patienceMs: number = PATIENCE_MS,
): Cipher {
  const keeperHere = () => keeperOf(platform, safeStorage)
  const within = <T>(work: Promise<T>): Promise<T | 'silent'> =>
    Promise.race([work, after(patienceMs, 'silent' as const, { ref: false })])
  let available: Promise<boolean> | null = null
  /** What was no is asked again; a keychain that was there stays. */
  const isAvailable = (): Promise<boolean> => {
    available ??= safeStorage
      .isAsyncEncryptionAvailable()
      .catch(() => false)
      .then(yes => {
        if (!yes) available = null
        return yes
      })
    return available
  }
  const keeping: Cipher['keeping'] = async () => {
    const keeper = keeperHere()
    if (keeper === null) return { kept: 'plain', keeper: null, why: 'none' }
    const answer = await within(isAvailable())
    if (answer === true) return { kept: 'sealed', keeper, why: null }
    return { kept: 'plain', keeper: null, why: answer === 'silent' ? 'silent' : 'none' }
  }
  return {
    keeping,
    async seal(value) {
      const sealed = await within(safeStorage.encryptStringAsync(value))
      if (sealed === 'silent') throw new Error('the keychain does not answer')
      return sealed.toString('base64')
    },
    async open(sealed) {
      // Without a keychain Chromium tries a key that everybody knows.
      if (keeperHere() === null) return null
      const opened = await within(safeStorage.decryptStringAsync(Buffer.from(sealed, 'base64')))
      return opened === 'silent' ? null : { value: opened.result, stale: opened.shouldReEncrypt }
    },
  }
}

const wallets: Readonly<Record<string, string>> = {
  gnome_libsecret: 'Secret Service',
  kwallet: 'KWallet',
  kwallet5: 'KWallet 5',
  kwallet6: 'KWallet 6',
}

/** Null where the key would be one that everybody knows (`basic_text`). */
function keeperOf(platform: NodeJS.Platform, storage: Storage): string | null {
  if (platform === 'darwin') return 'Keychain'
  if (platform === 'win32') return 'Windows (DPAPI)'
  return wallets[storage.getSelectedStorageBackend()] ?? null
}
