/**
 * The terminals that this window has at hand: one xterm each, fed for as long as the terminal is listed, shown or not.
 * Hidden ones go on, so that coming back finds them as they are.
 */
import type { TerminalId } from '#contract/id'
import { createOutputQueue } from '#contract/output-queue'
import { useConnection } from '../../client/index.ts'
import { openTerminalStream, type TerminalSnapshot, type TerminalStream } from '../../client/terminal-stream.ts'
import { onSetting, settingNow } from '../../state/mirror/settings.ts'
import { type TerminalEntry, terminalMirror } from '../../state/mirror/terminal.ts'
import { workspaceView } from '../../state/view/workspace.ts'
import { createXterm, type Xterm } from '../../ui/xterm/index.ts'
import { type CommandMarks, createCommandMarks } from './command-marks.ts'
import { decorateCommands } from './decorations.ts'
import { activate } from './layout.ts'
import { provideFileLinks } from './link-provider.ts'
import type { LiveActions } from './live-actions.ts'
import { ask, screenReader, terminalLayout } from './view.ts'

export interface LiveTerminal {
  readonly terminalId: TerminalId
  readonly xterm: Xterm
  readonly marks: CommandMarks
  readonly entry: () => TerminalEntry | null
  /** Keys for the shell; nothing while it is not connected, and nothing once it has ended. */
  send(data: string): void
  /** The pane has another size. */
  resized(cols: number, rows: number): void
  focus(): void
}

/** A flood is shown this often, so that one sees it run. */
const PAUSE_MS = 16
const MAX_WAIT_MS = 60

interface Kept extends LiveTerminal {
  /** The list says something new about it. */
  refresh(): void
  dispose(): void
}

const all = new Map<TerminalId, Kept>()
/** What a terminal may make the window do; set once, by the feature. */
let actions: LiveActions | null = null

/** Made on first use, which may be long after the terminal was started. */
export function liveTerminal(terminalId: TerminalId): LiveTerminal {
  const known = all.get(terminalId)
  if (known) return known
  const made = create(terminalId)
  all.set(terminalId, made)
  return made
}
export const liveIfMade = (terminalId: TerminalId): LiveTerminal | null => all.get(terminalId) ?? null

/** Starts the upkeep: xterms go with their terminals, settings and sizes are followed. */
export function startLiveTerminals(given: LiveActions): void {
  actions = given
  terminalMirror.subscribe(({ terminals }) => {
    const listed = new Map(terminals.map(entry => [entry.terminalId, entry]))
    for (const [id, live] of all) {
      const entry = listed.get(id)
      if (entry) {
        followSize(live, entry)
        live.refresh()
      } else {
        all.delete(id)
        live.dispose()
      }
    }
  })
  onSetting('terminal.fontSize', fontSize => forEach(live => live.xterm.look({ fontSize })))
  onSetting('terminal.scrollback', scrollback => forEach(live => live.xterm.look({ scrollback })))
  screenReader.on(on => forEach(live => live.xterm.look({ screenReader: on })))
}

function forEach(work: (live: Kept) => void): void {
  for (const live of all.values()) work(live)
}

/** Another window gave it another size, and the person is there: its lines break where they break over there. */
function followSize({ xterm }: LiveTerminal, entry: TerminalEntry): void {
  const { terminal } = xterm
  const mine = document.hasFocus() || !xterm.element.isConnected
  if (!mine && (terminal.cols !== entry.cols || terminal.rows !== entry.rows)) terminal.resize(entry.cols, entry.rows)
}

