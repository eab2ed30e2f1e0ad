/** Sessions on the wire: the verbs a client may use, and the two kinds of news it gets back. */
import { z } from 'zod'
import { ContextUse } from './context-use.ts'
import { event, request } from './define.ts'
import { AskId, BackgroundId, BlobId, CallId, ItemId, RequestId, SessionId, WorkspaceId } from './id.ts'
import { AnyPath } from './path.ts'
import { Attachment, Effort, LiveDelta, Mode, PermissionAnswer, QuestionAnswer, SessionEvent } from './session-event.ts'
import { Ask, Item, SessionSnapshot, Turn } from './session-state.ts'
import { Changed, ForkedFrom, sessionTree } from './session-tree.ts'

/** Characters of one prompt; longer text belongs in an attachment. */
export const MAX_PROMPT_CHARS = 1_000_000

/** What a person hands in. Bytes of pasted images and files travel as base64, at most 10 MB each. */
export const PromptPart = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string().max(MAX_PROMPT_CHARS) }),
  z.object({ kind: z.literal('path'), path: AnyPath }),
  z.object({
    kind: z.literal('bytes'),
    name: z.string().max(255),
    mediaType: z.string().max(100),
    base64: z.string().max(14_000_000),
  }),
  /** What an earlier message of the same session brought along. */
  z.object({ kind: z.literal('kept'), attachment: Attachment }),
])
export type PromptPart = z.infer<typeof PromptPart>

/** Prompts that may wait in one session; words that wait for a running turn's next step, and characters of one of those. */
export const MAX_QUEUED = 10
export const MAX_STEERS = 5
export const MAX_STEER_CHARS = 4096

/** One line of the list of sessions; read from a small file beside the log, never by folding it. */
export const SessionSummary = z.object({
  sessionId: SessionId,
  title: z.string(),
  /** The home of its workspace first, then the other folders that it began with. */
  roots: z.array(z.string()),
  createdAt: z.number(),
  changedAt: z.number(),
  pinned: z.boolean(),
  archived: z.boolean(),
  /** Whether its end was seen by a person since the last turn ended. */
  unread: z.boolean(),
  state: z.enum(['idle', 'running', 'asking']),
  /** The person's first words, cut at 200 characters. */
  preview: z.string(),
  turns: z.number().int(),
  /** Who has it open for writing when it is not us: "Belay 4711 since 10:02". */
  heldBy: z.string().nullable(),
  forkedFrom: ForkedFrom.nullable(),
  changed: Changed,
  /** It came from a file: nobody here did it. */
  imported: z.boolean(),
})
export type SessionSummary = z.infer<typeof SessionSummary>

/** What one model took of one session on one day. */
export const UsageRow = z.object({
  sessionId: SessionId,
  title: z.string(),
  /** `2026-11-30` by the clock of the machine that Belay runs on. */
  day: z.string(),
  model: z.string(),
  turns: z.number().int(),
  /** Tokens; `input` without the cached ones. */
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  /** US dollars of what has a known price. */
  cost: z.number(),
  /** Turns whose price or usage nobody knows: they are in no sum. */
  unpriced: z.number().int(),
})
export type UsageRow = z.infer<typeof UsageRow>

/**
 * What a command line said for the life of one core: never written down. A tool is `name` or `name(glob)`. `allowedTools`
 * is exhaustive (what is not on it is denied); `disallowedTools` wins over it; neither answers for a protected path.
 */
export const RunFlags = z.object({
  allowedTools: z.array(z.string().max(10_000)).max(1000).optional(),
  disallowedTools: z.array(z.string().max(10_000)).max(1000).optional(),
  maxTurns: z.number().int().positive().optional(),
  /** US dollars of all turns under these flags and of the agents that work for them: no model call begins above it. */
  maxBudgetUsd: z.number().positive().optional(),
  /** Naming it is consent. */
  fallbackModel: z.string().max(300).optional(),
  /** JSON Schema that the answer must fit; providers that can be held to it beside tools are. */
  answerSchema: z.record(z.string(), z.unknown()).optional(),
})
export type RunFlags = z.infer<typeof RunFlags>
/** How a turn ends that has nothing left of its budget, by the code of its error. */
export const MAX_BUDGET = 'max_budget'

const which = z.object({ sessionId: SessionId })
/** One that waits. `not_found` where it was sent or taken away meanwhile. */
const whichPrompt = z.object({ sessionId: SessionId, requestId: RequestId })
const nothing = z.object({})

