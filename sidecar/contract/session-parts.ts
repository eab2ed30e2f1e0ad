/** What the events of a session are made of: the shapes that stand in more than one of them, or cross the wire by themselves. */
import { z } from 'zod'
import { BlobId, CallId, FileHash, ItemId, RequestId } from './id.ts'
import { FileState } from './ledger.ts'
import { WirePath } from './path.ts'

export const Mode = z.enum(['plan', 'default', 'acceptEdits', 'auto', 'dontAsk', 'bypassPermissions'])
export type Mode = z.infer<typeof Mode>

export const Effort = z.enum(['auto', 'low', 'medium', 'high', 'max'])
export type Effort = z.infer<typeof Effort>

/** Who made a turn. `model` is `<provider>/<model id>`; `account` never holds a secret. */
export const Producer = z.object({
  engine: z.string(),
  model: z.string(),
  account: z.string().nullable(),
  effort: Effort,
})
export type Producer = z.infer<typeof Producer>

/** Tokens. `input` excludes the cached ones; a provider that reports nothing leaves zeros and `known: false`. */
export const Usage = z.object({
  input: z.number().int().nonnegative(),
  output: z.number().int().nonnegative(),
  cacheRead: z.number().int().nonnegative(),
  cacheWrite: z.number().int().nonnegative(),
  reasoning: z.number().int().nonnegative(),
  known: z.boolean(),
})
export type Usage = z.infer<typeof Usage>

export const Attachment = z.object({
  kind: z.enum(['file', 'image', 'text']),
  name: z.string(),
  mediaType: z.string(),
  bytes: z.number().int().nonnegative(),
  /** Content kept by hash beside the log; null for a reference to a file of the workspace. */
  blobId: BlobId.nullable(),
  path: WirePath.nullable(),
})
export type Attachment = z.infer<typeof Attachment>

/** What one call did to one path. Hashes are null where no file stood. */
export const FileWrite = z.object({
  path: WirePath,
  before: FileHash.nullable(),
  after: FileHash.nullable(),
  /**
   * Who changed it between our read and our write, or while the command ran, besides us: `agent` alone, or `mixed` with a
   * person's text.
   */
  by: z.enum(['agent', 'mixed']),
  added: z.number().int().nonnegative(),
  removed: z.number().int().nonnegative(),
  /** Whole contents before and after, for review and for taking back; null when too large, or one of too many. */
  beforeBlob: BlobId.nullable(),
  afterBlob: BlobId.nullable(),
  /**
   * Absent: text. `link`: the contents are where it leads. `large`: nothing of it is kept, and the hashes are of its size and
   * time, not of its bytes.
   */
  kind: z.enum(['text', 'binary', 'link', 'large']).optional(),
  /** Permission bits, where they changed or the file came or went; null where no file stood. */
  mode: z.object({ before: z.number().int().nullable(), after: z.number().int().nullable() }).optional(),
  /** Absent: a file tool. A command's writes are found by looking before it and after it. */
  via: z.enum(['tool', 'command']).optional(),
})
export type FileWrite = z.infer<typeof FileWrite>

/** Lines [from, to) of a text, from 0; `from` = `to`: a place between two lines, where some were removed. */
export const LineSpan = z.object({ from: z.number().int().nonnegative(), to: z.number().int().nonnegative() })
export type LineSpan = z.infer<typeof LineSpan>

/** A file as it was and as a review's act left it: hashes and blobs as in `FileWrite`. */
export const ReviewWrite = z.object({
  path: WirePath,
  before: FileHash.nullable(),
  after: FileHash.nullable(),
  beforeBlob: BlobId.nullable(),
  afterBlob: BlobId.nullable(),
  /** The lines of what was there before that gave way to the base; null: the file as a whole. */
  lines: z.array(LineSpan).nullable(),
  /** Permission bits, where they changed too, or the file came or went. */
  mode: z.object({ before: z.number().int().nullable(), after: z.number().int().nullable() }).optional(),
  /** A link stood there before: its content is where it leads. */
  link: z.literal(true).optional(),
})
export type ReviewWrite = z.infer<typeof ReviewWrite>

