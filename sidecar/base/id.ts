/** New names for things: sortable by time of birth to the millisecond, never the same twice. */
import { randomBytes } from 'node:crypto'

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz'

/** `newId('ses')` -> `ses_mf3k2b9a4x7k2m8q1z`. The caller's schema brands it. */
export function newId(prefix: string): string {
  const time = Date.now().toString(36).padStart(9, '0')
  const random = Array.from(randomBytes(11), byte => alphabet[byte % 36]).join('')
  return `${prefix}_${time}${random}`
}
