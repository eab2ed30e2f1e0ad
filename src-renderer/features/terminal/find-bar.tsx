/** Search in what a terminal has printed: as one types, round and round, with the number of matches. */
import { ArrowDown, ArrowUp, CaseSensitive, Regex, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useT } from '../../ui/i18n.ts'
import { IconButton, TextField } from '../../ui/index.ts'
import type { SearchResult, Xterm } from '../../ui/xterm/index.ts'
import type { TabId } from './layout.ts'
import { terminalView } from './view.ts'

interface FindBarProps {
  readonly tab: TabId
  readonly xterm: Xterm
  readonly onClosed: () => void
}

export function FindBar(props: FindBarProps) {
  const open = terminalView(({ finding }) => finding === props.tab)
  return open ? <OpenFindBar {...props} /> : null
}

function OpenFindBar({ xterm, onClosed }: FindBarProps) {
  const t = useT()
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(() => xterm.terminal.getSelection().split('\n')[0] ?? '')
  const [caseSensitive, setCase] = useState(false)
  const [regex, setRegex] = useState(false)
  const [result, setResult] = useState<SearchResult>({ at: 0, count: 0 })
  useEffect(() => {
    field.current?.select()
    xterm.onFound(setResult)
    return () => xterm.endFind()
  }, [xterm])
  useEffect(() => {
    if (text === '') {
      xterm.endFind()
      setResult({ at: 0, count: 0 })
    } else xterm.find(text, 'next', { caseSensitive, regex })
  }, [xterm, text, caseSensitive, regex])
  const find = (direction: 'next' | 'previous') => text && xterm.find(text, direction, { caseSensitive, regex })
  const close = () => {
    terminalView.setState({ finding: null })
    onClosed()
  }
  const count =
    text === ''
      ? ''
      : result.count === 0
        ? t('terminal.findNone')
        : t('terminal.findCount', { at: result.at, count: result.count })
  return (
    <search
      className="terminal-find"
      onKeyDown={event => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Escape') close()
        else if (event.key === 'Enter') find(event.shiftKey ? 'next' : 'previous')
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    >
      <TextField
        ref={field}
        autoFocus
        label={t('terminal.find')}
        hideLabel
        placeholder={t('terminal.find')}
        value={text}
        onChange={setText}
      />
      <span className="terminal-find-count" role="status">
        {count}
      </span>
      <IconButton
        label={t('terminal.findCase')}
        icon={CaseSensitive}
        on={caseSensitive}
        onClick={() => setCase(on => !on)}
      />
      <IconButton label={t('terminal.findRegex')} icon={Regex} on={regex} onClick={() => setRegex(on => !on)} />
      <IconButton label={t('terminal.findPrevious')} icon={ArrowUp} keys="Enter" onClick={() => find('previous')} />
      <IconButton label={t('terminal.findNext')} icon={ArrowDown} keys="Shift+Enter" onClick={() => find('next')} />
      <IconButton label={t('terminal.findClose')} icon={X} keys="Escape" onClick={close} />
    </search>
  )
}
