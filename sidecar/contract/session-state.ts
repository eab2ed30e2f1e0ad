/** What a session looks like after its events: the shapes that `foldSession` keeps and `session/open` carries. */
import { z } from 'zod'
import { AskId, CallId, ItemId, RequestId, RestoreId, ReviewId, SessionId, TurnId } from './id.ts'
import { WirePath } from './path.ts'
import {
  AcceptedFile,
  AskedCall,
  Attachment,
  compaction,
  FileWrite,
  LiveDelta,
  LspVerdict,
  Mode,
  Opaque,
  PermissionAnswer,
  Preview,
  Producer,
  Question,
  QuestionAnswer,
  QueuedPrompt,
  QueuePause,
  RefsOf,
  RestoredFile,
  ReviewWrite,
  Source,
  TodoItem,
  Usage,
  WrittenRule,
} from './session-event.ts'

const node = {
  id: ItemId,
  parentId: ItemId.nullable(),
  turnId: TurnId,
  step: z.number().int().nonnegative().optional(),
  at: z.number(),
  /** What the session's facts of these names became when it was the head: so they are had again with it. */
  todo: z.array(TodoItem).optional(),
  contextTokens: z.number().optional(),
}

export const MessageItem = z.object({
  kind: z.literal('message'),
  ...node,
  role: z.enum(['user', 'assistant']),
  origin: z.enum(['user', 'steer', 'queue', 'compaction', 'model']),
  text: z.string(),
  /** False while an answer streams; its newest text is then in the live slot. */
  ended: z.boolean(),
  attachments: z.array(Attachment),
  requestId: RequestId.nullable(),
  note: z.string().optional(),
  opaque: Opaque.nullable(),
  sources: z.array(Source).optional(),
  media: z.array(Attachment).optional(),
  refusal: z.boolean().optional(),
})
export type MessageItem = z.infer<typeof MessageItem>

export const ReasoningItem = z.object({
  kind: z.literal('reasoning'),
  ...node,
  text: z.string(),
  ended: z.boolean(),
  durationMs: z.number(),
  redacted: z.boolean(),
  opaque: Opaque.nullable(),
})
export type ReasoningItem = z.infer<typeof ReasoningItem>

export const ToolItem = z.object({
  kind: z.literal('tool'),
  ...node,
  callId: CallId,
  parentCallId: CallId.nullable(),
  tool: z.string(),
  /** The model's own text. */
  arguments: z.string(),
  via: z.string().optional(),
  /** The exact arguments that ran; absent until `tool.started`. */
  started: z.unknown().optional(),
  startedAt: z.number().nullable(),
  state: z.enum(['requested', 'running', 'done', 'failed', 'denied', 'stopped', 'lost']),
  preview: Preview.nullable(),
  files: z.array(FileWrite),
  /** `seq` of its end: the order in which writes happened. */
  endedSeq: z.number().int().optional(),
  lsp: z.array(LspVerdict),
  durationMs: z.number(),
  detail: z.record(z.string(), z.unknown()),
  /** Sessions of the sub-agents it started, in order; absent where it started none. */
  subagents: z
    .array(
      z.object({
        sessionId: SessionId,
        agent: z.string(),
        description: z.string(),
        outcome: z.enum(['done', 'stopped', 'error', 'limit', 'lost']).nullable(),
        cost: z.number().nullable(),
      }),
    )
    .optional(),
  /** It ran at the model's provider. */
  server: z.boolean().optional(),
  opaque: Opaque.nullable().optional(),
})
export type ToolItem = z.infer<typeof ToolItem>

export const CompactionItem = z.object({
  kind: z.literal('compaction'),
  ...node,
  ...compaction,
})
export type CompactionItem = z.infer<typeof CompactionItem>

export const Item = z.discriminatedUnion('kind', [MessageItem, ReasoningItem, ToolItem, CompactionItem])
export type Item = z.infer<typeof Item>

export const Turn = z.object({
  turnId: TurnId,
  mode: Mode,
  producer: Producer,
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  outcome: z.enum(['done', 'stopped', 'error', 'limit', 'lost']).nullable(),
  usage: Usage.nullable(),
  cost: z.number().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** What the model was told beside the person's words; absent where there was nothing to tell. */
  note: z.string().optional(),
  /** How the files stood when it began; absent where that was not kept. */
  checkpointId: z.string().optional(),
  /** Where git stood then. */
  refs: z.array(RefsOf).optional(),
  /** It has no words of its own: it answers that item anew, or goes on from there. */
  after: ItemId.optional(),
  requestId: RequestId.optional(),
  /** Retries, fallbacks and the like, in order. */
  notices: z.array(z.object({ at: z.number(), code: z.string(), text: z.string() })),
})
export type Turn = z.infer<typeof Turn>