/** A file as it was before it was brought back, and after it. The content of either is the blob of its hash, where one is kept. */
export const RestoredFile = z.object({
  path: WirePath,
  before: FileState.nullable(),
  after: FileState.nullable(),
})
export type RestoredFile = z.infer<typeof RestoredFile>

/** Where the repository of a root stands. `branch` null: none is checked out; `commit` null: there is none yet. */
export const RefsOf = z.object({ root: z.string(), branch: z.string().nullable(), commit: z.string().nullable() })
export type RefsOf = z.infer<typeof RefsOf>

/** What of a file a person found good. `lines` are those of `seen`; null: all of it, whatever it is. */
export const AcceptedFile = z.object({
  path: WirePath,
  seen: FileHash.nullable(),
  /** The text that was looked at; null where no file stood or it is no text. */
  seenBlob: BlobId.nullable(),
  lines: z.array(LineSpan).nullable(),
  /** Beside lines: its permission bits as they are. */
  bits: z.literal(true).optional(),
})
export type AcceptedFile = z.infer<typeof AcceptedFile>

export const Diagnostic = z.object({
  line: z.number().int().positive(),
  column: z.number().int().positive(),
  message: z.string(),
  source: z.string(),
})
export type Diagnostic = z.infer<typeof Diagnostic>

/** A language server's verdict on what was written. `none`: no server covers the file; `pending`: not answered yet. */
export const LspVerdict = z.object({
  path: WirePath,
  state: z.enum(['clean', 'errors', 'pending', 'none']),
  errorCount: z.number().int().nonnegative(),
  truncated: z.boolean(),
  items: z.array(Diagnostic),
})
export type LspVerdict = z.infer<typeof LspVerdict>

/** A tool's output as it is kept: whole in `text` up to 16 KB, else head and tail here and all of it in the blob. */
export const Preview = z.object({
  text: z.string(),
  bytes: z.number().int().nonnegative(),
  truncated: z.boolean(),
  blobId: BlobId.nullable(),
})
export type Preview = z.infer<typeof Preview>

/** A rule as a file or a session holds it. `pattern`: a glob over a path, a host, or text with `*` over a command; null fits all. */
export const WrittenRule = z.object({
  /** A tool's name, or `*`. `edit` also means whatever else writes files; `network` is a host that a command reaches. */
  tool: z.string().min(1).max(200),
  verdict: z.enum(['allow', 'ask', 'deny']),
  pattern: z.string().min(1).max(20_000).nullable().default(null),
  priority: z.number().int().min(-1000).max(1000).default(0),
  /** An allow of what the project defines holds for this definition alone: `what` names it (`package.json: scripts.test`). */
  bound: z.object({ what: z.string().max(1000), hash: z.string().max(128) }).optional(),
})
export type WrittenRule = z.infer<typeof WrittenRule>

/** What one tool call would do, in words a person can decide on. `exact` is byte for byte what will run or be written. */
export const AskedCall = z.object({
  callId: CallId,
  tool: z.string(),
  /** `remember`: a note for later conversations. `network`: a running command wants to reach `exact` (`host:port`); `fetch`: a web page; `unjailed`: a command outside the jail. */
  kind: z.enum(['edit', 'command', 'read', 'other', 'network', 'fetch', 'unjailed', 'remember']),
  exact: z.string(),
  /** Absolute folder or file of this machine, for showing only. */
  where: z.string(),
  reason: z.string(),
  /** The rule that asks, as it is written; null when no rule spoke. */
  rule: z.string().nullable(),
  /**
   * What may be remembered beyond this once. Of an edit `session` is the mode in which edits run; else it is a rule of the
   * session. `here` is a rule for this folder, in the person's profile.
   */
  remember: z.array(z.enum(['session', 'here'])),
  /** What the remembered rule may be about: the exact thing first, then what is wider. Absent: the exact thing alone. */
  patterns: z.array(z.string()).optional(),
  /** What the project defines it by; an allow that is remembered ends when that changes. */
  boundTo: z.string().optional(),
  /** The agent that wants it, where it is not the session's own. */
  agent: z.string().optional(),
  /** As the tool takes them, where they stand in another session's log: what a person may change before allowing it. */
  arguments: z.unknown().optional(),
  /** It would see what is kept out of sight otherwise: `.env` and its kind. */
  secrets: z.boolean().optional(),
  /** Unsaved documents that the command would not see. */
  dirty: z.array(WirePath),
})
export type AskedCall = z.infer<typeof AskedCall>