function create(terminalId: TerminalId): Kept {
  const entry = () => terminalMirror.getState().terminals.find(each => each.terminalId === terminalId) ?? null
  const isOpen = () => {
    const now = entry()
    return now !== null && !now.lost && now.state === 'running' && useConnection.getState().pty === 'ready'
  }
  let stream: TerminalStream | null = null
  const send = (data: string) => {
    if (isOpen()) stream?.write(data)
  }
  const xterm = createXterm({
    fontSize: settingNow('terminal.fontSize'),
    scrollback: settingNow('terminal.scrollback'),
    screenReader: screenReader.get(),
    onData: send,
    onLink: url => actions?.openLink(url, entry()?.cwd ?? '/'),
    onKey: event => onKey(event, live),
    confirmPaste: text => new Promise(answer => ask({ kind: 'paste', text, answer })),
  })
  xterm.element.addEventListener('focusin', () => terminalLayout.set(now => activate(now, terminalId)))
  const { terminal } = xterm
  const marks = createCommandMarks(terminal)
  const refresh = decorateCommands(terminal, marks, {
    info: entry,
    chosen: ordinal => actions?.commandChosen(terminalId, ordinal),
  })
  provideFileLinks(terminal, {
    workspace: () => workspaceView.getState().workspace,
    cwd: () => entry()?.cwd ?? '/',
    open: place => actions?.openPlace(place),
  })
  const scrolling = watchScrolling(terminal)
  const queue = createOutputQueue({
    write: (bytes, parsed) => terminal.write(bytes, parsed),
    scrollsFreely: scrolling,
    lines: () => (terminal.options.scrollback ?? 0) + 2 * terminal.rows,
    pauseMs: PAUSE_MS,
    maxWaitMs: MAX_WAIT_MS,
    holdsDrawing: () => !terminal.modes.synchronizedOutputMode,
  })
  /** What the pane last took, told again after each new screen. */
  let size: { cols: number; rows: number } | null = null
  const restore = (snapshot: TerminalSnapshot, done: () => void) => {
    queue.reset(new TextEncoder().encode(snapshot.screen.slice(-8)))
    show(terminal, marks, snapshot, () => {
      if (size) {
        terminal.resize(size.cols, size.rows)
        stream?.resize(size.cols, size.rows)
      }
      done()
    })
  }
  const number = entry()?.number
  if (number !== undefined && !entry()?.lost) {
    stream = openTerminalStream({
      terminalId,
      number,
      sink: { restore, write: queue.push },
    })
  }
  const live: Kept = {
    terminalId,
    xterm,
    marks,
    entry,
    send,
    refresh,
    resized(cols, rows) {
      size = { cols, rows }
      const now = entry()
      if (now && (now.cols !== cols || now.rows !== rows)) stream?.resize(cols, rows)
    },
    focus: () => terminal.focus(),
    dispose() {
      stream?.dispose()
      queue.dispose()
      xterm.dispose()
    },
  }
  return live
}

/** False while lines that leave the screen do not go to the scrollback: the other screen, a scroll region, an origin. */
function watchScrolling(terminal: Xterm['terminal']): () => boolean {
  let region = false
  terminal.parser.registerCsiHandler({ final: 'r' }, ([top, bottom]) => {
    if (terminal.buffer.active.type === 'normal')
      region = Number(top) > 1 || (Number(bottom) > 0 && Number(bottom) < terminal.rows)
    return false
  })
  const free = () => {
    region = false
    return false
  }
  terminal.parser.registerEscHandler({ final: 'c' }, free)
  terminal.parser.registerCsiHandler({ intermediates: '!', final: 'p' }, free)
  terminal.onResize(free)
  return () => terminal.buffer.active.type === 'normal' && !region && !terminal.modes.originMode
}

/** A fresh terminal of the snapshot's size takes it in; marks are set before the alternate screen hides their lines. */
function show(terminal: Xterm['terminal'], marks: CommandMarks, snapshot: TerminalSnapshot, done: () => void): void {
  const { info, screen, markLines } = snapshot
  const alternate = screen.indexOf('\x1b[?1049h')
  const normal = alternate < 0 ? screen : screen.slice(0, alternate)
  terminal.write('', () => {
    terminal.reset()
    terminal.resize(info.cols, info.rows)
  })
  terminal.write(normal, () => marks.restore(info, markLines))
  terminal.write(alternate < 0 ? '' : screen.slice(alternate), done)
}

/** False: the key is not the terminal's. */
function onKey(event: KeyboardEvent, live: LiveTerminal): boolean {
  if (event.type !== 'keydown') return true
  const entry = live.entry()
  const over = entry !== null && (entry.lost || entry.state === 'exited')
  if (over && event.key === 'Enter') {
    event.preventDefault()
    actions?.close(live.terminalId)
    return false
  }
  if (event.key === 'Tab' && (event.ctrlKey || event.metaKey)) return false
  const letter = event.key.toLowerCase()
  const copies =
    (event.ctrlKey && event.shiftKey && letter === 'c') ||
    (event.metaKey && letter === 'c') ||
    (event.ctrlKey && event.key === 'Insert')
  if (copies && (live.xterm.terminal.hasSelection() || !event.metaKey)) {
    event.preventDefault()
    actions?.copy(live.xterm.terminal.getSelection())
    return false
  }
  // The browser's own paste follows; ui/xterm takes it.
  if ((event.ctrlKey && event.shiftKey && letter === 'v') || (event.metaKey && letter === 'v')) return false
  return !(event.shiftKey && event.key === 'Insert')
}
