/**
 * What can happen in a session, version 1. Durable events are past tense, one log record and one `seq` each;
 * live deltas are placed by offset and forgotten when the durable end of their item arrives.
 */
import { z } from 'zod'
import { AskId, CallId, ItemId, RequestId, RestoreId, ReviewId, SessionId, TurnId } from './id.ts'
import { WirePath } from './path.ts'
import {
  AcceptedFile,
  AskedCall,
  Attachment,
  compaction,
  FileWrite,
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
} from './session-parts.ts'

export * from './session-parts.ts'

/** The `v` of every record this version writes. */
export const EVENT_VERSION = 1

const at = { seq: z.number().int().positive(), at: z.number().int() }
/** `step`: which model call of the turn made it, from 0; what one call made is one message of the model's history. */
const item = {
  id: ItemId,
  parentId: ItemId.nullable(),
  turnId: TurnId,
  step: z.number().int().nonnegative().optional(),
}
const e = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.object({ type: z.literal(type), ...at, ...shape })

export const SessionEvent = z.discriminatedUnion('type', [
  /** `parent`: it is the work of a sub-agent, done for that call of that session. */
  e('session.created', {
    sessionId: SessionId,
    /** The first is the home of its workspace (`WorkspaceInfo.home`): that names it for ever, wherever its folder goes. */
    roots: z.array(z.string()),
    title: z.string().nullable(),
    parent: z.object({ sessionId: SessionId, callId: CallId, agent: z.string() }).optional(),
    /** It came from that file, where it had another name. */
    imported: z.object({ sessionId: SessionId, fileName: z.string() }).optional(),
  }),
  /** By `agent`: a model was asked; what that took is here and in no turn. */
  e('session.titled', {
    title: z.string(),
    by: z.enum(['person', 'agent', 'first_prompt']),
    asked: z.object({ model: z.string(), usage: Usage, cost: z.number().nullable() }).optional(),
  }),
  /**
   * It goes on from what another session said up to that item: what that was is kept beside its log, and the numbers of its own
   * events come after. `parentHome`: where the parent works, if it works somewhere else.
   */
  e('session.forked', { parentSessionId: SessionId, atItemId: ItemId.nullable(), parentHome: z.string().optional() }),
  e('mode.changed', { mode: Mode, by: z.enum(['person', 'plan', 'flag']) }),
  e('engine.switched', { producer: Producer }),

  /** `after`: it has no words of its own; it answers that item anew, or goes on from there. */
  e('turn.started', {
    turnId: TurnId,
    mode: Mode,
    producer: Producer,
    after: ItemId.optional(),
    requestId: RequestId.optional(),
  }),
  /** What is true of this turn alone (the date, unsaved files), told to the model beside the person's words. */
  e('turn.noted', { turnId: TurnId, text: z.string() }),
  e('turn.ended', {
    turnId: TurnId,
    outcome: z.enum(['done', 'stopped', 'error', 'limit', 'lost']),
    usage: Usage,
    /** The input side of the last model call: how full the context is. Absent where nobody said. */
    contextTokens: z.number().int().nonnegative().nullable().optional(),
    /** US dollars; null where no price is known. */
    cost: z.number().nullable(),
    /** The model that spoke last, where it was not the turn's own: a fallback. `<provider>/<model id>` */
    answeredBy: z.string().optional(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  }),

  e('message.added', {
    ...item,
    role: z.enum(['user', 'assistant']),
    origin: z.enum(['user', 'steer', 'queue', 'compaction', 'model']),
    /** A person's words, whole; '' for an answer that is still to stream. */
    text: z.string(),
    attachments: z.array(Attachment),
    requestId: RequestId.nullable(),
    /** What the model is told beside these words alone. */
    note: z.string().optional(),
  }),
  /** Text that streamed since the last one, kept at most once a second so that a crash loses little. */
  e('message.partial', { id: ItemId, offset: z.number().int().nonnegative(), text: z.string() }),
  /** Comes again where something is learnt of it later: the last one counts. What is absent there is none. */
  e('message.ended', {
    id: ItemId,
    text: z.string(),
    opaque: Opaque.nullable(),
    sources: z.array(Source).optional(),
    /** Images and the like that the model made, in order, after the text. */
    media: z.array(Attachment).optional(),
    /** The model declined: the text is its reason. */
    refusal: z.boolean().optional(),
  }),
  e('reasoning.added', item),
  e('reasoning.ended', {
    id: ItemId,
    text: z.string(),
    durationMs: z.number().nonnegative(),
    redacted: z.boolean(),
    opaque: Opaque.nullable(),
  }),

  /** `arguments` is the model's own text, complete but perhaps not JSON. */
  e('tool.requested', {
    ...item,
    callId: CallId,
    parentCallId: CallId.nullable(),
    tool: z.string(),
    arguments: z.string(),
    /** The tool that the model called it through; `arguments` are then those of the call itself. */
    via: z.string().optional(),
    /** It runs at the model's provider: never started by Belay, and nothing of this machine is in it. */
    server: z.boolean().optional(),
  }),
  /** Write-ahead: on disk before anything with an effect starts. */
  e('tool.started', { callId: CallId, arguments: z.unknown() }),
  e('tool.ended', {
    callId: CallId,
    outcome: z.enum(['done', 'failed', 'denied', 'stopped', 'lost']),
    preview: Preview,
    files: z.array(FileWrite),
    lsp: z.array(LspVerdict),
    durationMs: z.number().nonnegative(),
    /** Tool-specific facts for its card ({ exitCode }, { matches }, { backgroundId } ...), never needed to understand the log. */
    detail: z.record(z.string(), z.unknown()),
    /** Of a tool that ran at the provider: goes back to it unchanged. */
    opaque: Opaque.nullable().optional(),
  }),
  /** What its command wrote after the call itself had ended: one in the background. Of what the call has already: the later one counts. */
  e('tool.wrote', { callId: CallId, files: z.array(FileWrite) }),
  /** A call's sub-agent has a session of its own, which is its log. One call may start several. */
  e('subagent.started', { callId: CallId, sessionId: SessionId, agent: z.string(), description: z.string() }),
  /** What it took. The sums over sessions count it with its own session. */
  e('subagent.ended', {
    callId: CallId,
    sessionId: SessionId,
    outcome: z.enum(['done', 'stopped', 'error', 'limit', 'lost']),
    usage: Usage,
    cost: z.number().nullable(),
  }),
  e('diagnostics.updated', { callId: CallId, lsp: z.array(LspVerdict) }),

  e('permission.asked', { batchId: AskId, turnId: TurnId, calls: z.array(AskedCall).min(1) }),
  /** Closes the batch everywhere. `by` names the client or rule; `rule` is the line that was written, if one was. */
  e('permission.answered', {
    batchId: AskId,
    answers: z.array(PermissionAnswer),
    by: z.string(),
    rule: z.string().nullable(),
  }),
  /** The rules of this session alone, whole: the last one counts. */
  e('rules.changed', { rules: z.array(WrittenRule), by: z.string() }),
  e('question.asked', { askId: AskId, turnId: TurnId, callId: CallId, questions: z.array(Question).min(1) }),
  e('question.answered', { askId: AskId, answers: z.array(QuestionAnswer).nullable(), by: z.string() }),
  e('plan.proposed', { askId: AskId, turnId: TurnId, callId: CallId, markdown: z.string() }),
  e('plan.decided', {
    askId: AskId,
    decision: z.enum(['approved', 'rejected', 'withdrawn']),
    mode: Mode.nullable(),
    words: z.string().nullable(),
    by: z.string(),
  }),

  e('todo.changed', { items: z.array(TodoItem) }),
  /** `refs`, at the start: where git stood, of each root that is in a repository. */
  e('checkpoint.taken', {
    checkpointId: z.string(),
    turnId: TurnId,
    when: z.enum(['start', 'end']),
    refs: z.array(RefsOf).optional(),
  }),
  e('head.moved', {
    from: ItemId.nullable(),
    to: ItemId.nullable(),
    reason: z.enum(['rewind', 'undo', 'rerun', 'edit', 'switch']),
    /** How the files stood before it; null where none were touched. */
    checkpoint: z.string().nullable(),
    /** The files of that restore are brought back with it: both or neither. The head may stay where it is. */
    restoreId: RestoreId.optional(),
    requestId: RequestId.optional(),
    /** The move that it takes back. */
    undoes: RequestId.optional(),
  }),
  /** Write-ahead: what is about to be brought back, on disk before the first file is touched. `head.moved` makes it hold. */
  e('restore.begun', { restoreId: RestoreId, checkpoint: z.string(), files: z.array(RestoredFile), by: z.string() }),
  /** It does not hold: all was put back as it was, but for `left`, which somebody else has changed since. */
  e('restore.failed', { restoreId: RestoreId, left: z.array(WirePath), by: z.string() }),
  /** All that waits, in order; `paused` absent or null: the first is sent when nothing runs. */
  e('queue.changed', { items: z.array(QueuedPrompt), paused: QueuePause.nullable().optional() }),
  e('steer.offered', { requestId: RequestId, text: z.string() }),
  e('steer.delivered', { requestId: RequestId, itemId: ItemId }),
  /** No step took it in: it is in the queue. */
  e('steer.demoted', { requestId: RequestId }),
  /** Taken back by the person before a step took it in. */
  e('steer.withdrawn', { requestId: RequestId }),
  /**
   * From here on the model is told less: of what stands before it on the path, and by this event alone. `toItemId` is the end of
   * what is folded, or for `cleared` the last call whose result is told no more.
   */
  e('context.compacted', { ...item, ...compaction }),
  /** One act of a person's review: what was found good is not shown again. */
  e('review.accepted', { reviewId: ReviewId, files: z.array(AcceptedFile).min(1), by: z.string() }),
  /** One act too: what was taken back, as it was written. */
  e('review.reverted', { reviewId: ReviewId, files: z.array(ReviewWrite).min(1), by: z.string() }),
  /** Takes that act back; `files`: what was written for it. */
  e('review.undone', { reviewId: ReviewId, files: z.array(ReviewWrite), by: z.string() }),
  /** Something a person should see happen: a retry, a fallback, a model that is slow to answer. */
  e('status.changed', { turnId: TurnId.nullable(), code: z.string(), text: z.string() }),
])
export type SessionEvent = z.infer<typeof SessionEvent>
export type SessionEventType = SessionEvent['type']
export type SessionEventOf<T extends SessionEventType> = Extract<SessionEvent, { type: T }>

type Unnumbered<E> = E extends SessionEvent ? Omit<E, 'seq' | 'at'> : never
/** What `session.append` takes; the log gives it `seq` and `at` (ms since 1970). */
export type SessionEventDraft = Unnumbered<SessionEvent>

/**
 * A piece of something that is still happening. Append when `offset` equals the length one has, drop when lower
 * (known already), open the session again when higher (something was lost). Offsets count UTF-16 units per (itemId, kind).
 */
export const LiveDelta = z.object({
  itemId: ItemId,
  kind: z.enum(['text', 'reasoning', 'arguments', 'output']),
  offset: z.number().int().nonnegative(),
  text: z.string(),
})
export type LiveDelta = z.infer<typeof LiveDelta>
