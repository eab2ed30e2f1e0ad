/** `safeStorage`, with the keychain that the test chose. Sealed as Chromium seals on Linux: `v11` with a keyring's key, `v10` with the one all know. */
import { createCipheriv, createDecipheriv, pbkdf2Sync } from 'node:crypto'
import { options } from '../options.ts'
import { part } from '../typed.ts'
import { app } from './app.ts'

type SafeStorage = Electron.SafeStorage
const keychain = options.keychain ?? 'gnome_libsecret'
const keys = {
  v10: pbkdf2Sync('peanuts', 'saltysalt', 1, 16, 'sha1'),
  v11: pbkdf2Sync('the keyring of the double', 'saltysalt', 1, 16, 'sha1'),
}
const IV = Buffer.alloc(16, ' ')
let plainTextAllowed = false

const hasKeyring = () => keychain !== 'unavailable' && keychain !== 'basic_text' && keychain !== 'unknown'
const isAvailable = () => app.isReady() && (hasKeyring() || (keychain === 'basic_text' && plainTextAllowed))

function refuse(doing: 'encrypting' | 'decrypting', call: 'encryptString' | 'decryptString', why: string): Error {
  const what = doing === 'encrypting' ? 'text' : 'ciphertext'
  return new Error(`Error while ${doing} the ${what} provided to safeStorage.${call}. ${why}`)
}

function encryptString(text: string): Buffer {
  if (!isAvailable()) throw refuse('encrypting', 'encryptString', 'Encryption is not available.')
  if (typeof text !== 'string') throw new TypeError('Expected the first argument of encryptString() to be a string')
  const version = hasKeyring() ? 'v11' : 'v10'
  const cipher = createCipheriv('aes-128-cbc', keys[version], IV)
  return Buffer.concat([Buffer.from(version), cipher.update(text, 'utf8'), cipher.final()])
}

function decryptString(sealed: Buffer): string {
  if (!isAvailable()) throw refuse('decrypting', 'decryptString', 'Decryption is not available.')
  if (!Buffer.isBuffer(sealed)) throw new Error('Expected the first argument of decryptString() to be a buffer')
  const version = sealed.subarray(0, 3).toString('latin1')
  if (version !== 'v10' && version !== 'v11') {
    throw refuse('decrypting', 'decryptString', 'Ciphertext does not appear to be encrypted.')
  }
  try {
    if (version === 'v11' && !hasKeyring()) throw new Error('its key is in a keyring that is not here')
    const cipher = createDecipheriv('aes-128-cbc', keys[version], IV)
    return cipher.update(sealed.subarray(3)).toString('utf8') + cipher.final('utf8')
  } catch {
    throw new Error('Error while decrypting the ciphertext provided to safeStorage.decryptString.')
  }
}

export const safeStorage = part<SafeStorage>({
  isEncryptionAvailable: isAvailable,
  isAsyncEncryptionAvailable: async () => isAvailable(),
  encryptString,
  decryptString,
  encryptStringAsync: async text => encryptString(text),
  decryptStringAsync: async sealed => ({ result: decryptString(sealed), shouldReEncrypt: false }),
  getSelectedStorageBackend: () => (!app.isReady() || keychain === 'unavailable' ? 'unknown' : keychain),
  setUsePlainTextEncryption(allowed) {
    plainTextAllowed = allowed
  },
})