export const session = {
  ...sessionTree,
  create: request(
    z.object({
      workspaceId: WorkspaceId,
      mode: Mode.optional(),
      model: z.string().optional(),
      title: z.string().optional(),
      flags: RunFlags.optional(),
      /** A name of the client's own. `already_exists` where one has it. */
      sessionId: SessionId.optional(),
    }),
    z.object({ sessionId: SessionId }),
  ),
  /** In place of what was said of the session before. Refused (`busy`) while a turn runs. */
  setFlags: request(z.object({ sessionId: SessionId, flags: RunFlags }), nothing),
  /** The head state and its last items. From its answer on, `happened` and `live` of this session reach this client. */
  open: request(which, SessionSnapshot),
  /** Ends the flow of events to this client; what runs goes on. */
  close: request(which, nothing),
  /**
   * A client that has it open cannot take any more for now: no step of a turn begins until it can (`held: false`), closes the
   * session or goes. What is under way goes on.
   */
  hold: request(z.object({ sessionId: SessionId, held: z.boolean() }), nothing),
  /** The 200 items of the path before `before`. */
  older: request(
    z.object({ sessionId: SessionId, before: ItemId }),
    z.object({ items: z.array(Item), turns: z.array(Turn), asks: z.array(Ask), more: z.boolean() }),
  ),
  /** Newest first, pinned before all, without what sub-agents did; `query` searches titles and prompts. */
  list: request(
    z.object({
      workspaceId: WorkspaceId.optional(),
      /** Of a workspace that need not be open. */
      home: z.string().optional(),
      query: z.string().max(500).optional(),
      archived: z.boolean().optional(),
      /** With the forks that work in worktrees of it: their `roots` begin with another folder. */
      branches: z.boolean().optional(),
    }),
    z.object({ sessions: z.array(SessionSummary) }),
  ),
  /**
   * Of the last `days` days with today, archived sessions too; deleted ones are gone from it. What sub-agents took counts with
   * the session they worked for, once.
   */
  usage: request(
    z.object({ days: z.number().int().min(1).max(3660) }),
    z.object({ today: z.string(), rows: z.array(UsageRow) }),
  ),
  /**
   * Starts a turn. While one runs: `steer` (default) hands the words to its next step, or to the queue where they cannot go
   * there (`why`); `queue` waits for its end; `stop` ends it and begins with this. Answers when the prompt is on disk. A full
   * queue is `busy`, with nothing taken in.
   */
  prompt: request(
    z.object({
      sessionId: SessionId,
      requestId: RequestId,
      parts: z.array(PromptPart).min(1).max(50),
      whenRunning: z.enum(['steer', 'queue', 'stop']).default('steer'),
    }),
    z.object({
      itemId: ItemId.nullable(),
      outcome: z.enum(['started', 'steered', 'queued', 'known']),
      why: z.enum(['attachments', 'too_long', 'mailbox_full']).optional(),
    }),
  ),
  /** Answers when everything the turn started has ended. */
  stop: request(which, z.object({ stopped: z.boolean() })),
  /** Words that no step took in yet. False: one has, or they wait in the queue by now. */
  withdrawSteer: request(whichPrompt, z.object({ withdrawn: z.boolean() })),
  /** In place of what waits there: `text`, the attachments at the indexes `keep`, then `add`. */
  editQueued: request(
    whichPrompt.extend({
      text: z.string().max(MAX_PROMPT_CHARS),
      keep: z.array(z.number().int().nonnegative()).max(100),
      add: z.array(PromptPart).max(50),
    }),
    nothing,
  ),
  /** `to`: its index when it is there; beyond the last: the last. */
  moveQueued: request(whichPrompt.extend({ to: z.number().int().nonnegative() }), nothing),
  removeQueued: request(whichPrompt, nothing),
  /** Starts a turn with it, or hands it to the running one; what cannot go there waits as the `first`. */
  sendQueued: request(whichPrompt, z.object({ outcome: z.enum(['started', 'steered', 'first']) })),
  /** What waits is sent by itself again, the first at once where nothing runs. */
  resumeQueue: request(which, nothing),
  /**
   * Answers when it is over, or at once where a turn runs, which does it at its next step. `nothing`: there was nothing that
   * could give way. What it came to is an event.
   */
  compact: request(
    z.object({ sessionId: SessionId, focus: z.string().max(2000).optional() }),
    z.object({ outcome: z.enum(['compacted', 'nothing', 'stopped', 'next_step']) }),
  ),
  contextUse: request(which, ContextUse),
  /** `won: false` when another client was first. */
  answerPermission: request(
    z.object({ sessionId: SessionId, batchId: AskId, answers: z.array(PermissionAnswer).min(1) }),
    z.object({ won: z.boolean() }),
  ),
  /** Whether the tool of an open ask would take these instead: null, or words that say what is wrong. Changes nothing. */
  checkArguments: request(
    z.object({ sessionId: SessionId, batchId: AskId, callId: CallId, arguments: z.unknown() }),
    z.object({ problem: z.string().nullable() }),
  ),
  answerQuestion: request(
    z.object({ sessionId: SessionId, askId: AskId, answers: z.array(QuestionAnswer).nullable() }),
    z.object({ won: z.boolean() }),
  ),
  decidePlan: request(
    z.object({
      sessionId: SessionId,
      askId: AskId,
      decision: z.enum(['approved', 'rejected']),
      mode: Mode.optional(),
      words: z.string().max(20_000).optional(),
    }),
    z.object({ won: z.boolean() }),
  ),
  setMode: request(z.object({ sessionId: SessionId, mode: Mode }), nothing),
  setModel: request(z.object({ sessionId: SessionId, model: z.string(), effort: Effort }), nothing),
  title: request(z.object({ sessionId: SessionId, title: z.string().min(1).max(200) }), nothing),
  pin: request(z.object({ sessionId: SessionId, pinned: z.boolean() }), nothing),
  archive: request(z.object({ sessionId: SessionId, archived: z.boolean() }), nothing),
  seen: request(which, nothing),
  /** Moves the session's folder to the trash, or removes it where there is none. Refused (`busy`) while a turn runs. */
  delete: request(which, nothing),
  /**
   * `jsonl`: the whole log, one record a line; behind it those of its sub-agents, each from its `session.created` on, and with
   * `blobs` the contents that they speak of (`{ blob, base64 }`). `markdown`: the talk as it stands, for people.
   */
  export: request(
    z.object({
      sessionId: SessionId,
      /** `jsonl` without it. */
      format: z.enum(['jsonl', 'markdown']).optional(),
      blobs: z.boolean().optional(),
    }),
    z.object({ fileName: z.string(), text: z.string() }),
  ),
  /** A slice of a blob as text; `offset` and `length` in bytes of the UTF-8, cut at character bounds. */
  blob: request(
    z.object({
      sessionId: SessionId,
      blobId: BlobId,
      offset: z.number().int().nonnegative(),
      length: z.number().int().positive().max(1_000_000),
    }),
    z.object({ text: z.string(), bytes: z.number(), nextOffset: z.number().nullable() }),
  ),
  /** A whole blob as bytes: an image of an answer. Above 20 MB: `too_large`. */
  blobBytes: request(z.object({ sessionId: SessionId, blobId: BlobId }), z.object({ base64: z.string() })),
  /** Takes back one tool call's write where the file still holds what the agent wrote; otherwise says `stale`. */
  revertWrite: request(
    z.object({ sessionId: SessionId, itemId: ItemId, path: AnyPath }),
    z.object({ outcome: z.enum(['reverted', 'removed', 'stale']) }),
  ),
  happened: event(z.object({ sessionId: SessionId, from: z.number(), to: z.number(), events: z.array(SessionEvent) })),
  live: event(z.object({ sessionId: SessionId, deltas: z.array(LiveDelta) })),
  /** A line of the list changed or (null) went away. Reaches every client. */
  listed: event(z.object({ sessionId: SessionId, summary: SessionSummary.nullable() })),
} as const

