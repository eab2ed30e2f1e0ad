/** Every word that crosses a process. Adding a domain is one line here. */

import { agents } from './agents.ts'
import { checkpoint } from './checkpoint.ts'
import type { Calls, EventName, Handlers, Payload } from './define.ts'
import { document } from './document.ts'
import { git } from './git.ts'
import { head } from './head.ts'
import { knowledge } from './knowledge.ts'
import { language } from './language.ts'
import { model } from './model.ts'
import { permission } from './permission.ts'
import { link } from './protocol.ts'
import { review } from './review.ts'
import { sandbox } from './sandbox.ts'
import { background, session } from './session.ts'
import { settings } from './settings.ts'
import { terminal, terminalTicket } from './terminal.ts'
import { web } from './web.ts'
import { workspace } from './workspace.ts'

export {
  type HostContract,
  hostContract,
  type SupervisorContract,
  supervisorContract,
} from './supervision.ts'

/** Served by the sidecar to every client. */
export const contract = {
  link,
  agents,
  session,
  background,
  checkpoint,
  workspace,
  document,
  git,
  head,
  knowledge,
  language,
  model,
  permission,
  review,
  settings,
  sandbox,
  terminalTicket,
  web,
} as const
export type BelayContract = typeof contract
export type BelayCalls = Calls<BelayContract>
export type BelayHandlers = Handlers<BelayContract>
export type BelayEvent = EventName<BelayContract>
export type BelayPayload<N extends string> = Payload<BelayContract, N>

/** Served by the pty host to every window. */
export const ptyContract = { link, terminal } as const
export type PtyContract = typeof ptyContract
