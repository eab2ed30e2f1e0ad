/**
 * The pty host's service: every terminal of an instance. Terminals live as long as this process, whoever is attached; an
 * ended one stays listed until it is removed.
 */
import type { CallContext, Handlers } from '#contract/define'
import { BelayError } from '#contract/error'
import type { TerminalId } from '#contract/id'
import { type PtyContract, ptyContract } from '#contract/index'
import type { TerminalInfo } from '#contract/terminal'
import type { Log } from '../base/log.ts'
import type { ChildLedger } from '../base/process-group.ts'
import { redeemTicket } from '../base/ticket.ts'
import type { TerminalClient } from './flow.ts'
import { createShellIntegration } from './shell-integration.ts'
import { type OpenTerminal, openTerminal } from './terminal.ts'

export interface Terminals {
  readonly contract: PtyContract
  readonly handlers: Omit<Handlers<PtyContract>, 'link'>
  /** Returns the function that lets the client go; its terminals run on. */
  attach(client: TerminalClient): () => void
  /** Ends every terminal and all that runs in them. Never rejects. */
  dispose(): Promise<void>
}

/** A program may change its title a thousand times a second; windows hear of it ten times. */
const CHANGED_MS = 100
const MAX_TERMINALS = 200
/** Quitting waits for nobody for long. */
const DISPOSE_GRACE_MS = 800

export function createTerminals(options: {
  ledger: ChildLedger
  log: Log
  ticketKey: Uint8Array
  version?: string
  /** Where the shell scripts are written; the system's folder for temporary files without it. */
  scripts?: string
}): Terminals {
  const all = new Map<TerminalId, OpenTerminal>()
  const clients = new Map<string, TerminalClient>()
  const used = new Set<string>()
  const changing = new Map<TerminalId, NodeJS.Timeout>()
  const integration = createShellIntegration(options.scripts)
  let numbers = 0
  let opening = 0

  const tell = (name: string, payload: unknown) => {
    for (const client of clients.values()) client.emit(name, payload)
  }
  /** The last state always arrives; an exit at once. */
  const changed = (terminal: OpenTerminal) => {
    const { info } = terminal
    if (all.get(info.terminalId) !== terminal) return
    const send = () => {
      clearTimeout(changing.get(info.terminalId))
      changing.delete(info.terminalId)
      tell('terminal/changed', terminal.info satisfies TerminalInfo)
    }
    if (info.state === 'exited') send()
    else if (!changing.has(info.terminalId)) changing.set(info.terminalId, setTimeout(send, CHANGED_MS))
  }
  const remove = (terminalId: TerminalId) => {
    const terminal = all.get(terminalId)
    if (!all.delete(terminalId)) return
    clearTimeout(changing.get(terminalId))
    changing.delete(terminalId)
    terminal?.dispose()
    tell('terminal/removed', { terminalId })
  }
  const find = ({ terminalId }: { terminalId: TerminalId }): OpenTerminal => {
    const terminal = all.get(terminalId)
    if (terminal) return terminal
    throw new BelayError('not_found', 'This terminal has ended and was closed. Open a new one.')
  }
  const caller = ({ clientId }: CallContext): TerminalClient => {
    const client = clients.get(clientId)
    if (client) return client
    throw new BelayError('disconnected', 'The connection to the terminals was closed. It reconnects by itself.')
  }
  const create = async (ticket: string, size: { cols: number; rows: number }): Promise<TerminalInfo> => {
    const claim = redeemTicket(ticket, options.ticketKey, used)
    if (all.size + opening >= MAX_TERMINALS) {
      throw new BelayError(
        'busy',
        `${MAX_TERMINALS} terminals are open, which is the most. Close one that you do not need.`,
      )
    }
    opening++
    try {
      let terminal: OpenTerminal | null = null
      const number = numbers++
      terminal = await openTerminal({
        claim,
        number,
        ...size,
        ledger: options.ledger,
        integration,
        version: options.version ?? '',
        changed: () => terminal && changed(terminal),
        lagged: client => terminal && client.emit('terminal/lagged', { terminalId: terminal.info.terminalId }),
      })
      all.set(terminal.info.terminalId, terminal)
      options.log('info', 'terminal started', { number, shell: claim.shell })
      tell('terminal/changed', terminal.info)
      return terminal.info
    } finally {
      opening--
    }
  }

  const terminal: Handlers<PtyContract>['terminal'] = {
    create: ({ ticket, ...size }) => create(ticket, size),
    list: ({ workspaceId }) => ({
      terminals: [...all.values()]
        .map(each => each.info)
        .filter(info => workspaceId === undefined || info.workspaceId === workspaceId),
    }),
    async attach(which, context) {
      const client = caller(context)
      const open = find(which)
      const shown = await open.attach(client)
      // Gone while the screen was read: nobody would ever acknowledge.
      if (clients.get(client.clientId) !== client) open.detach(client)
      return shown
    },
    detach(which, context) {
      find(which).detach(caller(context))
      return {}
    },
    write(params) {
      find(params).write(params.data)
      return {}
    },
    resize(params) {
      find(params).resize(params.cols, params.rows)
      return {}
    },
    ack(params, context) {
      // One for a terminal that was just removed is on its way more often than not.
      all.get(params.terminalId)?.ack(caller(context), params.offset)
      return {}
    },
    rename(params) {
      find(params).rename(params.title)
      return {}
    },
    clear(which) {
      find(which).clear()
      return {}
    },
    foreground: which => find(which).foreground(),
    async end(which) {
      const ending = find(which)
      await ending.end()
      remove(which.terminalId)
      return {}
    },
  }
  return {
    contract: ptyContract,
    handlers: { terminal },
    attach(client) {
      clients.set(client.clientId, client)
      return () => {
        if (clients.get(client.clientId) === client) clients.delete(client.clientId)
        for (const each of all.values()) each.detach(client)
      }
    },
    async dispose() {
      await Promise.all([...all.values()].map(each => each.end(DISPOSE_GRACE_MS)))
      for (const id of [...all.keys()]) remove(id)
      await integration.dispose()
    },
  }
}
