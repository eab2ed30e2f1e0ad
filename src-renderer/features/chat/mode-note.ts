/** What a mode means on this machine: where the platform has no jail, no mode runs a command unasked. */
import type { Mode } from '#contract/session-event'
import { jailMirror } from '../../state/mirror/jail.ts'
import { useT } from '../../ui/i18n.ts'

export function useModeNote(): (mode: Mode) => string {
  const t = useT()
  const unjailed = jailMirror(({ status }) => status?.state === 'unsupported')
  return mode => t(`chat.modeNote.${mode === 'auto' && unjailed ? 'autoUnjailed' : mode}`)
}
