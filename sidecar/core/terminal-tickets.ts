/** Terminals are started by the pty host, on a ticket of the core: which folder, which shell, which environment. */
import { BelayError } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import type { BelayHandlers } from '#contract/index'
import { foreignEnvironment, personShell } from '../base/environment.ts'
import { newId } from '../base/id.ts'
import { sealTicket } from '../base/ticket.ts'
import { refuseAway } from '../workspace/roots.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** So long a window has to take it to the pty host. */
const TICKET_MS = 30_000

export interface TerminalTicketsOptions {
  /** Throws `not_found`. */
  workspace(id: WorkspaceId): Workspace
  environment(): Promise<NodeJS.ProcessEnv>
  /** '' for the person's own. */
  shell(): string
  integrated(): boolean
  /** Shared with the pty host. */
  key: Uint8Array
}

export const terminalTicketHandlers = (options: TerminalTicketsOptions): BelayHandlers['terminalTicket'] => ({
  async mint({ workspaceId, cwd }) {
    const { info, paths } = options.workspace(workspaceId)
    if (!info.trusted)
      throw new BelayError('untrusted', 'This folder is not trusted, so no terminal was started. Trust it first.')
    if (!cwd) refuseAway(info, 'no terminal was started')
    const environment = foreignEnvironment(await options.environment())
    const claim = {
      id: newId('tkt'),
      workspaceId,
      cwd: cwd ? await paths.toAbsolute(cwd) : (paths.roots[0]?.absolute ?? ''),
      shell: options.shell() || personShell(environment, process.platform),
      args: [],
      env: options.integrated() ? environment : { ...environment, BELAY_SHELL_INTEGRATION: '0' },
      expiresAt: Date.now() + TICKET_MS,
    }
    return { ticket: sealTicket(claim, options.key) }
  },
})
