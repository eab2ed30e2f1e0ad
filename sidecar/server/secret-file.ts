/** Files that a person names when Belay starts: read whole, and refused where others could have read a secret in them. */
import { readFile, stat } from 'node:fs/promises'
import { BelayError } from '#contract/error'

const MAX_BYTES = 1_000_000

/** `what` it is to be, for the words of a refusal. */
export async function readWhole(file: string, what: string): Promise<string> {
  try {
    const { size } = await stat(file)
    if (size <= MAX_BYTES) return await readFile(file, 'utf8')
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'fault'
    throw new BelayError('not_found', `The ${what} ${file} cannot be read (${code}). Nothing was started.`, { cause })
  }
  throw new BelayError('too_large', `${file} is too large to be a ${what}. Nothing was started.`)
}

/** Windows has no such bits: there a file's folder guards it. */
export async function readSecretFile(file: string, what: string): Promise<string> {
  const text = await readWhole(file, what)
  const { mode } = await stat(file)
  if (process.platform !== 'win32' && (mode & 0o007) !== 0)
    throw new BelayError(
      'invalid',
      `Every account of this machine may read ${file}. Nothing was started; close it first: chmod 600 ${file}`,
    )
  return text
}
