/** Files, commands and lines from one field: '' finds files, '>' commands, ':' goes to a line. Keyboard only if one likes. */
import { Command } from 'cmdk'
import { Dialog } from 'radix-ui'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useWorkspace } from '../../state/view/workspace.ts'
import { useT } from '../../ui/i18n.ts'
import '../../ui/overlay.css'
import { giveFocusBack } from '../parts.ts'
import { CommandResults } from './command-results.tsx'
import { FileResults } from './file-results.tsx'
import { LineResult } from './line-result.tsx'
import '../../ui/palette.css'

export interface PaletteProps {
  readonly initial: string
  readonly onClose: () => void
}

export function Palette({ initial, onClose }: PaletteProps) {
  const t = useT()
  const workspace = useWorkspace()
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(initial)
  const [chosen, setChosen] = useState('')
  const [before] = useState(() => document.activeElement)
  const next = useRef<() => void>(null)
  const list = useRef<HTMLDivElement>(null)
  /** What was chosen runs when the focus is back where it was: what it then focuses keeps the focus. */
  const leave = (then: () => void) => {
    next.current = then
    onClose()
  }
  const onFirst = useCallback((value: string) => {
    setChosen(value)
    if (list.current) list.current.scrollTop = 0
  }, [])
  useEffect(() => setText(initial), [initial])
  const commands = text.startsWith('>') || !workspace
  const line = !commands && text.startsWith(':')
  return (
    <Dialog.Root open onOpenChange={open => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="ui-veil palette-veil" />
        <Dialog.Content
          className="palette"
          onCloseAutoFocus={event => {
            event.preventDefault()
            giveFocusBack(before)
            next.current?.()
          }}
          aria-describedby={undefined}
          onOpenAutoFocus={event => {
            event.preventDefault()
            field.current?.focus()
            field.current?.setSelectionRange(initial.length, initial.length)
          }}
        >
          <Dialog.Title className="visually-hidden">{t('app.palette')}</Dialog.Title>
          <Command shouldFilter={false} value={chosen} onValueChange={setChosen} label={t('app.palette')} loop>
            <Command.Input
              ref={field}
              value={text}
              onValueChange={setText}
              placeholder={t(commands ? 'app.paletteCommands' : 'app.paletteFiles')}
            />
            <Command.List ref={list} className="palette-list">
              {commands ? (
                <CommandResults query={text.replace(/^>/, '').trim()} onFirst={onFirst} onLeave={leave} />
              ) : line ? (
                <LineResult text={text.slice(1)} onLeave={leave} />
              ) : (
                <FileResults query={text} onFirst={onFirst} onLeave={leave} />
              )}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
