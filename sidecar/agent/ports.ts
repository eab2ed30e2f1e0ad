/** What the agent needs from the rest of the house, in its own words. Other rooms meet these; `core.ts` ties them. */

import type { z } from 'zod'
import type { ChatEvent } from '#contract/chat-event'
import type { BlobId, CallId, RootId, SessionId, TurnId, WorkspaceId } from '#contract/id'
import type { WirePath } from '#contract/path'
import type {
  AskedCall,
  Effort,
  FileWrite,
  LiveDelta,
  LspVerdict,
  Mode,
  Opaque,
  PermissionAnswer,
  Question,
  QuestionAnswer,
  RefsOf,
  SessionEvent,
  SessionEventDraft,
  TodoItem,
  Usage,
  WrittenRule,
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
  | CommandAction
  /** A page of the web, asked for by the core itself. */
  | { kind: 'fetch'; url: string; exact: string }
  /** A command that runs already wants to reach a host. */
  | { kind: 'network'; host: string; port: number }
  /** A note for later conversations, kept at `where`: a person is asked whatever the mode. */
  | { kind: 'remember'; where: string; exact: string }
  | { kind: 'ask' }

export interface CommandAction {
  readonly kind: 'command'
  readonly command: string
  readonly cwd: string
  readonly background: boolean
  readonly exact: string
  /** It asks to run outside the jail: a question of its own. */
  readonly unjailed?: boolean
  /** It asks to see `.env` and its kind, which the jail masks otherwise. */
  readonly withSecrets?: boolean
}

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
  /**
   * Whether what this call runs may connect there: by the rules, else by asking. No answer within two minutes, a turn that
   * is over, and nobody to ask are a no. Calls for one place at once are one ask. Never rejects.
   */
  reach(host: string, port: number): Promise<boolean>
  /** What a rule says of a second thing this call would do, under its own tool name; null where none speaks: a mode is no rule. */
  ruled(tool: string, action: Action): Promise<'allow' | 'ask' | 'deny' | null>
  /** The same, and where a rule says to ask, the person is. Allowed where no rule speaks. Never rejects. */
  approve(tool: string, action: Action): Promise<{ allowed: boolean; why: string }>
  /** Of these ids of advice, what the model has not before it yet: this call is to tell it in its outcome. */
  untold(ids: readonly string[]): string[]
  /** What holds now: a person may change it while a call runs. */
  mode(): Mode
  /** What this call's command has written since the call ended. */
  wrote(files: FileWrite[]): Promise<void>
  /** Called once when the turn is over, and awaited; at once where it is over already. */
  atTurnEnd(work: () => Promise<void>): void
  /** Who works: null for the session's own agent. */
  readonly persona: Persona | null
}

/** An agent other than the session's own: what it is told to be, and rules that only add to what holds already. */
export interface Persona {
  readonly name: string
  readonly body: string
  readonly rules: readonly WrittenRule[]
  /** 1 for one that the session's own agent started. */
  readonly depth: number
}

/** What a file of the folder says to agents that come near it. `text` is as the model reads it, with its origin. */
export interface Advice {
  readonly id: string
  /** As a person and a model name the file. */
  readonly path: string
  readonly text: string
}

export interface ToolOutcome {
  readonly failed: boolean
  /** What the model reads. Above 16 KB the loop keeps it as a blob and shows head and tail. */
  readonly text: string
  readonly files: FileWrite[]
  readonly lsp: LspVerdict[]
  /** Facts for the card: { exitCode }, { matches }, { lines } ... */
  readonly detail: Record<string, unknown>
  /** Told behind the text, whole. Only of what `untold` left. */
  readonly advice?: readonly Advice[]
  /** What checks found in what was done: told behind the text, whole. */
  readonly verdict?: string
  /**
   * What checks find later, if they do: told as `diagnostics.updated`, and to the model at its next step. Never rejects; null
   * where nothing more was learnt.
   */
  readonly later?: Promise<LaterVerdict | null>
}

export interface LaterVerdict {
  /** Whole: it takes the place of the outcome's. */
  readonly lsp: LspVerdict[]
  /** For the model; null where it has nothing to do about it. */
  readonly text: string | null
}

/** `A` is what `parameters` parses to. `run` may reject: the loop turns that into a failed outcome. */
export interface Tool<A = unknown> {
  readonly name: string
  readonly description: string
  readonly parameters: z.ZodType<A>
  /** Whether two calls may run at once: true only for tools without effects. */
  readonly parallel: boolean
  /** Few turns need it: found with `tool_search` instead of being sent with every request. */
  readonly rare?: boolean
  /** What the call would do. May read the disk (does the file exist?), changes nothing. Rejects when it cannot be done at all. */
  describe(args: A, context: ToolContext): Promise<Action>
  run(args: A, context: ToolContext): Promise<ToolOutcome>
}

// --- permission ------------------------------------------------------------------------------------------------

export interface ActionRequest {
  readonly callId: CallId
  readonly tool: string
  readonly action: Action
  /** As the tool takes them: what an ask may offer to edit. */
  readonly arguments?: unknown
}

/** What the rules made of a command. */
export interface CommandParts {
  /** What must be allowed one by one; null where it is not understood. */
  readonly parts: readonly string[] | null
  /** Every spelling of a part that somebody may have forbidden. */
  readonly forms: readonly string[]
}

