/** An ask in one line, for its name and for screen readers: a command and a read byte for byte, an edit by its file. */
import type { AskedCall } from '#contract/session-event'
import { t } from '../../ui/i18n.ts'
import { visible } from './visible.ts'

const wordsOf = ({ kind, exact, where }: AskedCall): string =>
  kind === 'edit' ? t('chat.askEdit', { path: visible(where) }) : visible(exact)

/** In the language of the window at the time of the call. */
export const askLabel = (calls: readonly AskedCall[]): string =>
  t('chat.askLabel', { what: calls.map(wordsOf).join('; ') })
