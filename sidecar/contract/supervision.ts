/** What the supervisor serves: to its windows and to its sidecar. Apart from the rest, so that a supervisor starts without it. */
import { host } from './host.ts'
import { supervisor } from './supervisor.ts'
import { update } from './update.ts'

/** Served by the supervisor to its windows. */
export const hostContract = { host, update } as const
export type HostContract = typeof hostContract

/** Served by the supervisor to its sidecar. */
export const supervisorContract = { supervisor } as const
export type SupervisorContract = typeof supervisorContract
