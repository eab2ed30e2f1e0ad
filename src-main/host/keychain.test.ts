import { expect, test } from 'vitest'
import { createKeychain } from './keychain.ts'

type Storage = Parameters<typeof createKeychain>[0]
const never = new Promise<never>(() => {})
const storage = (more: Partial<Storage> = {}): Storage => ({
  isAsyncEncryptionAvailable: async () => true,
  encryptStringAsync: async text => Buffer.from(`v11${text}`),
  decryptStringAsync: async sealed => {
    const text = sealed.toString()
    if (!text.startsWith('v11')) throw new Error('not ours')
    return { result: text.slice(3), shouldReEncrypt: false }
  },
  getSelectedStorageBackend: () => 'gnome_libsecret',
  ...more,
})

test('who keeps the key, by the name of the platform; a key that everybody knows is none', async () => {
  const keeping = (platform: NodeJS.Platform, more: Partial<Storage> = {}) =>
    createKeychain(storage(more), platform, 50).keeping()
  expect(await keeping('linux')).toEqual({ kept: 'sealed', keeper: 'Secret Service', why: null })
  expect((await keeping('linux', { getSelectedStorageBackend: () => 'kwallet6' })).keeper).toBe('KWallet 6')
  expect([(await keeping('darwin')).keeper, (await keeping('win32')).keeper]).toEqual(['Keychain', 'Windows (DPAPI)'])
  for (const backend of ['basic_text', 'unknown'] as const)
    expect(await keeping('linux', { getSelectedStorageBackend: () => backend })).toEqual({
      ...{ kept: 'plain', keeper: null, why: 'none' },
    })
  expect((await keeping('darwin', { isAsyncEncryptionAvailable: async () => false })).why).toBe('none')
  expect((await keeping('darwin', { isAsyncEncryptionAvailable: () => Promise.reject(new Error('x')) })).why).toBe(
    'none',
  )
  expect((await keeping('linux', { isAsyncEncryptionAvailable: () => never })).why).toBe('silent')
})

test('a keychain that comes later is found; one that falls silent keeps nobody waiting', async () => {
  let here = false
  const late = createKeychain(storage({ isAsyncEncryptionAvailable: async () => here }), 'linux', 50)
  expect((await late.keeping()).kept).toBe('plain')
  here = true
  expect((await late.keeping()).kept).toBe('sealed')
  const silent = createKeychain(
    storage({ encryptStringAsync: () => never, decryptStringAsync: () => never }),
    'linux',
    50,
  )
  await expect(silent.seal('x')).rejects.toThrow()
  expect(await silent.open('eA==')).toBe(null)
})

test('what was sealed comes back; what the key of all opens is not believed', async () => {
  const chain = createKeychain(storage(), 'linux')
  expect(await chain.open(await chain.seal('wörds'))).toEqual({ value: 'wörds', stale: false })
  const known = createKeychain(storage({ getSelectedStorageBackend: () => 'basic_text' }), 'linux')
  expect(await known.open(await chain.seal('x'))).toBe(null)
})
