/** Faults, on both sides of every wire. Compare `code`, never `instanceof`: a class does not survive a process. */

export const ErrorCode = {
  notFound: 'not_found',
  notAFolder: 'not_a_folder',
  notAFile: 'not_a_file',
  noPermission: 'no_permission',
  alreadyExists: 'already_exists',
  notEmpty: 'not_empty',
  invalid: 'invalid',
  stale: 'stale',
  outside: 'outside',
  readOnly: 'read_only',
  tooLarge: 'too_large',
  binary: 'binary',
  undecodable: 'undecodable',
  busy: 'busy',
  lockedElsewhere: 'locked_elsewhere',
  untrusted: 'untrusted',
  denied: 'denied',
  cancelled: 'cancelled',
  timeout: 'timeout',
  disconnected: 'disconnected',
  diskFull: 'disk_full',
  unavailable: 'unavailable',
  unsupported: 'unsupported',
  protocol: 'protocol',
  auth: 'auth',
  rateLimit: 'rate_limit',
  overloaded: 'overloaded',
  contextTooLong: 'context_too_long',
  contentFilter: 'content_filter',
  network: 'network',
  badRequest: 'bad_request',
  truncated: 'truncated',
  internal: 'internal',
} as const
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode]

/** What crosses a wire in place of an exception. `message` is for a person: what happened, what was kept, what to do. */
export interface Fault {
  readonly code: ErrorCode
  readonly message: string
}

export class BelayError extends Error implements Fault {
  override readonly name = 'BelayError'
  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options)
  }
}

const codes = new Set<string>(Object.values(ErrorCode))

/** Any thrown value as data; unknown throwables become `internal`. Never throws. */
export function toFault(thrown: unknown): Fault {
  const { code, message } = (thrown ?? {}) as { code?: unknown; message?: unknown }
  const text = typeof message === 'string' ? message : String(thrown)
  if (typeof code === 'string' && codes.has(code)) return { code: code as ErrorCode, message: text }
  const bySystem = typeof code === 'string' ? systemCodes[code] : undefined
  return { code: bySystem ?? ErrorCode.internal, message: text }
}

/** Node's system error codes, where a person can do something about them. */
const systemCodes: Record<string, ErrorCode> = {
  ENOENT: ErrorCode.notFound,
  ENOTDIR: ErrorCode.notAFolder,
  EISDIR: ErrorCode.notAFile,
  EACCES: ErrorCode.noPermission,
  EPERM: ErrorCode.noPermission,
  EROFS: ErrorCode.readOnly,
  EEXIST: ErrorCode.alreadyExists,
  ENOTEMPTY: ErrorCode.notEmpty,
  ENOSPC: ErrorCode.diskFull,
  EDQUOT: ErrorCode.diskFull,
  ABORT_ERR: ErrorCode.cancelled,
}
