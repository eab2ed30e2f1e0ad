/** Ways about a very large file: a slider, a line, and what is looked for, on and back, round its ends. */
import { ArrowDown, ArrowUp, ChevronLeft, ChevronRight } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { SLICE_BYTES } from '#contract/document'
import { toFault } from '#contract/error'
import type { AnyPath } from '#contract/path'
import { belay } from '../../client/index.ts'
import { workspaceView } from '../../state/view/workspace.ts'
import { formatBytes } from '../../ui/format.ts'
import { useT } from '../../ui/i18n.ts'
import { IconButton } from '../../ui/index.ts'
import { slicesAsk } from './focus.ts'
import type { Caret, Part } from './part.ts'

export interface SlicesBarProps {
  readonly path: AnyPath
  readonly part: Part
  readonly onGo: (offset: number, caret: Caret) => Promise<void>
  readonly onLine: (line: number) => Promise<void>
  /** Bytes at which the selection starts and ends. */
  readonly placeNow: () => { start: number; end: number }
  /** Back to the text. */
  readonly onLeave: () => void
}

export function SlicesBar({ path, part, onGo, onLine, placeNow, onLeave }: SlicesBarProps) {
  const t = useT()
  const from = formatBytes(part.offset)
  const all = formatBytes(part.bytes)
  return (
    <div className="editor-notice editor-notice-plain editor-slices">
      <span className="editor-notice-text" role="status">
        {t('editor.slices')}
      </span>
      <span className="editor-notice-actions">
        <IconButton
          icon={ChevronLeft}
          label={t('editor.earlier')}
          disabled={part.offset === 0}
          onClick={() => void onGo(Math.max(0, part.offset - SLICE_BYTES), 'start')}
        />
        <input
          type="range"
          className="editor-range"
          min={0}
          max={Math.max(1, part.bytes - 1)}
          step={SLICE_BYTES}
          value={part.offset}
          aria-label={t('editor.position')}
          aria-valuetext={t('editor.partOf', { from, all })}
          onChange={event => void onGo(Number(event.currentTarget.value), 'start')}
        />
        <IconButton
          icon={ChevronRight}
          label={t('editor.later')}
          disabled={part.next === null}
          onClick={() => void onGo(part.next ?? 0, 'start')}
        />
        <span className="editor-slices-place">{t('editor.partOf', { from, all })}</span>
        {part.line !== null && <LineField onLine={onLine} onLeave={onLeave} />}
        <FindField path={path} bytes={part.bytes} onGo={onGo} placeNow={placeNow} onLeave={onLeave} />
      </span>
    </div>
  )
}

/** Focus comes when the command for it is run. */
function useAsked(what: 'line' | 'find') {
  const field = useRef<HTMLInputElement>(null)
  const asked = slicesAsk(state => (state.what === what ? state.at : 0))
  useEffect(() => {
    if (asked === 0) return
    field.current?.focus()
    field.current?.select()
  }, [asked])
  return field
}

function LineField({ onLine, onLeave }: Pick<SlicesBarProps, 'onLine' | 'onLeave'>) {
  const t = useT()
  const field = useAsked('line')
  const [typed, setTyped] = useState('')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const line = Number.parseInt(typed.replace(/\D/g, ''), 10)
    if (!(line > 0)) return
    await onLine(line)
    onLeave()
  }
  return (
    <form onSubmit={event => void submit(event)}>
      <input
        ref={field}
        className="ui-input editor-slices-line"
        inputMode="numeric"
        aria-label={t('editor.sliceLine')}
        placeholder={t('editor.sliceLine')}
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
        onKeyDown={event => event.key === 'Escape' && onLeave()}
      />
    </form>
  )
}

type FindProps = Pick<SlicesBarProps, 'path' | 'onGo' | 'placeNow' | 'onLeave'> & { readonly bytes: number }

function FindField({ path, bytes, onGo, placeNow, onLeave }: FindProps) {
  const t = useT()
  const field = useAsked('find')
  const running = useRef<AbortController>(null)
  const [query, setQuery] = useState('')
  const [said, setSaid] = useState('')
  useEffect(() => () => running.current?.abort(), [])

  const find = async (back: boolean) => {
    const { workspace } = workspaceView.getState()
    if (query === '' || !workspace) return
    running.current?.abort()
    const mine = new AbortController()
    running.current = mine
    setSaid(t('editor.sliceFinding'))
    const ask = { workspaceId: workspace.workspaceId, path, query, back }
    const { start, end } = placeNow()
    try {
      const { found: next } = await belay.workspace.findIn(
        { ...ask, from: back ? start : end },
        { signal: mine.signal },
      )
      const found =
        next ?? (await belay.workspace.findIn({ ...ask, from: back ? bytes : 0 }, { signal: mine.signal })).found
      if (mine.signal.aborted) return
      setSaid(found ? (next ? '' : t('editor.sliceRound')) : t('editor.sliceNothing'))
      if (found) await onGo(found.offset, { offset: found.offset, bytes: found.bytes })
    } catch (thrown) {
      const { code, message } = toFault(thrown)
      if (code !== 'cancelled') setSaid(message)
    }
  }
  return (
    <>
      <input
        ref={field}
        className="ui-input editor-slices-find"
        aria-label={t('editor.sliceFind')}
        placeholder={t('editor.sliceFind')}
        spellCheck={false}
        value={query}
        onChange={event => setQuery(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Enter') void find(event.shiftKey)
          if (event.key === 'Escape') onLeave()
        }}
      />
      <IconButton
        icon={ArrowUp}
        size={14}
        label={t('editor.slicePrevious')}
        keys="Shift+Enter"
        onClick={() => void find(true)}
      />
      <IconButton
        icon={ArrowDown}
        size={14}
        label={t('editor.sliceNext')}
        keys="Enter"
        onClick={() => void find(false)}
      />
      <output className="editor-slices-said">{said}</output>
    </>
  )
}
