/** What a person does with terminals: every button, key, menu and command ends here. */
import type { BackgroundId, TerminalId } from '#contract/id'
import type { WirePath } from '#contract/path'
import type { CommandMark } from '#contract/terminal'
import type { WorkspaceInfo } from '#contract/workspace'
import { host } from '../../client/index.ts'
import { sendToBackground, stopBackground } from '../../client/terminal-background.ts'
import {
  clearTerminal,
  endTerminal,
  foregroundOf,
  forgetTerminal,
  openTerminal,
  renameTerminal,
} from '../../client/terminal-pump.ts'
import { sessionListMirror } from '../../state/mirror/session-list.ts'
import { terminalMirror } from '../../state/mirror/terminal.ts'
import { holdAttention } from '../../state/view/attention.ts'
import { currentPath } from '../../state/view/editor.ts'
import { changeLayout, layout } from '../../state/view/layout.ts'
import { workspaceView } from '../../state/view/workspace.ts'
import { t } from '../../ui/i18n.ts'
import { toast } from '../../ui/index.ts'
import { factsOf, lineOf, outputText, type PlacedCommand } from './command-marks.ts'
import { activate, hide, neighbour, place, type TabId } from './layout.ts'
import { type LiveTerminal, liveIfMade, liveTerminal } from './live.ts'
import { ask, terminalLayout, terminalView } from './view.ts'

const usualSize = { cols: 100, rows: 24 }
const MAX_SENT_CHARS = 20_000
const MAX_SENT_LINES = 400

export const isBackground = (tab: TabId): boolean => tab.startsWith('bg_')

/** The active tab when it is a terminal. */
export function activeTerminal(): LiveTerminal | null {
  const { active } = terminalLayout.get()
  const listed = terminalMirror.getState().terminals.some(each => each.terminalId === active)
  return active && listed ? liveTerminal(active as TerminalId) : null
}

export const showPane = (): void => changeLayout({ bottom: true, bottomPane: 'terminal' })
export const isPaneShown = (): boolean => layout.get().bottom && layout.get().bottomPane === 'terminal'

/** After React has shown it, for a person who still waits for it: who went on meanwhile must not type into a shell. */
export function focusSoon(waits = holdAttention()): void {
  const focus = () => {
    const inPane = document.activeElement?.closest('[data-part="bottom"]') != null
    if (inPane || waits()) activeTerminal()?.focus()
  }
  requestAnimationFrame(() => requestAnimationFrame(focus))
}

/** Rejects with words when it cannot be started. `beside` splits. */
export async function newTerminal(beside: TabId | null = null, waits = holdAttention()): Promise<void> {
  const { workspace } = workspaceView.getState()
  if (!workspace) throw new Error(t('terminal.noFolder'))
  showPane()
  terminalView.setState(({ opening }) => ({ opening: opening + 1 }))
  try {
    const from = beside && liveIfMade(beside as TerminalId)?.xterm.terminal
    const size = from ? { cols: Math.max(2, Math.floor(from.cols / 2)), rows: from.rows } : usualSize
    const { terminalId } = await openTerminal({
      workspaceId: workspace.workspaceId,
      cwd: rootAtHand(workspace),
      ...size,
    })
    terminalLayout.set(now => place(now, terminalId, beside))
    focusSoon(waits)
  } finally {
    terminalView.setState(({ opening }) => ({ opening: opening - 1 }))
  }
}

/** Of several folders the one whose file is in front; else the first one. */
function rootAtHand({ roots }: WorkspaceInfo): WirePath | undefined {
  const path = currentPath()
  const root = path && 'rootId' in path ? roots.find(each => each.rootId === path.rootId) : undefined
  return root && !root.missing ? { rootId: root.rootId, path: '' } : undefined
}

/** Asks first when something runs in it. */
export async function closeTerminal(terminalId: TerminalId): Promise<void> {
  const entry = terminalMirror.getState().terminals.find(each => each.terminalId === terminalId)
  if (!entry) return
  if (entry.lost) return forgetTerminal(terminalId)
  if (entry.state === 'running') {
    const { busy, process } = await foregroundOf(terminalId)
    if (busy) return ask({ kind: 'end', terminalId, process })
  }
  await endTerminal(terminalId)
}

export async function closeTab(tab: TabId): Promise<void> {
  if (!isBackground(tab)) return closeTerminal(tab as TerminalId)
  const { background } = sessionListMirror.getState()
  const command = background.find(each => each.backgroundId === tab)
  if (command?.state === 'running') await stopBackground(command.backgroundId)
  terminalLayout.set(now => hide(now, tab))
}

export const activateTab = (tab: TabId): void => {
  terminalLayout.set(now => activate(now, tab))
  focusSoon()
}
export function activateNeighbour(step: 1 | -1): void {
  const tab = neighbour(terminalLayout.get(), step)
  if (tab) activateTab(tab)
}

