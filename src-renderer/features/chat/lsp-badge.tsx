/** The language servers' verdict. Says "✓" only for what a server confirmed; nothing when none answered or covers the file. */
import type { LspVerdict } from '#contract/session-event'
import { useT } from '../../ui/i18n.ts'
import { Badge } from '../../ui/index.ts'

export function LspBadge({
  verdicts,
  onToggle,
}: {
  readonly verdicts: readonly LspVerdict[]
  readonly onToggle: () => void
}) {
  const t = useT()
  const told = verdicts.filter(verdict => verdict.state === 'clean' || verdict.state === 'errors')
  if (told.length === 0 || told.length < verdicts.length) return null
  const errors = told.reduce((sum, verdict) => sum + verdict.errorCount, 0)
  if (errors === 0)
    return (
      <Badge tone="ok">
        <span title={t('chat.lspClean')}>LSP ✓</span>
      </Badge>
    )
  return (
    <button type="button" onClick={onToggle} aria-label={t('chat.lspErrors', { count: errors })}>
      <Badge tone="error">LSP {errors}</Badge>
    </button>
  )
}
