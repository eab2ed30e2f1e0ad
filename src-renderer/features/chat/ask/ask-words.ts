/** An ask in one line, for its name and for screen readers: a command and a read byte for byte, an edit by its file. */
import type { AskedCall } from '#contract/session-event'
import { t } from '../../../ui/i18n.ts'
import { visible } from '../../../ui/visible.ts'

export function askedWords({ kind, exact, where, agent }: AskedCall): string {
  const what =
    kind === 'edit'
      ? t('chat.askEdit', { path: visible(where) })
      : kind === 'unjailed'
        ? t('chat.askUnjailed', { command: visible(exact) })
        : kind === 'network'
          ? t('chat.askReach', { host: visible(exact) })
          : visible(exact)
  return agent === undefined ? what : t('chat.askFor', { what, agent: visible(agent) })
}

/** In the language of the window at the time of the call. */
export const askLabel = (calls: readonly AskedCall[]): string =>
  t('chat.askLabel', { what: calls.map(askedWords).join('; ') })
