/** A small mark left of each command: how it ended, at a glance; a click offers what can be done with it. */
import type { IDecoration, Terminal } from '@xterm/xterm'
import type { CommandMark, TerminalInfo } from '#contract/terminal'
import { t } from '../../ui/i18n.ts'
import { type CommandMarks, factsOf } from './command-marks.ts'

type Outcome = 'running' | 'ok' | 'failed' | 'unknown'

/** Returns what is to be called when the facts have changed: they come a moment after the bytes. */
export function decorateCommands(
  terminal: Terminal,
  marks: CommandMarks,
  options: { info(): TerminalInfo | null; chosen(ordinal: number): void },
): () => void {
  const shown = new Map<number, { decoration: IDecoration; outcome: Outcome }>()
  const update = () => {
    const info = options.info()
    if (!info) return
    const placed = marks.placed()
    const living = new Set(placed.map(each => each.ordinal))
    for (const [ordinal, { decoration }] of shown) {
      if (living.has(ordinal) && !decoration.isDisposed) continue
      decoration.dispose()
      shown.delete(ordinal)
    }
    for (const command of placed) {
      const facts = factsOf(info, command.ordinal)
      const outcome = outcomeOf(facts)
      const before = shown.get(command.ordinal)
      if (before?.outcome === outcome) continue
      before?.decoration.dispose()
      const marker = command.prompt && !command.prompt.isDisposed ? command.prompt : command.output
      const decoration = marker ? terminal.registerDecoration({ marker, x: 0, width: 1, layer: 'top' }) : undefined
      if (!decoration) continue
      decoration.onRender(element => paint(element, outcome, facts, () => options.chosen(command.ordinal)))
      shown.set(command.ordinal, { decoration, outcome })
    }
  }
  marks.onChanged(update)
  return update
}

const outcomeOf = (facts: CommandMark | null): Outcome => {
  if (!facts) return 'unknown'
  if (facts.endedAt === null) return 'running'
  return facts.exitCode === null ? 'unknown' : facts.exitCode === 0 ? 'ok' : 'failed'
}

function paint(element: HTMLElement, outcome: Outcome, facts: CommandMark | null, chosen: () => void): void {
  element.className = `xterm-decoration terminal-mark terminal-mark-${outcome}`
  element.title = facts ? tooltip(facts, outcome) : ''
  element.onclick = chosen
}

/** Also read out in the list of commands; the mark itself is for the eye. */
export function tooltip(facts: CommandMark, outcome: Outcome): string {
  const command = facts.command || t('terminal.unknownCommand')
  if (outcome === 'running') return t('terminal.markRunning', { command })
  const seconds = (((facts.endedAt ?? facts.startedAt) - facts.startedAt) / 1000).toFixed(1)
  return facts.exitCode === null
    ? t('terminal.markEnded', { command, seconds })
    : t('terminal.markExit', { command, seconds, code: facts.exitCode })
}