/** Something that waits for a person, or waited. `answer` is null while it is open. */
export const Ask = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('permission'),
    askId: AskId,
    turnId: TurnId,
    calls: z.array(AskedCall),
    answer: z.object({ answers: z.array(PermissionAnswer), by: z.string(), rule: z.string().nullable() }).nullable(),
  }),
  z.object({
    kind: z.literal('question'),
    askId: AskId,
    turnId: TurnId,
    callId: CallId,
    questions: z.array(Question),
    answer: z.object({ answers: z.array(QuestionAnswer).nullable(), by: z.string() }).nullable(),
  }),
  z.object({
    kind: z.literal('plan'),
    askId: AskId,
    turnId: TurnId,
    callId: CallId,
    markdown: z.string(),
    answer: z
      .object({
        decision: z.enum(['approved', 'rejected', 'withdrawn']),
        mode: Mode.nullable(),
        words: z.string().nullable(),
        by: z.string(),
      })
      .nullable(),
  }),
])
export type Ask = z.infer<typeof Ask>

/** One act of a person's review, and whether it was taken back. Kept by the core alone; no window needs it. */
export const Review = z.object({
  reviewId: ReviewId,
  seq: z.number().int(),
  accepted: z.array(AcceptedFile),
  reverted: z.array(ReviewWrite),
  undone: z.object({ seq: z.number().int(), files: z.array(ReviewWrite) }).nullable(),
})
export type Review = z.infer<typeof Review>

/** Files that were brought back in one go. Kept by the core alone; no window needs it. */
export const Restore = z.object({
  restoreId: RestoreId,
  seq: z.number().int(),
  at: z.number(),
  /** How many turns had begun by then. */
  turns: z.number().int(),
  /** How they stood before it. */
  checkpoint: z.string(),
  files: z.array(RestoredFile),
  /** Null: it was not brought to its end. `failed`: all but `left` is as it was before. */
  outcome: z.enum(['done', 'failed']).nullable(),
  left: z.array(WirePath),
})
export type Restore = z.infer<typeof Restore>

/** One move of the head, of the files, or of both. */
export const Move = z.object({
  requestId: RequestId,
  reason: z.enum(['rewind', 'undo', 'rerun', 'edit', 'switch']),
  from: ItemId.nullable(),
  to: ItemId.nullable(),
  restoreId: RestoreId.nullable(),
  at: z.number(),
  undone: z.boolean(),
})
export type Move = z.infer<typeof Move>

/** Everything but items: small, and whole in every snapshot. */
export const SessionFacts = z.object({
  sessionId: SessionId,
  title: z.string().nullable(),
  roots: z.array(z.string()),
  mode: Mode,
  producer: Producer.nullable(),
  /** Whose sub-agent's work this is. */
  parent: z.object({ sessionId: SessionId, callId: CallId, agent: z.string() }).nullable(),
  /** The rules of this session alone. */
  rules: z.array(WrittenRule),
  /** `home`: where its parent works, if it works somewhere else. */
  forkedFrom: z.object({ sessionId: SessionId, atItemId: ItemId.nullable(), home: z.string().optional() }).nullable(),
  /** The file that it came from, and what it was called there. */
  imported: z.object({ sessionId: SessionId, fileName: z.string() }).nullable(),
  seq: z.number().int(),
  head: ItemId.nullable(),
  running: TurnId.nullable(),
  todo: z.array(TodoItem),
  queue: z.array(QueuedPrompt),
  /** Why what waits is not sent by itself; null where it is, and where nothing waits. */
  queuePaused: QueuePause.nullable(),
  steers: z.array(z.object({ requestId: RequestId, text: z.string() })),
  /** The last of them, oldest first. */
  moves: z.array(Move),
  usage: Usage,
  cost: z.number().nullable(),
  /** How full the model's context is, in tokens: as the last call said, or what a compaction left; null where nobody said yet. */
  contextTokens: z.number().nullable(),
  /** Records of a newer version that were kept but not understood. */
  unknown: z.number().int(),
})
export type SessionFacts = z.infer<typeof SessionFacts>

/**
 * Changed in place for speed, but every changed item, turn, ask and fact is a new object, so that a reader may compare
 * by identity. `path` is root..head; `complete` is false for a window that does not reach the root.
 */
export interface SessionState {
  facts: SessionFacts
  readonly items: Map<ItemId, Item>
  readonly calls: Map<CallId, ItemId>
  readonly turns: Map<TurnId, Turn>
  readonly asks: Map<AskId, Ask>
  readonly reviews: Map<ReviewId, Review>
  readonly restores: Map<RestoreId, Restore>
  path: ItemId[]
  complete: boolean
  /** Text in flight by `liveKey`; forgotten when the item's durable end arrives. */
  readonly live: Map<string, string>
}

/** The head state and the last items of the path. `more`: older items exist and can be paged with `session/older`. */
export const SessionSnapshot = z.object({
  epoch: z.string(),
  facts: SessionFacts,
  /** In path order. */
  items: z.array(Item),
  turns: z.array(Turn),
  asks: z.array(Ask),
  more: z.boolean(),
  /** What is streaming now, whole: every offset is 0. */
  live: z.array(LiveDelta),
  /**
   * The log was not whole: so many of its records were damaged and are passed over, and whether an end that was torn off (a last
   * step that nobody was told of as done) was set aside. Absent where it was whole.
   */
  repaired: z.object({ lost: z.number().int(), torn: z.boolean() }).optional(),
})
export type SessionSnapshot = z.infer<typeof SessionSnapshot>
