/** The list of all terminals, right of what is in front: with one alone it is a row of buttons, with more it has names. */
import { Bot, EllipsisVertical, Plus, SquareSplitHorizontal, SquareTerminal, X } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { BackgroundCommand } from '#contract/session'
import { sessionListMirror } from '../../state/mirror/session-list.ts'
import { type TerminalEntry, terminalMirror } from '../../state/mirror/terminal.ts'
import { useT } from '../../ui/i18n.ts'
import { cx, IconButton, Lamp, Menu, type Tone } from '../../ui/index.ts'
import { useCommand } from '../commands.ts'
import { activateTab, closeTab, isBackground, rename } from './actions.ts'
import { frontGroup, type TabId, type TerminalLayout } from './layout.ts'
import { quietly } from './use-live-actions.ts'
import { terminalLayout, terminalView } from './view.ts'

interface TabListProps {
  readonly layout: TerminalLayout
  readonly active: TabId | null
  readonly wide: boolean
}

export function TabList({ layout, active, wide }: TabListProps) {
  const t = useT()
  const front = frontGroup(layout)
  const list = useRef<HTMLDivElement>(null)
  const all = layout.groups.flatMap(group => group.tabs)
  const onKeyDown = (event: KeyboardEvent) => {
    const at = all.indexOf((event.target as HTMLElement).dataset.tab ?? '')
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key]
    if (at < 0 || to === undefined) return
    event.preventDefault()
    const next = all[Math.min(all.length - 1, Math.max(0, to))]
    list.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next ?? '')}"]`)?.focus()
  }
  return (
    <div className={cx('terminal-side', wide && 'terminal-side-wide')}>
      <Buttons />
      {wide && (
        <div
          ref={list}
          className="terminal-list"
          role="tablist"
          aria-orientation="vertical"
          aria-label={t('terminal.list')}
          onKeyDown={onKeyDown}
        >
          {layout.groups.map(group =>
            group.tabs.map((tab, index) => (
              <Tab
                key={tab}
                tab={tab}
                isActive={tab === active}
                isFront={group === front}
                branch={
                  group.tabs.length === 1
                    ? null
                    : index === 0
                      ? 'first'
                      : index === group.tabs.length - 1
                        ? 'last'
                        : 'middle'
                }
              />
            )),
          )}
        </div>
      )}
    </div>
  )
}

function Buttons() {
  const t = useT()
  const run = useCommand()
  const active = terminalLayout.use().active
  const isTerminal = active !== null && !isBackground(active)
  const item = (id: string, label: string, command: Parameters<typeof run>[0], disabled = false) => ({
    id,
    label,
    disabled,
    onSelect: () => void (run as (id: string) => Promise<void>)(command),
  })
  return (
    <div className="terminal-buttons" role="toolbar" aria-label={t('terminal.tools')}>
      <IconButton
        label={t('terminal.new')}
        keys="$mod+Shift+`"
        icon={Plus}
        side="left"
        onClick={() => void run('terminal.new')}
      />
      <IconButton
        label={t('terminal.split')}
        keys="$mod+Shift+5"
        icon={SquareSplitHorizontal}
        side="left"
        disabled={!isTerminal}
        onClick={() => void run('terminal.split')}
      />
      <Menu
        align="end"
        entries={() => [
          item('find', t('terminal.find'), 'terminal.find'),
          item('clear', t('terminal.clear'), 'terminal.clear', !isTerminal),
          item('rename', t('terminal.rename'), 'terminal.rename', !isTerminal),
          { kind: 'separator', id: 's1' },
          item('up', t('terminal.previousCommand'), 'terminal.previousCommand', !isTerminal),
          item('down', t('terminal.nextCommand'), 'terminal.nextCommand', !isTerminal),
          item('again', t('terminal.runAgainLast'), 'terminal.runAgain', !isTerminal),
          item('output', t('terminal.copyOutputLast'), 'terminal.copyOutput', !isTerminal),
          item('send', t('terminal.sendToAgent'), 'terminal.sendToAgent', !isTerminal),
          { kind: 'separator', id: 's2' },
          item('reader', t('terminal.screenReader'), 'terminal.screenReader'),
          { ...item('end', t('terminal.end'), 'terminal.end'), danger: true },
        ]}
      >
        <IconButton label={t('terminal.more')} icon={EllipsisVertical} side="left" />
      </Menu>
    </div>
  )
}

