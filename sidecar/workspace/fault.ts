/** Turns what the file system threw into words for a person. Anything that already speaks our codes is passed on as it is. */
import { BelayError, type ErrorCode, toFault } from '#contract/error'

const words: Partial<Record<ErrorCode, string>> = {
  not_found: 'it does not exist (any more)',
  not_a_folder: 'a part of the path is a file, not a folder',
  not_a_file: 'it is a folder, not a file',
  no_permission: 'this account has no permission for it',
  read_only: 'it is on a read-only file system',
  already_exists: 'something with that name is already there; nothing was overwritten',
  not_empty: 'the folder is not empty',
  disk_full: 'the disk is full',
}

/** `what` reads like "Could not rename “a.txt”". Never throws; the original is kept as `cause`. */
export function explained(thrown: unknown, what: string): BelayError {
  if ((thrown as BelayError | null)?.name === 'BelayError') return thrown as BelayError
  const system = (thrown as NodeJS.ErrnoException | null)?.code
  if (system === 'ELOOP') return new BelayError('invalid', `${what}: its links lead back to themselves.`)
  if (system === 'ENAMETOOLONG') return new BelayError('invalid', `${what}: the name is too long for this disk.`)
  if (system === 'EBUSY')
    return new BelayError('busy', `${what}: another program is using it. Close it there, then try again.`)
  const fault = toFault(thrown)
  const why = words[fault.code] ?? fault.message
  return new BelayError(fault.code, `${what}: ${why}.`, { cause: thrown })
}

/** The system's code of a thrown value, or ''. */
export const systemCode = (thrown: unknown): string => {
  const code = (thrown as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}

/** A name as a person can read it in a sentence: quoted, control characters made visible. */
export const shown = (name: string): string =>
  `“${name.replace(/[\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}”`
