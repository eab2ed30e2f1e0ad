/** Records one chord of up to two presses. Enter keeps it, Escape gives up; so these two alone cannot be recorded. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { sameChordKey, writeChord } from '../../ui/chord.ts'
import { useT } from '../../ui/i18n.ts'
import { Badge, Button, isMac, Kbd } from '../../ui/index.ts'
import type { CommandId } from '../commands.ts'
import type { Binding } from './bindings.ts'

export interface KeyRecorderProps {
  readonly command: CommandId
  readonly bindings: readonly Binding[]
  readonly onDone: (chord: string) => void
  readonly onCancel: () => void
}

export function KeyRecorder({ command, bindings, onDone, onCancel }: KeyRecorderProps) {
  const t = useT()
  const field = useRef<HTMLDivElement>(null)
  const [presses, setPresses] = useState<readonly string[]>([])
  useEffect(() => field.current?.focus(), [])
  const chord = presses.join(' ')
  const taken = bindings.filter(
    each =>
      each.command !== command &&
      presses.length > 0 &&
      sameChordKey(each.chord, isMac()) === sameChordKey(chord, isMac()),
  )
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape' && presses.length === 0) return onCancel()
    if (event.key === 'Escape') return setPresses([])
    if (event.key === 'Enter' && presses.length > 0) return onDone(chord)
    const press = writeChord(event.nativeEvent, isMac())
    if (press) setPresses(before => (before.length >= 2 ? [press] : [...before, press]))
  }
  return (
    <span className="settings-recorder">
      {/* biome-ignore lint/a11y/useSemanticElements: a field that takes keys instead of text */}
      <div
        ref={field}
        role="textbox"
        tabIndex={0}
        aria-label={t('settings.recordHow')}
        aria-readonly
        data-records-keys
        className="ui-input settings-record-field"
        onKeyDown={onKeyDown}
      >
        {presses.length > 0 ? <Kbd chord={chord} /> : <span className="dim">{t('settings.recordHow')}</span>}
      </div>
      <Button variant="main" disabled={presses.length === 0} onClick={() => onDone(chord)}>
        {t('settings.save')}
      </Button>
      <Button variant="ghost" onClick={onCancel}>
        {t('app.cancel')}
      </Button>
      {taken.length > 0 && (
        <Badge tone="ask">
          {t('settings.conflict', { commands: taken.map(each => t(`command.${each.command}`)).join(', ') })}
        </Badge>
      )}
    </span>
  )
}
