/** One terminal as it stands in the pane: its screen, its menu, what is said over it when it has ended or cannot be reached. */
import { useEffect } from 'react'
import type { TerminalId } from '#contract/id'
import { useConnection } from '../../client/index.ts'
import { type TerminalEntry, terminalMirror } from '../../state/mirror/terminal.ts'
import { useT } from '../../ui/i18n.ts'
import { Button, ContextMenu, cx, type MenuEntry } from '../../ui/index.ts'
import { XtermView } from '../../ui/xterm/index.ts'
import { type RunCommand, useCommand } from '../commands.ts'
import {
  clear,
  closeTerminal,
  commandsOf,
  copy,
  copyOutput,
  newTerminal,
  pasteInto,
  runAgain,
  textForAgent,
} from './actions.ts'
import { FindBar } from './find-bar.tsx'
import type { TabId } from './layout.ts'
import { type LiveTerminal, liveTerminal } from './live.ts'
import { quietly } from './use-live-actions.ts'
import { chosenCommand, terminalLayout, terminalView } from './view.ts'

export function TerminalView({ tab }: { readonly tab: TabId }) {
  const t = useT()
  const run = useCommand()
  const entry = terminalMirror(({ terminals }) => terminals.find(each => each.terminalId === tab))
  const isActive = terminalLayout.use().active === tab
  if (!entry) return null
  const live = liveTerminal(entry.terminalId)
  return (
    <div className={cx('terminal-view', isActive && 'terminal-view-active')}>
      <ContextMenu entries={() => menuOf(live, t, run)}>
        <div className="terminal-screen">
          <XtermView xterm={live.xterm} label={t('terminal.screenOf', { title: entry.title })} onFit={live.resized} />
        </div>
      </ContextMenu>
      <FindBar tab={tab} xterm={live.xterm} onClosed={live.focus} />
      <CommandMenu live={live} />
      <State entry={entry} />
    </div>
  )
}

type T = ReturnType<typeof useT>

/** Asked when it opens: what is selected, and what ran last. */
function menuOf(live: LiveTerminal, t: T, run: RunCommand): MenuEntry[] {
  const { terminal } = live.xterm
  const selected = terminal.getSelection()
  const isOver = live.entry()?.state !== 'running'
  return [
    {
      id: 'copy',
      label: t('ui.copy'),
      keys: '$mod+Shift+C',
      disabled: selected === '',
      onSelect: () => quietly(copy(selected)),
    },
    {
      id: 'paste',
      label: t('terminal.paste'),
      keys: '$mod+Shift+V',
      disabled: isOver,
      onSelect: () => quietly(pasteInto(live)),
    },
    { id: 'all', label: t('terminal.selectAll'), onSelect: () => terminal.selectAll() },
    { kind: 'separator', id: 'one' },
    {
      id: 'send',
      label: t('terminal.sendToAgent'),
      disabled: textForAgent(live) === null,
      onSelect: () => void run('terminal.sendToAgent'),
    },
    {
      id: 'find',
      label: t('terminal.find'),
      keys: '$mod+Shift+F',
      onSelect: () => terminalView.setState({ finding: live.terminalId }),
    },
    { id: 'clear', label: t('terminal.clear'), onSelect: () => quietly(clear(live)) },
    { kind: 'separator', id: 'two' },
    {
      id: 'split',
      label: t('terminal.split'),
      keys: '$mod+Shift+5',
      onSelect: () => quietly(newTerminal(live.terminalId)),
    },
    { id: 'rename', label: t('terminal.rename'), onSelect: () => terminalView.setState({ renaming: live.terminalId }) },
    { id: 'end', label: t('terminal.end'), danger: true, onSelect: () => quietly(closeTerminal(live.terminalId)) },
  ]
}

/** Opens by a click on a command's mark. */
function CommandMenu({ live }: { readonly live: LiveTerminal }) {
  const t = useT()
  const run = useCommand()
  const chosen = chosenCommand()
  const open = chosen.terminalId === live.terminalId
  const command = open ? commandsOf(live).find(({ placed }) => placed.ordinal === chosen.ordinal) : undefined
  useEffect(() => {
    if (open && !command) chosenCommand.setState({ terminalId: null })
  }, [open, command])
  if (!command) return null
  const close = () => {
    chosenCommand.setState({ terminalId: null })
    live.focus()
  }
  const act = (work: () => void) => () => {
    close()
    work()
  }
  const name = command.facts.command || t('terminal.unknownCommand')
  return (
    <div
      className="terminal-command"
      role="dialog"
      aria-label={name}
      onKeyDown={event => event.key === 'Escape' && close()}
    >
      <code className="terminal-command-text" title={name}>
        {name}
      </code>
      <div className="terminal-command-actions">
        <Button autoFocus onClick={act(() => quietly(runAgain(live, command)))} disabled={command.facts.command === ''}>
          {t('terminal.runAgain')}
        </Button>
        <Button onClick={act(() => quietly(copyOutput(live, command)))}>{t('terminal.copyOutput')}</Button>
        <Button
          onClick={act(() => {
            live.xterm.terminal.clearSelection()
            const text = textForAgent(live, command)
            if (text) void run('agent.addToPrompt', { text })
          })}
        >
          {t('terminal.sendToAgent')}
        </Button>
        <Button variant="ghost" onClick={close}>
          {t('terminal.cancel')}
        </Button>
      </div>
    </div>
  )
}

/** A strip over the last lines: what happened, what was kept, what to do. */
function State({ entry }: { readonly entry: TerminalEntry }) {
  const t = useT()
  const pty = useConnection(({ pty }) => pty)
  const close = () => quietly(closeTerminal(entry.terminalId as TerminalId))
  if (entry.lost || entry.state === 'exited')
    return (
      <div className={cx('terminal-state', entry.lost && 'terminal-state-lost')} role="status">
        <span>{entry.lost ? t('terminal.lost') : endedText(entry, t)}</span>
        <Button onClick={() => quietly(newTerminal())}>{t('terminal.new')}</Button>
        <Button variant="ghost" onClick={close}>
          {t('terminal.close')}
        </Button>
      </div>
    )
  if (pty !== 'ready')
    return (
      <div className="terminal-state terminal-state-lost" role="status">
        <span>{t('terminal.disconnected')}</span>
      </div>
    )
  return null
}

function endedText({ exitCode, signal }: TerminalEntry, t: T): string {
  if (signal) return t('terminal.endedBySignal', { signal })
  return exitCode === null ? t('terminal.ended') : t('terminal.endedWithCode', { code: exitCode })
}
