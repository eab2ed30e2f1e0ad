/** Models to search through, each with what one chooses by: whose it is, what it holds, what it costs, whether it thinks. */
import { Command } from 'cmdk'
import { Check } from 'lucide-react'
import { useState } from 'react'
import type { ModelInfo, ProviderInfo } from '#contract/model'
import { formatPrice, formatShort } from '../../ui/format.ts'
import { useT } from '../../ui/i18n.ts'
import './model-list.css'

export interface ModelListProps {
  readonly known: { readonly models: readonly ModelInfo[]; readonly providers: readonly ProviderInfo[] } | null
  readonly model: string
  readonly onChoose: (model: string) => void
  readonly onSettings: () => void
}

/** Rows beyond it are found by searching. */
const MOST_SHOWN = 100

export function ModelList({ known, model, onChoose, onSettings }: ModelListProps) {
  const t = useT()
  const [query, setQuery] = useState('')
  const labels = new Map(known?.providers.map(each => [each.provider, each.label]))
  const labelOf = ({ model: name }: ModelInfo) => labels.get(name.slice(0, name.indexOf('/'))) ?? ''
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found = (known?.models ?? []).filter(each => {
    const text = `${each.model} ${each.label} ${labelOf(each)}`.toLowerCase()
    return words.every(word => text.includes(word))
  })
  const top = found.slice(0, MOST_SHOWN)
  const chosen = found.find(each => each.model === model)
  const shown = chosen && !top.includes(chosen) ? [chosen, ...top] : top
  return (
    <Command shouldFilter={false} label={t('chat.chooseModel')} defaultValue={model} loop>
      <Command.Input
        className="ui-input"
        autoFocus
        value={query}
        onValueChange={setQuery}
        placeholder={t('chat.searchModels')}
        aria-label={t('chat.searchModels')}
      />
      <Command.List className="chat-model-list" label={t('chat.chooseModel')}>
        <Command.Empty className="chat-model-none">{t('chat.noModels')}</Command.Empty>
        {shown.map(each => (
          <Command.Item
            key={each.model}
            value={each.model}
            className="chat-model"
            onSelect={() => onChoose(each.model)}
          >
            <span className="chat-model-check">
              {each.model === model && <Check size={14} aria-label={t('chat.modelInUse')} />}
            </span>
            <span className="chat-model-name">
              {each.label}
              <span className="chat-model-note">{labelOf(each)}</span>
            </span>
            <Facts model={each} />
          </Command.Item>
        ))}
        <Command.Item value="settings" className="chat-model chat-model-settings" onSelect={onSettings}>
          <span className="chat-model-check" />
          {t('chat.modelSettings')}
        </Command.Item>
      </Command.List>
      {found.length > shown.length && (
        <div className="chat-model-none">{t('chat.moreModels', { count: found.length - shown.length })}</div>
      )}
    </Command>
  )
}

/** What nobody knows of it is not said. */
function Facts({ model: { contextTokens, price, effortLevels = [], tools, asOf } }: { readonly model: ModelInfo }) {
  const t = useT()
  return (
    <span className="chat-model-facts" title={asOf ? t('chat.modelAsOf', { day: asOf }) : undefined}>
      {contextTokens !== null && <span>{t('chat.modelWindow', { tokens: formatShort(contextTokens) })}</span>}
      {price && (
        <span>
          {price.input === 0 && price.output === 0
            ? t('chat.modelFree')
            : t('chat.modelPrice', { in: formatPrice(price.input), out: formatPrice(price.output) })}
        </span>
      )}
      {effortLevels.length > 0 && (
        <span>
          {t('chat.modelEfforts', { levels: effortLevels.map(each => t(`chat.effort.${each}`)).join(' · ') })}
        </span>
      )}
      {tools === false && <span className="chat-model-lacks">{t('chat.modelNoTools')}</span>}
    </span>
  )
}
