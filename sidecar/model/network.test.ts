import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Way } from '../base/proxy.ts'
import { fetchFor, fromEnvironment } from './network.ts'

const straight: Way = { proxy: null, source: 'system' }

test('the plain way is the plain fetch; a proxy of another kind is refused in words', async () => {
  expect(await fetchFor('https://a.test', [straight])).toBe(fetch)
  await expect(
    fetchFor('https://a.test', [{ proxy: 'gopher://me:secret@p:1', source: 'environment' }]),
  ).rejects.toMatchObject({ code: 'unsupported', message: expect.not.stringContaining('secret') })
})

test('a certificate that cannot be read is told by its name', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'belay-pem-'))
  try {
    const certFile = join(folder, 'missing.pem')
    await expect(fetchFor('https://a.test', [straight], { certFile })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('missing.pem'),
    })
    await writeFile(certFile, 'no certificate')
    const send = await fetchFor('https://127.0.0.1:1', [straight], { caFile: certFile })
    await expect(send('https://127.0.0.1:1', { signal: AbortSignal.timeout(4000) })).rejects.toThrow()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('env:NAME is read each time, and its absence told', () => {
  expect(fromEnvironment('plain', {})).toBe('plain')
  expect(fromEnvironment('env:A', { A: 'x' })).toBe('x')
  expect(() => fromEnvironment('env:A', {})).toThrow(/A is not set/)
})
