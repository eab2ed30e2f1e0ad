/** A list to choose from by typing a few letters. Load it late: it brings cmdk. Escape goes one step back, then closes. */
import { Command } from 'cmdk'
import { ChevronRight } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { IconType } from './button.tsx'
import { useT } from './i18n.ts'
import { fuzzyMatch } from './match.ts'
import { Matched } from './matched.tsx'
import { Spinner } from './spinner.tsx'
import './overlay.css'
import './palette.css'

export interface Choice {
  readonly id: string
  readonly label: string
  /** Beside the label, dimmer. */
  readonly note?: string
  readonly icon?: IconType
  /** Stands at the end: a count, a state. */
  readonly mark?: string
  /** Shown whatever was typed: an offer that uses the words. */
  readonly always?: boolean
  /** There is a second step: an arrow stands at its end, and the right arrow key goes there. */
  readonly more?: () => void
  /** Runs when the list has gone and the focus is back where it was; a second step instead stays open. */
  readonly onChoose: () => void
  readonly stays?: boolean
}

export interface QuickPickProps {
  readonly title: string
  readonly placeholder: string
  /** Null while they are being asked for. May depend on what is typed. */
  readonly choices: readonly Choice[] | ((query: string) => readonly Choice[]) | null
  /** Hears of what is typed, for choices that are asked for elsewhere. */
  readonly onQuery?: (query: string) => void
  /** Another one empties the field. */
  readonly step?: string
  readonly onBack?: () => void
  readonly onClose: () => void
}

/** More than a person reads; the rest is found by typing. */
const MOST = 200

export function QuickPick({ title, placeholder, choices, onQuery, step = '', onBack, onClose }: QuickPickProps) {
  const t = useT()
  const [query, setQuery] = useState('')
  const [marked, setMarked] = useState('')
  const next = useRef<() => void>(null)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new step begins with an empty field
  useEffect(() => setQuery(''), [step])
  useEffect(() => onQuery?.(query), [onQuery, query])
  const found = useMemo(() => matching(choices, query), [choices, query])
  const first = found?.[0]?.choice.id ?? ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words begin at the top again
  useEffect(() => {
    setMarked(first)
    if (list.current) list.current.scrollTop = 0
  }, [query, step, first])
  const choose = (choice: Choice) => {
    if (choice.stays) return choice.onChoose()
    next.current = choice.onChoose
    onClose()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const { selectionStart, value } = event.currentTarget
    if (event.key === 'Backspace' && query === '' && onBack) {
      event.preventDefault()
      onBack()
    }
    const more = found?.find(({ choice }) => choice.id === marked)?.choice.more
    if (event.key === 'ArrowRight' && more && selectionStart === value.length) {
      event.preventDefault()
      more()
    }
  }
  return (
    <Dialog.Root open onOpenChange={open => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="ui-veil palette-veil" />
        <Dialog.Content
          className="palette"
          aria-describedby={undefined}
          onCloseAutoFocus={() => queueMicrotask(() => next.current?.())}
          onOpenAutoFocus={event => {
            event.preventDefault()
            field.current?.focus()
          }}
          onEscapeKeyDown={event => {
            if (!onBack) return
            event.preventDefault()
            onBack()
          }}
        >
          <Dialog.Title className="visually-hidden">{title}</Dialog.Title>
          <Command shouldFilter={false} value={marked} onValueChange={setMarked} label={title} loop>
            <Command.Input
              ref={field}
              value={query}
              onValueChange={setQuery}
              onKeyDown={onKeyDown}
              placeholder={placeholder}
            />
            <Command.List ref={list} className="palette-list">
              {found === null && (
                <div className="palette-none">
                  <Spinner label={t('ui.listing')} />
                </div>
              )}
              {found?.length === 0 && <div className="palette-none">{t('ui.noChoice')}</div>}
              {found?.slice(0, MOST).map(({ choice, positions }) => (
                <Item key={choice.id} choice={choice} positions={positions} onChoose={() => choose(choice)} />
              ))}
              {found && found.length > MOST && (
                <div className="palette-none">{t('ui.moreChoices', { count: found.length - MOST })}</div>
              )}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface Found {
  readonly choice: Choice
  readonly positions: readonly number[]
}

function matching(choices: QuickPickProps['choices'], query: string): Found[] | null {
  if (choices === null) return null
  const all = typeof choices === 'function' ? choices(query) : choices
  const typed = query.trim()
  if (typed === '') return all.map(choice => ({ choice, positions: [] }))
  const found = all.flatMap(choice => {
    const match = fuzzyMatch(typed, choice.label)
    return match && !choice.always ? [{ choice, ...match }] : []
  })
  const offers = all.filter(choice => choice.always).map(choice => ({ choice, positions: [] }))
  return [...found.sort((a, b) => b.score - a.score), ...offers]
}

interface ItemProps extends Found {
  readonly onChoose: () => void
}

function Item({ choice, positions, onChoose }: ItemProps) {
  const t = useT()
  const { id, label, note, icon: Icon, mark, more } = choice
  return (
    <Command.Item value={id} onSelect={onChoose} className="palette-item">
      {Icon && <Icon size={14} />}
      <span className="palette-name">
        <Matched text={label} positions={positions} />
      </span>
      <span className="palette-where">{note}</span>
      {mark && <span className="palette-mark">{mark}</span>}
      {more && (
        <>
          <span className="visually-hidden">{t('ui.moreByArrow')}</span>
          <span
            aria-hidden="true"
            className="palette-more"
            onClick={event => {
              event.stopPropagation()
              more()
            }}
          >
            <ChevronRight size={14} />
          </span>
        </>
      )}
    </Command.Item>
  )
}