export function openBackgroundTab(backgroundId: string): void {
  showPane()
  terminalLayout.set(now =>
    activate(now.hidden.includes(backgroundId) ? place(now, backgroundId, null) : now, backgroundId),
  )
}

export const rename = async (tab: TabId, title: string): Promise<void> => {
  terminalView.setState({ renaming: null })
  if (title.trim() !== '') await renameTerminal(tab as TerminalId, title.trim().slice(0, 100))
}

export async function clear(live: LiveTerminal): Promise<void> {
  live.xterm.terminal.clear()
  await clearTerminal(live.terminalId)
}

export async function copy(text: string): Promise<void> {
  if (text !== '') await navigator.clipboard.writeText(text)
}

export async function pasteInto(live: LiveTerminal): Promise<void> {
  const text = await navigator.clipboard.readText().catch(() => null)
  if (text === null) throw new Error(t('terminal.pasteBlocked'))
  await live.xterm.paste(text)
  live.focus()
}

/** A command of this terminal with what is known of it. */
export interface KnownCommand {
  readonly placed: PlacedCommand
  readonly facts: CommandMark
}

export function commandsOf(live: LiveTerminal): KnownCommand[] {
  const entry = live.entry()
  if (!entry) return []
  return live.marks.placed().flatMap(placed => {
    const facts = factsOf(entry, placed.ordinal)
    return facts ? [{ placed, facts }] : []
  })
}
export const lastCommand = (live: LiveTerminal): KnownCommand | null =>
  commandsOf(live).findLast(({ facts }) => facts.endedAt !== null) ?? null

/** Writes it at the prompt and runs it. Only text that the shell itself reported is ever run. */
export async function runAgain(live: LiveTerminal, command: KnownCommand | null): Promise<void> {
  if (!command || command.facts.command === '') throw new Error(t('terminal.nothingToRun'))
  const running = commandsOf(live).some(({ facts }) => facts.endedAt === null)
  if (running) throw new Error(t('terminal.busy'))
  live.xterm.terminal.paste(command.facts.command)
  live.send('\r')
  live.focus()
}

export async function copyOutput(live: LiveTerminal, command: KnownCommand | null): Promise<void> {
  const text = command && outputText(live.xterm.terminal, command.placed, Number.POSITIVE_INFINITY)
  if (text === null) throw new Error(t('terminal.noOutput'))
  await copy(text)
  toast.info(t('terminal.outputCopied'))
}

/** Scrolls to the command above or below what is at the top of the screen, and says which it is. */
export function jump(live: LiveTerminal, step: 1 | -1): void {
  const { terminal } = live.xterm
  const { viewportY, baseY } = terminal.buffer.active
  const lines = live.marks.placed().flatMap(({ prompt, output }) => lineOf(prompt) ?? lineOf(output) ?? [])
  // At the bottom the last commands are all in sight: up means the last one.
  const from = viewportY
  const next = step < 0 ? lines.findLast(line => line < from) : lines.find(line => line > from)
  if (next !== undefined) terminal.scrollToLine(next)
  else if (step > 0) terminal.scrollToLine(baseY)
}

/** The selection, or the last command and its output, as text for the prompt. Null: there is neither. */
export function textForAgent(live: LiveTerminal, command: KnownCommand | null = lastCommand(live)): string | null {
  const selected = live.xterm.terminal.getSelection()
  if (selected.trim() !== '') return fenced(cut(selected))
  if (!command) return null
  const output = outputText(live.xterm.terminal, command.placed, MAX_SENT_LINES) ?? ''
  const { exitCode } = command.facts
  const how = exitCode === null ? '' : `\n${t('terminal.sentExit', { code: exitCode })}`
  return `${fenced(cut(`$ ${command.facts.command || t('terminal.unknownCommand')}\n${output}`))}${how}`
}

const cut = (text: string): string => (text.length > MAX_SENT_CHARS ? `…${text.slice(-MAX_SENT_CHARS)}` : text)
/** A fence that the text itself does not hold. */
function fenced(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `${fence}\n${text.trimEnd()}\n${fence}`
}

/** http and https alone leave the window. Rejects with words for anything else. */
export async function openUrl(url: string): Promise<void> {
  if (!/^https?:\/\//i.test(url)) throw new Error(t('terminal.linkRefused', { url: url.slice(0, 200) }))
  await host.host.openExternal({ url })
}

export const stop = (backgroundId: BackgroundId): Promise<void> => stopBackground(backgroundId)
export const sendLine = (backgroundId: BackgroundId, line: string): Promise<void> =>
  sendToBackground(backgroundId, `${line}\n`)