export const PermissionAnswer = z.object({
  callId: CallId,
  /** `skip`: not done, and the agent goes on without it. */
  verdict: z.enum(['allow', 'deny', 'skip']),
  remember: z.enum(['once', 'session', 'here']),
  /** One of the offered `patterns`; the first without it. */
  pattern: z.string().max(20_000).optional(),
  /** With `allow`, once: run it with these instead. Judged again; a deny stays one. */
  arguments: z.unknown().optional(),
  words: z.string().max(20_000).optional(),
})
export type PermissionAnswer = z.infer<typeof PermissionAnswer>

export const Question = z.object({
  text: z.string(),
  choices: z.array(z.object({ label: z.string(), description: z.string().optional() })).max(12),
  multiple: z.boolean(),
  /** Whether free words are an answer too. */
  free: z.boolean(),
})
export type Question = z.infer<typeof Question>

/** One per question, in order: the chosen labels and, where allowed, the person's own words. */
export const QuestionAnswer = z.object({ chosen: z.array(z.string()), words: z.string().max(20_000).optional() })
export type QuestionAnswer = z.infer<typeof QuestionAnswer>

export const TodoItem = z.object({ text: z.string(), state: z.enum(['pending', 'in_progress', 'done']) })
export type TodoItem = z.infer<typeof TodoItem>

export const QueuedPrompt = z.object({
  requestId: RequestId,
  text: z.string(),
  attachments: z.array(Attachment),
})
export type QueuedPrompt = z.infer<typeof QueuedPrompt>

/**
 * Why waiting prompts are not sent by themselves until a person says so: how the turn before ended, that it was another process's,
 * or that the conversation is another one now.
 */
export const QueuePause = z.enum(['stopped', 'error', 'restart', 'moved'])
export type QueuePause = z.infer<typeof QueuePause>

/** Opaque provider data that must be sent back unchanged (thinking signatures, reasoning items). Never shown. */
export const Opaque = z.object({ provider: z.string(), data: z.unknown() })
export type Opaque = z.infer<typeof Opaque>

/** Where an answer got something from. `url` is hostile text: show it, open it only when a person asks. */
export const Source = z.object({
  url: z.string().nullable(),
  title: z.string().nullable(),
  quote: z.string().nullable(),
})
export type Source = z.infer<typeof Source>

/** What a compaction did, in numbers that are estimates. What is absent is none. */
export const compaction = {
  fromItemId: ItemId,
  toItemId: ItemId,
  /** Stands for what is folded, to person and model; '' where results were cleared and nothing is folded. */
  summary: z.string(),
  tokensBefore: z.number().int(),
  tokensAfter: z.number().int(),
  /** `rule`: put together without a model, which could not or was not to be asked. `cleared`: results alone. */
  way: z.enum(['model', 'rule', 'cleared']).optional(),
  why: z.enum(['share', 'count', 'too_long', 'person']).optional(),
  /** What the person wanted kept in view. */
  focus: z.string().optional(),
  /** Messages of a person in what is folded that are told whole all the same. */
  kept: z.array(ItemId).optional(),
  /** Results of calls up to here are told no more; the calls are. */
  clearedTo: ItemId.optional(),
  /** Of one result or attached text before here no more characters are told. */
  mostChars: z.number().int().positive().optional(),
  /** Messages that are folded, and results that are cleared, by this one. */
  folded: z.number().int().nonnegative().optional(),
  cleared: z.number().int().nonnegative().optional(),
  /** What asking took; it is in no turn. */
  asked: z.object({ model: z.string(), usage: Usage, cost: z.number().nullable() }).optional(),
  /** Why no model wrote the summary, in words for a person. */
  fault: z.string().optional(),
}
