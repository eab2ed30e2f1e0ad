/** The language servers' verdict: errors whoever else is still silent, "✓" only when all of it was confirmed, else nothing. */
import type { LspVerdict } from '#contract/session-event'
import { useT } from '../../ui/i18n.ts'
import { Badge } from '../../ui/index.ts'

export function LspBadge({
  verdicts,
  open,
  onToggle,
}: {
  readonly verdicts: readonly LspVerdict[]
  /** Whether the errors are listed below. */
  readonly open: boolean
  readonly onToggle: () => void
}) {
  const t = useT()
  const errors = verdicts.reduce((sum, verdict) => sum + verdict.errorCount, 0)
  if (errors === 0)
    return verdicts.length > 0 && verdicts.every(({ state }) => state === 'clean') ? (
      <Badge tone="ok">
        <span title={t('chat.lspClean')}>LSP ✓</span>
      </Badge>
    ) : null
  return (
    <button type="button" aria-expanded={open} onClick={onToggle} aria-label={t('chat.lspErrors', { count: errors })}>
      <Badge tone="error">LSP {errors}</Badge>
    </button>
  )
}