/** Commands that the agent left running: chips above the composer and tabs in the terminal pane. They end with the workspace. */
export const BackgroundCommand = z.object({
  backgroundId: BackgroundId,
  sessionId: SessionId,
  workspaceId: WorkspaceId,
  command: z.string(),
  cwd: z.string(),
  startedAt: z.number(),
  state: z.enum(['running', 'exited', 'stopped', 'failed']),
  exitCode: z.number().nullable(),
  /** UTF-16 units written so far, also those that are no longer kept. */
  length: z.number(),
})
export type BackgroundCommand = z.infer<typeof BackgroundCommand>

const whichBackground = z.object({ backgroundId: BackgroundId })

export const background = {
  list: request(z.object({ workspaceId: WorkspaceId }), z.object({ commands: z.array(BackgroundCommand) })),
  /** The kept tail and the offset at which it starts. From its answer on, `output` of it reaches this client. */
  open: request(whichBackground, z.object({ command: BackgroundCommand, offset: z.number(), text: z.string() })),
  close: request(whichBackground, nothing),
  input: request(z.object({ backgroundId: BackgroundId, text: z.string().max(100_000) }), nothing),
  /** Answers when its whole process group has ended. */
  stop: request(whichBackground, nothing),
  changed: event(z.object({ command: BackgroundCommand })),
  output: event(z.object({ backgroundId: BackgroundId, offset: z.number(), text: z.string() })),
} as const