interface TabProps {
  readonly tab: TabId
  readonly isActive: boolean
  readonly isFront: boolean
  /** Its place among terminals side by side. */
  readonly branch: 'first' | 'middle' | 'last' | null
}

const branches = { first: '┌', middle: '├', last: '└' }

function Tab({ tab, isActive, isFront, branch }: TabProps) {
  const t = useT()
  const entry = terminalMirror(({ terminals }) => terminals.find(each => each.terminalId === tab))
  const command = sessionListMirror(({ background }) => background.find(each => each.backgroundId === tab))
  const renaming = terminalView(view => view.renaming === tab)
  const title = entry?.title ?? command?.command ?? ''
  const state = entry ? stateOf(entry) : command ? stateOfCommand(command) : null
  const words = state ? t(`terminal.state.${state.name}`, state.params) : ''
  const Icon = command ? Bot : SquareTerminal
  if (renaming && entry) return <Rename title={entry.title} onDone={to => quietly(rename(tab, to))} />
  return (
    <div className={cx('terminal-tab', isFront && 'terminal-tab-front', isActive && 'terminal-tab-active')}>
      <button
        type="button"
        role="tab"
        data-tab={tab}
        className="terminal-tab-name"
        aria-selected={isActive}
        tabIndex={isActive ? 0 : -1}
        title={[title, entry?.cwd ?? command?.cwd, words].filter(Boolean).join('\n')}
        onClick={() => activateTab(tab)}
        onDoubleClick={() => entry && terminalView.setState({ renaming: tab })}
      >
        {branch && (
          <span aria-hidden="true" className="terminal-branch">
            {branches[branch]}
          </span>
        )}
        <Icon size={14} />
        <span className="terminal-tab-title">{title}</span>
        {state && state.tone !== 'plain' && <Lamp tone={state.tone} />}
        <span className="visually-hidden">{words}</span>
      </button>
      <IconButton
        className="terminal-tab-close"
        size={14}
        side="left"
        icon={X}
        tabIndex={-1}
        label={command ? t(command.state === 'running' ? 'terminal.stop' : 'terminal.close') : t('terminal.end')}
        onClick={() => quietly(closeTab(tab))}
      />
    </div>
  )
}

interface TabState {
  readonly name: 'running' | 'idle' | 'exited' | 'lost' | 'stopped' | 'failed'
  readonly tone: Tone
  readonly params: Record<string, string | number>
}

function stateOf(entry: TerminalEntry): TabState {
  if (entry.lost) return { name: 'lost', tone: 'error', params: {} }
  if (entry.state === 'exited') {
    const code = entry.signal ?? entry.exitCode ?? '?'
    return { name: 'exited', tone: entry.exitCode === 0 ? 'plain' : 'error', params: { code } }
  }
  const last = entry.marks.at(-1)
  return last && last.endedAt === null
    ? { name: 'running', tone: 'ok', params: {} }
    : { name: 'idle', tone: 'plain', params: {} }
}

function stateOfCommand({ state, exitCode }: BackgroundCommand): TabState {
  if (state === 'running') return { name: 'running', tone: 'ok', params: {} }
  if (state === 'exited')
    return { name: 'exited', tone: exitCode === 0 ? 'plain' : 'error', params: { code: exitCode ?? '?' } }
  return { name: state, tone: state === 'failed' ? 'error' : 'plain', params: {} }
}

function Rename({ title, onDone }: { readonly title: string; readonly onDone: (title: string) => void }) {
  const t = useT()
  const [text, setText] = useState(title)
  const cancel = () => terminalView.setState({ renaming: null })
  return (
    <input
      className="ui-input terminal-rename"
      aria-label={t('terminal.rename')}
      // biome-ignore lint/a11y/noAutofocus: the person asked to type here
      autoFocus
      value={text}
      maxLength={100}
      onFocus={event => event.currentTarget.select()}
      onChange={event => setText(event.currentTarget.value)}
      onBlur={cancel}
      onKeyDown={event => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter') onDone(text)
        else if (event.key === 'Escape') cancel()
        event.stopPropagation()
      }}
    />
  )
}