/** What spoke: a rule that somebody wrote, a flag of a command line, what Belay holds by itself, or the mode alone. */
type DecidedBy = { readonly by: 'rule' | 'flag' | 'built-in' | 'mode' }

export type Decision = (
  | { verdict: 'allow'; rule: string | null; reason: string }
  | { verdict: 'deny'; rule: string | null; reason: string }
  /** `firm`: a protected place, which only a person may allow; no flag of a command line answers it. */
  | { verdict: 'ask'; call: AskedCall; firm: boolean }
) &
  DecidedBy & { readonly command?: CommandParts }

/** In whose name something is decided. A sub-agent's calls are judged and asked about in the session it works for. */
export interface Authority {
  readonly sessionId: SessionId
  readonly workspaceId: WorkspaceId
  readonly mode: Mode
  /** The rules of the session alone. */
  readonly rules: readonly WrittenRule[]
  readonly persona: Persona | null
}

/** Pure but for reading the rules: the order of decision is permissions.md's. The loop asks the person, not this. */
export type Authorize = (requests: readonly ActionRequest[], authority: Authority) => Promise<Decision[]>

/**
 * Told of every answer, so that what is to be remembered becomes a rule. `line`: as it is shown; `rule`: one of the session,
 * which the loop puts into its log. Null where nothing is remembered. Throws when it cannot be written.
 */
export type Remember = (
  answer: PermissionAnswer,
  call: AskedCall,
  scope: { sessionId: SessionId; workspaceId: WorkspaceId },
) => Promise<Remembered | null>

export interface Remembered {
  readonly line: string
  readonly rule: WrittenRule | null
}

/** What came of one call, for the record: told once by the rules or flags, and once more by the person who was asked. */
export interface Settled {
  readonly request: ActionRequest
  readonly authority: Authority
  readonly kind: 'decision' | 'answer'
  readonly verdict: 'allow' | 'ask' | 'deny' | 'skip'
  readonly by: 'rule' | 'mode' | 'flag' | 'person'
  readonly rule: string | null
  readonly reason: string
}

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
  roots: { rootId: RootId; absolute: string; name: string; readOnly: boolean }[]
  platform: string
  shell: string
  date: string
  /** AGENTS.md and its kind, from trusted folders only, capped. */
  instructions: { path: string; text: string }[]
  /** The person's own AGENTS.md, capped; '' for none. */
  own?: string
  /** Notes that the person had remembered. */
  memories?: readonly { readonly scope: 'user' | 'workspace'; readonly text: string }[]
  /** Paths with unsaved text at the start of the turn. */
  dirty: WirePath[]
  /** Whom work can be handed to besides the built-in agents, which the tool itself names. */
  agents?: { name: string; description: string }[]
}

// --- agents that work for an agent -----------------------------------------------------------------------------

/** A piece of work for another agent. */
export interface SubagentWork {
  readonly agent: string
  /** A few words for the person who follows. */
  readonly description: string
  readonly prompt: string
}

export interface SubagentResult {
  readonly agent: string
  readonly sessionId: SessionId
  readonly outcome: 'done' | 'stopped' | 'error' | 'limit' | 'lost'
  /** What it said last, also where it did not get to its end. */
  readonly text: string
  /** Why it ended otherwise than by itself. */
  readonly error: { readonly code: string; readonly message: string } | null
  /** What it changed, once for each path; the contents are kept in the caller's session. */
  readonly files: FileWrite[]
}

/** Other agents, as tools call them. Both throw, with words for the model, where nothing was begun. */
export interface Subagents {
  /** To its end, in a session of its own. `context.signal` stops it. */
  run(work: SubagentWork, context: ToolContext): Promise<SubagentResult>
  /** An agent for this session alone, no stronger than who makes it. Answers the tools that it has. */
  generate(
    made: { name: string; description: string; prompt: string; tools: readonly string[] },
    context: ToolContext,
  ): Promise<{ tools: string[] }>
}

/** What the session room needs to let an agent work for a call. */
export interface ChildWork extends SubagentWork {
  /** New. */
  readonly sessionId: SessionId
  readonly parent: Pick<ToolContext, 'sessionId' | 'turnId' | 'callId' | 'signal'>
  readonly persona: Persona
  readonly tools: readonly Tool[]
  /** `<provider>/<model id>`; null: the parent's. */
  readonly model: string | null
  /** Whether tools of the model's provider are among what it may use. */
  readonly serverTools: boolean
}
/** Throws `denied` for a model that the person has not agreed to, and where nothing could be written. */
export type RunChild = (work: ChildWork) => Promise<SubagentResult>

export interface Checkpoint {
  /** Called beside the first model call, awaited before the first effect; null when nothing can or need be kept. */
  take(
    session: Pick<SessionPort, 'sessionId' | 'workspaceId'>,
    turnId: TurnId,
    when: 'start' | 'end',
  ): Promise<string | null>
  /** Where git stands, of each root that is in a repository. */
  refs?(session: Pick<SessionPort, 'workspaceId'>): Promise<RefsOf[]>
  /** What a person should know of the folder before and after the turn; each is told once in a conversation. */
  notices(session: Pick<SessionPort, 'sessionId' | 'workspaceId'>): Promise<{ code: string; text: string }[]>
}
