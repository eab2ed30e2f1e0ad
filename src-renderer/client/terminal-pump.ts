/** Keeps the list of terminals of one workspace, and asks for what a person does to them. */
import type { TerminalId, WorkspaceId } from '#contract/id'
import type { WirePath } from '#contract/path'
import type { TerminalInfo } from '#contract/terminal'
import { type TerminalEntry, terminalStore } from '../state/mirror/terminal-store.ts'
import { belay, followPty, pty } from './index.ts'

const put = (info: TerminalInfo) => {
  const { terminals } = terminalStore.getState()
  const entry: TerminalEntry = { ...info, lost: false }
  const known = terminals.some(each => each.terminalId === info.terminalId)
  const next = known
    ? terminals.map(each => (each.terminalId === info.terminalId ? entry : each))
    : [...terminals, entry]
  terminalStore.setState({ terminals: next })
}

/** Takes a terminal off the list: closed, or lost and dismissed. */
export const forgetTerminal = (terminalId: TerminalId): void =>
  terminalStore.setState(({ terminals }) => ({ terminals: terminals.filter(each => each.terminalId !== terminalId) }))

/** Until the returned function is called. One workspace at a time. */
export function followTerminals(workspaceId: WorkspaceId): () => void {
  const following = followPty({
    open: signal => pty.terminal.list({ workspaceId }, { signal }),
    onSnapshot({ terminals }) {
      const living = new Set(terminals.map(info => info.terminalId))
      // What ran before and is not there now went down with its process: shown as that until it is dismissed.
      const lost = terminalStore.getState().terminals.filter(each => !living.has(each.terminalId))
      const entries = [
        ...lost.map(each => ({ ...each, lost: true })),
        ...terminals.map(info => ({ ...info, lost: false })),
      ]
      entries.sort((a, b) => a.startedAt - b.startedAt || a.number - b.number)
      terminalStore.setState({ status: 'ready', fault: null, terminals: entries })
    },
    onFailed: (fault, retrying) =>
      terminalStore.setState({ fault, ...(retrying ? {} : { status: 'failed' as const }) }),
    events: {
      'terminal/changed': info => {
        if (info.workspaceId === workspaceId) put(info)
      },
      'terminal/removed': ({ terminalId }) => forgetTerminal(terminalId),
    },
  })
  return () => {
    following.dispose()
    terminalStore.setState({ status: 'opening', fault: null, terminals: [] })
  }
}

/** Asks the core for a ticket and redeems it. Rejects with words: no folder, no shell, an untrusted workspace. */
export async function openTerminal(options: {
  workspaceId: WorkspaceId
  cwd?: WirePath
  cols: number
  rows: number
}): Promise<TerminalInfo> {
  const { workspaceId, cwd, cols, rows } = options
  const { ticket } = await belay.terminalTicket.mint({ workspaceId, cwd })
  const info = await pty.terminal.create({ ticket, cols, rows })
  put(info)
  return info
}

export const renameTerminal = async (terminalId: TerminalId, title: string): Promise<void> =>
  void (await pty.terminal.rename({ terminalId, title }))
export const clearTerminal = async (terminalId: TerminalId): Promise<void> =>
  void (await pty.terminal.clear({ terminalId }))
export const foregroundOf = (terminalId: TerminalId): Promise<{ busy: boolean; process: string | null }> =>
  pty.terminal.foreground({ terminalId })

/** Ends all that runs in it and takes it off the list. One that is gone already is no fault. */
export async function endTerminal(terminalId: TerminalId): Promise<void> {
  await pty.terminal.end({ terminalId }).catch(fault => {
    if ((fault as { code?: unknown }).code !== 'not_found') throw fault
  })
  forgetTerminal(terminalId)
}
