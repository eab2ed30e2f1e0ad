/**
 * Terminals. Served by the pty host on a connection of its own; only `ticket` is the sidecar's. Bytes do not travel as
 * JSON: output comes in binary frames (transport/frame.ts, kind `bytes`) that carry the terminal's number and an offset.
 */
import { z } from 'zod'
import { event, request } from './define.ts'
import { TerminalId, WorkspaceId } from './id.ts'
import { WirePath } from './path.ts'

/** Bytes that may be unacknowledged before the child is paused, and the amount at which it goes on. */
export const TERMINAL_HIGH_WATER_BYTES = 512 * 1024
export const TERMINAL_LOW_WATER_BYTES = 256 * 1024
/** Acknowledge at least this often. */
export const TERMINAL_ACK_BYTES = 128 * 1024
export const SCROLLBACK_LINES = 10_000

/** A command that ran in a terminal with shell integration, newest last, at most 200. */
export const CommandMark = z.object({
  command: z.string(),
  cwd: z.string().nullable(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  exitCode: z.number().nullable(),
})
export type CommandMark = z.infer<typeof CommandMark>

export const TerminalInfo = z.object({
  terminalId: TerminalId,
  /** Names its binary frames; unique within one pty host. */
  number: z.number().int().nonnegative(),
  workspaceId: WorkspaceId,
  title: z.string(),
  shell: z.string(),
  cwd: z.string(),
  cols: z.number().int(),
  rows: z.number().int(),
  state: z.enum(['running', 'exited']),
  exitCode: z.number().nullable(),
  signal: z.string().nullable(),
  startedAt: z.number(),
  marks: z.array(CommandMark),
  /** Commands so far, also those no longer in `marks`: the last mark is number `markCount - 1`. */
  markCount: z.number().int().nonnegative(),
})
export type TerminalInfo = z.infer<typeof TerminalInfo>

/** Where a command stands in an attach's `screen`: lines from its first one, null where that has scrolled away or is yet to come. */
export const MarkLines = z.object({
  prompt: z.number().nullable(),
  output: z.number().nullable(),
  end: z.number().nullable(),
})
export type MarkLines = z.infer<typeof MarkLines>

const size = { cols: z.number().int().min(2).max(1000), rows: z.number().int().min(1).max(1000) }
const which = z.object({ terminalId: TerminalId })
const nothing = z.object({})

/** The pty host's own contract. */
export const terminal = {
  create: request(z.object({ ticket: z.string(), ...size }), TerminalInfo),
  /** Without a workspace: of all. */
  list: request(z.object({ workspaceId: WorkspaceId.optional() }), z.object({ terminals: z.array(TerminalInfo) })),
  /** Screen and scrollback as escape sequences, true at `offset`; byte frames from there on reach this client. */
  attach: request(
    which,
    z.object({
      info: TerminalInfo,
      screen: z.string(),
      offset: z.number(),
      /** One for each of `info.marks`. */
      markLines: z.array(MarkLines),
    }),
  ),
  detach: request(which, nothing),
  write: request(z.object({ terminalId: TerminalId, data: z.string().max(1_000_000) }), nothing),
  resize: request(z.object({ terminalId: TerminalId, ...size }), nothing),
  /** This client has taken in everything up to `offset`. */
  ack: request(z.object({ terminalId: TerminalId, offset: z.number() }), nothing),
  rename: request(z.object({ terminalId: TerminalId, title: z.string().min(1).max(100) }), nothing),
  /** Forgets the scrollback and all of the screen but the prompt. */
  clear: request(which, nothing),
  /** Whether something other than the shell runs in it now, and what. */
  foreground: request(which, z.object({ busy: z.boolean(), process: z.string().nullable() })),
  /** HUP and TERM, grace, KILL on all that runs in it; answers after reaping. Then, or when it had exited, it is removed. */
  end: request(which, nothing),
  changed: event(TerminalInfo),
  removed: event(which),
  /** This client took in nothing for too long and gets no more bytes of it: attach again. */
  lagged: event(which),
} as const

/** Who may start a terminal: a one-use, short-lived word that the sidecar mints and the pty host redeems. */
export const terminalTicket = {
  /** `cwd` defaults to the first root. */
  mint: request(z.object({ workspaceId: WorkspaceId, cwd: WirePath.optional() }), z.object({ ticket: z.string() })),
} as const

/** What a ticket says, sealed by the sidecar with a key that only it and the pty host were given. */
export const TicketClaim = z.object({
  id: z.string(),
  workspaceId: WorkspaceId,
  cwd: z.string(),
  shell: z.string(),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  expiresAt: z.number(),
})
export type TicketClaim = z.infer<typeof TicketClaim>
