/** One terminal: a shell, its screen, its marks and its windows, tied together. What it is called and how it stands is `info`. */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { basename } from 'node:path'
import type { TerminalId } from '#contract/id'
import type { MarkLines, TerminalInfo, TicketClaim } from '#contract/terminal'
import { newId } from '../base/id.ts'
import type { ChildLedger } from '../base/process-group.ts'
import { terminalEnvironment } from './environment.ts'
import { createFlow, type TerminalClient } from './flow.ts'
import { createMarks } from './marks.ts'
import { openPseudoTerminal } from './pseudo-terminal.ts'
import { createScreen } from './screen.ts'
import type { ShellIntegration } from './shell-integration.ts'
import { visibleLine } from './visible-text.ts'

export interface OpenTerminal {
  readonly info: TerminalInfo
  attach(
    client: TerminalClient,
  ): Promise<{ info: TerminalInfo; screen: string; offset: number; markLines: MarkLines[] }>
  detach(client: TerminalClient): void
  ack(client: TerminalClient, offset: number): void
  write(text: string): void
  resize(cols: number, rows: number): void
  rename(title: string): void
  clear(): void
  foreground(): { busy: boolean; process: string | null }
  /** Answers when nothing of it runs any more. Never rejects. */
  end(graceMs?: number): Promise<void>
  dispose(): void
}

const MAX_TITLE_CHARS = 100

/** Faults as `openPseudoTerminal`. `changed` may come often: the caller merges. */
export async function openTerminal(options: {
  claim: TicketClaim
  number: number
  cols: number
  rows: number
  ledger: ChildLedger
  integration: ShellIntegration
  version: string
  changed(): void
  lagged(client: TerminalClient): void
}): Promise<OpenTerminal> {
  const { claim } = options
  const nonce = randomBytes(12).toString('hex')
  const bare = { args: claim.args, env: terminalEnvironment(claim.env, options) }
  const wanted = claim.env.BELAY_SHELL_INTEGRATION !== '0'
  const command = wanted ? await options.integration.inject(claim.shell, bare, nonce) : bare
  let state: Pick<TerminalInfo, 'state' | 'exitCode' | 'signal'> = { state: 'running', exitCode: null, signal: null }
  let title = basename(claim.shell).replace(/\.exe$/i, '')
  let named = false
  let cwd = claim.cwd
  let { cols, rows } = options

  // The shell is started last; nothing is read from it before this function has returned.
  const screen = createScreen({
    cols,
    rows,
    reply: text => pty.write(text),
    titled(text) {
      const line = visibleLine(text, MAX_TITLE_CHARS)
      if (named || line === '' || line === title) return
      title = line
      options.changed()
    },
    marked: (code, data) => marks.take(code, data),
    parsed: () => flow.settle(),
  })
  const marks = createMarks({
    nonce,
    here: screen.here,
    hostname: hostname(),
    changed: options.changed,
    moved(folder) {
      cwd = folder
      options.changed()
    },
  })
  const flow = createFlow({
    number: options.number,
    take: screen.write,
    backlogBytes: () => screen.backlogBytes,
    pause: () => pty.pause(),
    resume: () => pty.resume(),
    lagged: options.lagged,
  })
  const pty = openPseudoTerminal({
    shell: claim.shell,
    ...command,
    cwd,
    cols,
    rows,
    ledger: options.ledger,
    data: flow.push,
  })
  const terminalId = newId('ter') as TerminalId
  const startedAt = Date.now()
  const infoNow = (): TerminalInfo => ({
    terminalId,
    number: options.number,
    workspaceId: claim.workspaceId,
    title,
    shell: claim.shell,
    cwd,
    cols,
    rows,
    ...state,
    startedAt,
    marks: marks.list(),
    markCount: marks.count,
  })
  void pty.exited.then(({ code, signal }) => {
    flow.flush()
    state = { state: 'exited', exitCode: code, signal }
    options.changed()
  })
  return {
    get info() {
      return infoNow()
    },
    async attach(client) {
      flow.flush()
      const shown = await screen.snapshot(() => {
        const markLines = marks.lines()
        return { markLines, info: infoNow() }
      })
      flow.attach(client, shown.offset, shown.rest)
      const { info, markLines } = shown.lines
      const size = { cols: shown.cols, rows: shown.rows }
      return { info: { ...info, ...size }, screen: shown.screen, offset: shown.offset, markLines }
    },
    detach: flow.detach,
    ack: flow.ack,
    write: pty.write,
    resize(nextCols, nextRows) {
      if (nextCols === cols && nextRows === rows) return
      cols = nextCols
      rows = nextRows
      // What was written for the old size is parsed at the old size.
      flow.flush()
      screen.resize(cols, rows)
      pty.resize(cols, rows)
      options.changed()
    },
    rename(text) {
      const line = visibleLine(text, MAX_TITLE_CHARS)
      if (line === '') return
      title = line
      named = true
      options.changed()
    },
    clear() {
      flow.flush()
      screen.clear()
    },
    foreground: pty.foreground,
    end: pty.end,
    dispose() {
      flow.dispose()
      screen.dispose()
    },
  }
}
