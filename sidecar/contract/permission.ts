/** Rules and what came of them: the merged list with the origin of each line, one decision explained, and the record of all. */
import { z } from 'zod'
import { event, request } from './define.ts'
import { CallId, SessionId, WorkspaceId } from './id.ts'
import { Mode, WrittenRule } from './session-event.ts'

/** Where a rule was written. `here`: in the person's profile, for one folder; `workspace`: in the folder, which may only tighten. */
export const RuleScope = z.enum(['built-in', 'user', 'here', 'workspace', 'session', 'agent'])
export type RuleScope = z.infer<typeof RuleScope>

/** One line of the merged list. `text` is the rule as people read it, on an ask, in the log and in the list. */
export const RuleLine = WrittenRule.extend({
  scope: RuleScope,
  text: z.string(),
  /** Absolute, for showing; null for what was written in no file. `line` counts from 1. */
  file: z.string().nullable(),
  line: z.number().int().positive().nullable(),
  /** Why it has no effect now: its tool does not exist (yet), its definition changed, a folder may not loosen. */
  inert: z.string().nullable(),
})
export type RuleLine = z.infer<typeof RuleLine>

/** A line of a file of rules that cannot be used. The good lines of the file hold. */
export const RuleProblem = z.object({
  file: z.string(),
  line: z.number().int().positive().nullable(),
  text: z.string(),
  message: z.string(),
})
export type RuleProblem = z.infer<typeof RuleProblem>

/** What would be decided about one action, and why; of a command also each part of it. */
export const Explanation = z.object({
  verdict: z.enum(['allow', 'ask', 'deny']),
  reason: z.string(),
  rule: z.string().nullable(),
  /** Only a person may allow it. */
  firm: z.boolean(),
  parts: z.array(
    z.object({
      text: z.string(),
      /** `reads`: on the read-only table; `moves-refs`: a git verb that moves refs; `unknown`: not understood, so it asks. */
      kind: z.enum(['reads', 'runs', 'moves-refs', 'unknown']),
      verdict: z.enum(['allow', 'ask', 'deny']),
      reason: z.string(),
      rule: z.string().nullable(),
    }),
  ),
})
export type Explanation = z.infer<typeof Explanation>

/** One line of the record: a decision of the rules, an answer of a person, or what the jail stopped. Never holds contents of files. */
export const AuditEntry = z.object({
  at: z.number(),
  kind: z.enum(['decision', 'answer', 'violation']),
  /** Absolute, for showing. */
  folder: z.string(),
  sessionId: SessionId,
  callId: CallId.nullable(),
  /** Who wanted it: an agent's name; null for the session's own. */
  agent: z.string().nullable(),
  tool: z.string(),
  /** The command, path, address or host, cut at 2,000 characters. */
  subject: z.string(),
  verdict: z.enum(['allow', 'ask', 'deny', 'skip']),
  /** What decided: a rule, the mode, a flag of the command line, a person, the jail. */
  by: z.enum(['rule', 'mode', 'flag', 'person', 'jail']),
  rule: z.string().nullable(),
  reason: z.string(),
  mode: Mode,
})
export type AuditEntry = z.infer<typeof AuditEntry>

const nothing = z.object({})
const place = z.object({ workspaceId: WorkspaceId.optional(), sessionId: SessionId.optional() })
const written = z.object({
  scope: z.enum(['user', 'here']),
  /** Needed for `here`. */
  workspaceId: WorkspaceId.optional(),
  rule: WrittenRule,
})

export const permission = {
  /** Strongest first, as they would be asked. Without a workspace: the built-in ones and the person's own. */
  rules: request(place, z.object({ rules: z.array(RuleLine), problems: z.array(RuleProblem) })),
  /** Writes a rule where it is not there yet. Refused (`invalid`) where the file cannot be read. */
  addRule: request(written, nothing),
  removeRule: request(written, nothing),
  /** The session's own rules, whole: a person takes one back here. Adding one is done by an answer only. */
  setSessionRules: request(z.object({ sessionId: SessionId, rules: z.array(WrittenRule).max(1000) }), nothing),
  /** `subject`: a command for `bash`, an address for `webfetch`, a host for `network`, else a path. Changes nothing. */
  explain: request(
    z.object({
      workspaceId: WorkspaceId,
      sessionId: SessionId.optional(),
      mode: Mode,
      tool: z.string().max(200),
      subject: z.string().max(100_000),
    }),
    Explanation,
  ),
  /** Newest first; `before` pages on by time. */
  audit: request(
    z.object({
      workspaceId: WorkspaceId.optional(),
      sessionId: SessionId.optional(),
      verdict: z.enum(['allow', 'ask', 'deny', 'skip']).optional(),
      kind: z.enum(['decision', 'answer', 'violation']).optional(),
      tool: z.string().max(200).optional(),
      query: z.string().max(500).optional(),
      before: z.number().optional(),
      limit: z.number().int().positive().max(1000).default(200),
    }),
    z.object({ entries: z.array(AuditEntry), more: z.boolean() }),
  ),
  recorded: event(AuditEntry),
  /** A file of rules changed: ask for the list again. */
  changed: event(nothing),
} as const
