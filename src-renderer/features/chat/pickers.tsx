/** Mode, model and effort under the field. A provider that a person never agreed to is asked about before anything is sent. */
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import type { ProviderInfo } from '#contract/model'
import type { Effort, Mode } from '#contract/session-event'
import { consentTo } from '../../client/model-pump.ts'
import { modelMirror } from '../../state/mirror/model.ts'
import { useT } from '../../ui/i18n.ts'
import { ConfirmDialog, Menu, type MenuEntry } from '../../ui/index.ts'
import { useCommand } from '../commands.ts'
import { setMode, setModel } from './actions.ts'
import { pickerOpen } from './picker-open.ts'
import { showProblem } from './problem.ts'
import { shortModel, useMode, useModel } from './use-chat.ts'

const modes: readonly Mode[] = ['plan', 'default', 'acceptEdits', 'auto']
const efforts: readonly Effort[] = ['auto', 'low', 'medium', 'high', 'max']

export function ModePicker() {
  const t = useT()
  const mode = useMode()
  const open = pickerOpen(state => state.open === 'mode')
  const entries = modes.map(
    (each): MenuEntry => ({
      id: each,
      label: t(`chat.mode.${each}`),
      note: t(`chat.modeNote.${each}`),
      checked: each === mode,
      onSelect: () => void setMode(each).catch(thrown => showProblem(t('chat.modeFailed'), thrown)),
    }),
  )
  return (
    <Menu
      entries={entries}
      side="top"
      open={open}
      onOpenChange={next => pickerOpen.setState({ open: next ? 'mode' : null })}
    >
      <button type="button" className="chat-pick" aria-label={t('chat.modeLabel', { mode: t(`chat.mode.${mode}`) })}>
        <b>{t(`chat.mode.${mode}`)}</b>
        <ChevronDown size={12} />
      </button>
    </Menu>
  )
}

export function ModelPicker() {
  const t = useT()
  const run = useCommand()
  const { model, effort } = useModel()
  const known = modelMirror(state => state.known)
  const open = pickerOpen(state => state.open === 'model')
  const [asking, setAsking] = useState<{ model: string; provider: ProviderInfo } | null>(null)
  const use = (next: string) => void setModel(next, effort).catch(thrown => showProblem(t('chat.modelFailed'), thrown))
  const choose = (next: string) => {
    const provider = known?.providers.find(each => next.startsWith(`${each.provider}/`))
    if (provider && !provider.consented) setAsking({ model: next, provider })
    else use(next)
  }
  const entries = (): MenuEntry[] => [
    ...(known?.models ?? []).map(
      (each): MenuEntry => ({
        id: each.model,
        label: each.label,
        note: known?.providers.find(({ provider }) => each.model.startsWith(`${provider}/`))?.label ?? '',
        checked: each.model === model,
        onSelect: () => choose(each.model),
      }),
    ),
    { kind: 'separator', id: 'rule' },
    { id: 'settings', label: t('chat.modelSettings'), onSelect: () => void run('app.settings') },
  ]
  return (
    <>
      <Menu
        entries={entries}
        side="top"
        open={open}
        onOpenChange={next => pickerOpen.setState({ open: next ? 'model' : null })}
      >
        <button type="button" className="chat-pick" aria-label={t('chat.modelLabel', { model: shortModel(model) })}>
          <b>{shortModel(model)}</b>
          <ChevronDown size={12} />
        </button>
      </Menu>
      <ConfirmDialog
        open={asking !== null}
        title={t('chat.consentTitle', { provider: asking?.provider.label ?? '' })}
        body={t('chat.consentBody', { provider: asking?.provider.label ?? '', url: asking?.provider.baseUrl ?? '' })}
        confirmLabel={t('chat.consentYes')}
        cancelLabel={t('chat.cancel')}
        onConfirm={() => {
          if (!asking) return
          void consentTo(asking.provider.provider).then(
            () => use(asking.model),
            thrown => showProblem(t('chat.modelFailed'), thrown),
          )
          setAsking(null)
        }}
        onCancel={() => setAsking(null)}
      />
    </>
  )
}

export function EffortPicker() {
  const t = useT()
  const { model, effort, info } = useModel()
  if (!info?.efforts) return null
  const entries = efforts.map(
    (each): MenuEntry => ({
      id: each,
      label: t(`chat.effort.${each}`),
      checked: each === effort,
      onSelect: () => void setModel(model, each).catch(thrown => showProblem(t('chat.modelFailed'), thrown)),
    }),
  )
  return (
    <Menu entries={entries} side="top">
      <button
        type="button"
        className="chat-pick"
        aria-label={t('chat.effortLabel', { effort: t(`chat.effort.${effort}`) })}
      >
        {t(`chat.effort.${effort}`)}
        <ChevronDown size={12} />
      </button>
    </Menu>
  )
}
