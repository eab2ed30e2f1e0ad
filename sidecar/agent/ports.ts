/** What the agent needs from the rest of the house, in its own words. Other rooms meet these; `core.ts` ties them. */

import type { z } from 'zod'
import type { ChatEvent } from '#contract/chat-event'
import type { BlobId, CallId, RootId, SessionId, TurnId, WorkspaceId } from '#contract/id'
import type { WirePath } from '#contract/path'
import type {
  AskedCall,
  Attachment,
  Effort,
  FileWrite,
  LiveDelta,
  LspVerdict,
  Mode,
  Opaque,
  PermissionAnswer,
  Question,
  QuestionAnswer,
  SessionEvent,
  SessionEventDraft,
  TodoItem,
  Usage,
} from '#contract/session-event'
import type { SessionState } from '#contract/session-fold'

// --- the model -------------------------------------------------------------------------------------------------

/** One message of the model's history, built from the path root..head and nothing else. */
export type ModelMessage =
  /** `text`: the person's words, then what was attached, then Belay's notes. `personsWords` gives the first alone. */
  | { role: 'user'; text: string; images: InputFile[]; files?: InputFile[] }
  | { role: 'assistant'; parts: AssistantPart[] }
  | { role: 'tool'; callId: string; tool: string; text: string; failed: boolean }

/** An image, or another file that a model may take in as it is. */
export interface InputFile {
  readonly mediaType: string
  readonly base64: string
  readonly name?: string
}

/** `opaque` goes back unchanged to the provider that gave it, and to no other. */
export type AssistantPart =
  | { kind: 'text'; text: string; opaque?: Opaque | null }
  | { kind: 'reasoning'; text: string; redacted: boolean; opaque: Opaque | null }
  | { kind: 'call'; callId: string; tool: string; arguments: string }
  /** A tool that ran at the provider; `text` is for models of another provider. */
  | { kind: 'server'; tool: string; text: string; opaque: Opaque | null }

/** How whatever is not a person's own words begins in a user message: always behind them. */
export const ATTACHED_MARK = '[Attached: '
export const NOTE_MARK = '[Belay: '

/** What the person said, without attachments and notes: for a model that reads words by rule. */
export function personsWords(text: string): string {
  const marks = [ATTACHED_MARK, NOTE_MARK].flatMap(mark => {
    const at = text.startsWith(mark) ? 0 : text.indexOf(`\n\n${mark}`)
    return at < 0 ? [] : at
  })
  return text.slice(0, Math.min(text.length, ...marks)).trim()
}

export interface ToolDescription {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments object. */
  readonly parameters: Record<string, unknown>
}

export interface ModelRequest {
  /** `<provider>/<model id>` */
  readonly model: string
  readonly effort: Effort
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ToolDescription[]
  readonly maxOutputTokens: number | null
  /** Tools that run at the provider, where it has them. None without it: what they fetch leaves this machine's rules. */
  readonly serverTools?: readonly 'web_search'[]
  /** The answer must be JSON of this schema. A provider that cannot be held to it is asked in words by the caller. */
  readonly answer?: { readonly name: string; readonly schema: Record<string, unknown> }
}

/**
 * One model call. Never throws and never rejects: every failure is an ERROR event, and exactly one terminal event comes
 * last, unless `signal` aborts, after which the stream just ends. Aborting closes the socket even before an answer.
 */
export interface Model {
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ChatEvent>
  /** US dollars for what was used; null where no price is known. */
  cost(model: string, usage: Usage): number | null
  /** Tokens the model can take in; null where unknown. */
  contextTokens(model: string): number | null
}

// --- tools -----------------------------------------------------------------------------------------------------

/** What a call would do, as the permission rules see it. Produced by the tool, judged by `Authorize`. */
export type Action =
  | { kind: 'none' }
  | { kind: 'read'; path: string }
  | { kind: 'write'; path: string; creates: boolean; exact: string }
  | { kind: 'command'; command: string; cwd: string; background: boolean; exact: string }
  | { kind: 'ask' }

