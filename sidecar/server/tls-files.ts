/** The certificate and key under which others on a network reach the browser form, read from files and checked before anything listens. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { BelayError } from '#contract/error'
import { readSecretFile, readWhole } from './secret-file.ts'

export interface TlsFiles {
  readonly cert: string
  readonly key: string
  /** DNS names (also `*.example.org`) and addresses that the certificate is for. */
  readonly names: readonly string[]
}

/** Throws in words: unreadable, a key that others may read, not of one another, out of date. Nothing was started then. */
export async function readTlsFiles(files: { cert: string; key: string }, now = new Date()): Promise<TlsFiles> {
  const cert = await readWhole(files.cert, 'certificate')
  const key = await readSecretFile(files.key, 'key of the certificate')
  const leaf = certificateOf(cert, files.cert)
  if (!isKeyOf(leaf, key))
    throw new BelayError(
      'invalid',
      `${files.key} is not the key of ${files.cert} (or has a passphrase). Nothing was started.`,
    )
  if (new Date(leaf.validTo) < now)
    throw new BelayError(
      'invalid',
      `The certificate ${files.cert} ended on ${leaf.validTo}. Nothing was started; renew it.`,
    )
  const names = [...(leaf.subjectAltName ?? '').matchAll(/(?:DNS|IP Address):([^,\s]+)/g)].map(([, name = '']) =>
    name.toLowerCase(),
  )
  return { cert, key, names }
}

function certificateOf(pem: string, file: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (cause) {
    throw new BelayError('invalid', `${file} is no certificate in PEM form. Nothing was started.`, { cause })
  }
}

function isKeyOf(leaf: X509Certificate, key: string): boolean {
  try {
    createSecureContext({ cert: leaf.toString(), key })
    return leaf.checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}
