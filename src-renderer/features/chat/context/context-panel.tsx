/** What fills the model's context, part by part, what is left of it, and the way to make room now. */
import type { ContextUse } from '#contract/context-use'
import { formatPercent, formatShort } from '../../../ui/format.ts'
import { useT } from '../../../ui/i18n.ts'
import { Button } from '../../../ui/index.ts'
import { shortModel } from '../use-chat.ts'

interface ContextPanelProps {
  readonly use: ContextUse
  readonly onCompact: () => void
}

const parts = ['system', 'instructions', 'tools', 'notes', 'messages', 'results'] as const

export function ContextPanel({ use, onCompact }: ContextPanelProps) {
  const t = useT()
  const { windowTokens, compactAtTokens, tokens, measured, foldable } = use
  const whole = Math.max(windowTokens ?? tokens, tokens, 1)
  const free = windowTokens === null ? null : Math.max(0, windowTokens - tokens)
  const shown = parts.filter(part => use.parts[part] > 0)
  return (
    <div className="context-panel">
      <div className="context-head">
        <b>{t('context.title')}</b>
        <span className="chat-dim chat-cut">{shortModel(use.model)}</span>
      </div>
      <div className="context-bar" role="img" aria-label={t('context.bar', { used: formatPercent(tokens / whole) })}>
        {shown.map(part => (
          <span key={part} data-part={part} style={{ width: `${(use.parts[part] / whole) * 100}%` }} />
        ))}
        {compactAtTokens !== null && (
          <i className="context-mark" style={{ insetInlineStart: `${(compactAtTokens / whole) * 100}%` }} />
        )}
      </div>
      <dl className="context-parts">
        {shown.map(part => (
          <div key={part}>
            <dt>
              <span className="context-dot" data-part={part} aria-hidden="true" />
              {t(`context.part.${part}`)}
            </dt>
            <dd>{formatShort(use.parts[part])}</dd>
          </div>
        ))}
        <div className="context-free">
          <dt>
            <span className="context-dot" aria-hidden="true" />
            {t('context.part.free')}
          </dt>
          <dd>{free === null ? '?' : formatShort(free)}</dd>
        </div>
      </dl>
      <p className="chat-dim">
        {compactAtTokens === null ? t('context.unknown') : t('context.at', { tokens: formatShort(compactAtTokens) })}{' '}
        {!measured && t('context.guess')}
      </p>
      <Button disabled={!foldable} onClick={onCompact}>
        {t('context.compactNow')}
      </Button>
      {!foldable && <p className="chat-dim">{t('context.nothing')}</p>}
    </div>
  )
}