export interface ToolContext {
  readonly workspaceId: WorkspaceId
  readonly sessionId: SessionId
  readonly turnId: TurnId
  readonly callId: CallId
  /** Aborts on Stop; the tool ends everything it started before it settles. */
  readonly signal: AbortSignal
  /** Live output, shown while it comes; capped and batched by the loop. */
  output(text: string): void
  /** Keeps bytes by hash beside the log. */
  blob(bytes: Uint8Array): Promise<BlobId>
  readBlob(id: BlobId): Promise<Uint8Array | null>
  /** Durable facts a tool may state about the session. */
  todo(items: TodoItem[]): Promise<void>
  /** Wait for a person; null when nobody answered (declined, stopped, nobody attached). */
  askQuestions(questions: Question[]): Promise<QuestionAnswer[] | null>
  proposePlan(markdown: string): Promise<{ approved: boolean; mode: Mode | null; words: string | null }>
}

export interface ToolOutcome {
  readonly failed: boolean
  /** What the model reads. Above 16 KB the loop keeps it as a blob and shows head and tail. */
  readonly text: string
  readonly files: FileWrite[]
  readonly lsp: LspVerdict[]
  /** Facts for the card: { exitCode }, { matches }, { lines } ... */
  readonly detail: Record<string, unknown>
}

/** `A` is what `parameters` parses to. `run` may reject: the loop turns that into a failed outcome. */
export interface Tool<A = unknown> {
  readonly name: string
  readonly description: string
  readonly parameters: z.ZodType<A>
  /** Whether two calls may run at once: true only for tools without effects. */
  readonly parallel: boolean
  /** What the call would do. May read the disk (does the file exist?), changes nothing. Rejects when it cannot be done at all. */
  describe(args: A, context: ToolContext): Promise<Action>
  run(args: A, context: ToolContext): Promise<ToolOutcome>
}

// --- permission ------------------------------------------------------------------------------------------------

export interface ActionRequest {
  readonly callId: CallId
  readonly tool: string
  readonly action: Action
}

export type Decision =
  | { verdict: 'allow'; rule: string | null; reason: string }
  | { verdict: 'deny'; rule: string | null; reason: string }
  /** `firm`: a protected place, which only a person may allow; no flag of a command line answers it. */
  | { verdict: 'ask'; call: AskedCall; firm: boolean }

/** Pure but for reading the rules: the order of decision is permissions.md's. The loop asks the person, not this. */
export type Authorize = (
  requests: readonly ActionRequest[],
  scope: { sessionId: SessionId; workspaceId: WorkspaceId; mode: Mode },
) => Promise<Decision[]>

/** Told of every answer, so that "for this session" and "always here" become rules. Answers the line that was written. */
export type Remember = (
  answer: PermissionAnswer,
  call: AskedCall,
  scope: { sessionId: SessionId; workspaceId: WorkspaceId },
) => Promise<string | null>

// --- the session -----------------------------------------------------------------------------------------------

/** The one door to a session's truth. `append` resolves when the events are on disk (fsynced where the type demands it). */
export interface SessionPort {
  readonly sessionId: SessionId
  readonly workspaceId: WorkspaceId
  /** The folded state; read only. */
  readonly state: SessionState
  append(...drafts: SessionEventDraft[]): Promise<SessionEvent[]>
  /** Live only: no disk, no seq. */
  live(delta: LiveDelta): void
  blob(bytes: Uint8Array): Promise<BlobId>
  readBlob(id: BlobId): Promise<Uint8Array | null>
  /** Whether any client is attached that could answer an ask. */
  attended(): boolean
}

/** Where a turn stands in the world: told to the model in the system prompt. */
export interface Surroundings {
  roots: { rootId: RootId; absolute: string; name: string }[]
  platform: string
  shell: string
  date: string
  /** AGENTS.md and its kind, from trusted folders only, capped. */
  instructions: { path: string; text: string }[]
  /** Paths with unsaved text at the start of the turn. */
  dirty: WirePath[]
}

export interface Checkpoint {
  /** Called beside the first model call, awaited before the first effect; null when nothing can or need be kept. */
  take(turnId: TurnId, when: 'start' | 'end'): Promise<string | null>
}

export interface AttachmentStore {
  /** Bytes of an attachment; null when they are gone. */
  read(attachment: Attachment): Promise<Uint8Array | null>
}
