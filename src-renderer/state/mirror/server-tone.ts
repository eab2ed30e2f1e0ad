/** How a language server does, as the colour of a lamp: one table for everywhere it is shown. */
import type { LanguageServerInfo } from '#contract/language'

export const serverTones = {
  ready: 'ok',
  starting: 'ask',
  broken: 'error',
  missing: 'plain',
  untrusted: 'ask',
  idle: 'plain',
  off: 'plain',
} as const satisfies Record<LanguageServerInfo['state'], string>
