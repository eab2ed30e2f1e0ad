/** Mode and effort under the field. */
import { ChevronDown } from 'lucide-react'
import type { Effort, Mode } from '#contract/session-event'
import { useT } from '../../ui/i18n.ts'
import { Menu, type MenuEntry } from '../../ui/index.ts'
import { setMode, setModel } from './actions.ts'
import { useModeNote } from './mode-note.ts'
import { pickerOpen } from './picker-open.ts'
import { showProblem } from './problem.ts'
import { useMode, useModel } from './use-chat.ts'

const modes: readonly Mode[] = ['plan', 'default', 'acceptEdits', 'auto']
const efforts: readonly Effort[] = ['auto', 'low', 'medium', 'high', 'max']

export function ModePicker() {
  const t = useT()
  const mode = useMode()
  const noteOf = useModeNote()
  const open = pickerOpen(state => state.open === 'mode')
  const entries = modes.map(
    (each): MenuEntry => ({
      id: each,
      label: t(`chat.mode.${each}`),
      note: noteOf(each),
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

export function EffortPicker() {
  const t = useT()
  const { model, effort, info } = useModel()
  if (!info?.efforts) return null
  const entries = efforts
    .filter(each => each === 'auto' || each === effort || (info.effortLevels ?? efforts).includes(each))
    .map(
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
