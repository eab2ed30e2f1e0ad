/** A command that the agent left running: what it prints, a line to send it, and its end. */
import { useEffect, useMemo, useState } from 'react'
import type { BackgroundId } from '#contract/id'
import { openBackground } from '../../client/terminal-background.ts'
import { sessionListMirror } from '../../state/mirror/session-list.ts'
import { useSetting } from '../../state/mirror/settings.ts'
import { useT } from '../../ui/i18n.ts'
import { Badge, Button, ContextMenu, TextField } from '../../ui/index.ts'
import { createXterm, XtermView } from '../../ui/xterm/index.ts'
import { useCommand } from '../commands.ts'
import { copy, openUrl, sendLine, stop } from './actions.ts'
import { FindBar } from './find-bar.tsx'
import { activate, type TabId } from './layout.ts'
import { quietly } from './use-live-actions.ts'
import { screenReader, terminalLayout, terminalView } from './view.ts'

export function BackgroundView({ tab }: { readonly tab: TabId }) {
  const t = useT()
  const run = useCommand()
  const backgroundId = tab as BackgroundId
  const command = sessionListMirror(({ background }) => background.find(each => each.backgroundId === backgroundId))
  const fontSize = useSetting('terminal.fontSize')
  const [line, setLine] = useState('')
  const [stopping, setStopping] = useState(false)
  const xterm = useMemo(
    () =>
      createXterm({
        readOnly: true,
        fontSize: 13,
        scrollback: 10_000,
        screenReader: screenReader.get(),
        onLink: url => quietly(openUrl(url)),
        confirmPaste: async () => false,
      }),
    [],
  )
  useEffect(() => xterm.look({ fontSize }), [xterm, fontSize])
  useEffect(
    () =>
      openBackground(backgroundId, {
        restore(text, wasCut) {
          xterm.terminal.reset()
          if (wasCut) xterm.terminal.write(`\x1b[2m${t('terminal.outputCut')}\x1b[m\n`)
          xterm.terminal.write(text)
        },
        write: text => xterm.terminal.write(text),
        changed() {},
      }),
    [backgroundId, xterm, t],
  )
  useEffect(() => {
    xterm.element.addEventListener('focusin', () => terminalLayout.set(now => activate(now, tab)))
    return () => xterm.dispose()
  }, [xterm, tab])
  if (!command) return null
  const running = command.state === 'running'
  const { terminal } = xterm
  return (
    <div className="terminal-view terminal-background">
      <div className="terminal-background-head">
        <code title={command.cwd}>{command.command}</code>
        <Badge tone={running ? 'ok' : command.exitCode === 0 ? 'plain' : 'error'}>
          {t(`terminal.state.${command.state}`, { code: command.exitCode ?? '?' })}
        </Badge>
        {running && (
          <Button
            variant="ghost"
            busy={stopping}
            onClick={() => {
              setStopping(true)
              quietly(stop(backgroundId).finally(() => setStopping(false)))
            }}
          >
            {t('terminal.stop')}
          </Button>
        )}
      </div>
      <ContextMenu
        entries={() => [
          {
            id: 'copy',
            label: t('ui.copy'),
            disabled: !terminal.hasSelection(),
            onSelect: () => quietly(copy(terminal.getSelection())),
          },
          { id: 'all', label: t('terminal.selectAll'), onSelect: () => terminal.selectAll() },
          { id: 'find', label: t('terminal.find'), onSelect: () => terminalView.setState({ finding: tab }) },
          {
            id: 'send',
            label: t('terminal.sendToAgent'),
            disabled: !terminal.hasSelection(),
            onSelect: () => void run('agent.addToPrompt', { text: terminal.getSelection() }),
          },
        ]}
      >
        <div className="terminal-screen">
          <XtermView xterm={xterm} label={t('terminal.screenOf', { title: command.command })} onFit={() => {}} />
        </div>
      </ContextMenu>
      <FindBar tab={tab} xterm={xterm} onClosed={() => terminal.focus()} />
      {running && (
        <form
          className="terminal-input"
          onSubmit={event => {
            event.preventDefault()
            setLine('')
            quietly(sendLine(backgroundId, line))
          }}
        >
          <TextField
            label={t('terminal.input')}
            hideLabel
            placeholder={t('terminal.input')}
            value={line}
            onChange={setLine}
          />
          <Button submit>{t('terminal.sendLine')}</Button>
        </form>
      )}
    </div>
  )
}
