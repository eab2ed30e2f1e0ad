/** The body of `POST /run`, strictly: an unknown field is an error, and each option is one of `belay run`. */
import { z } from 'zod'

const MOST_PROMPT_CHARS = 1_000_000
const text = z.string().min(1).max(4000)
const names = z.array(text).max(1000)

export const RunOptions = z.strictObject({
  output_format: z
    .enum(['text', 'json', 'stream-json'])
    .default('json')
    .describe('stream-json answers as server-sent events'),
  model: text.optional().describe('provider/model; naming it is consent to send to it'),
  fallback_model: text.optional(),
  max_turns: z.int().positive().max(999_999).optional().describe('model calls at most'),
  max_budget_usd: z.number().positive().max(9_999_999).optional(),
  session_id: text.optional(),
  resume: text.optional(),
  continue: z.boolean().optional(),
  allowed_tools: names.optional().describe('names, or names with a pattern: bash(git log *)'),
  disallowed_tools: names.optional(),
  permission_mode: z.enum(['plan', 'default', 'acceptEdits', 'auto', 'dontAsk', 'bypassPermissions']).optional(),
  json_schema: z.record(z.string(), z.unknown()).optional(),
  bare: z.boolean().optional(),
  add_dirs: names.optional(),
})
export type RunOptions = z.infer<typeof RunOptions>

export const RunBody = z.strictObject({
  prompt: z.string().max(MOST_PROMPT_CHARS),
  options: RunOptions.prefault({}),
  workspace: text
    .optional()
    .describe('id, name or path of a workspace that Belay knows; the folder it serves without it'),
  metadata: z.record(z.string(), z.unknown()).optional().describe('comes back with the result'),
})
export type RunBody = z.infer<typeof RunBody>

export const InterruptBody = z.strictObject({ session_id: text.optional(), run_id: text.optional() })

/** What of `belay run` says the same; the prompt goes in on stdin. */
export function argumentsOf(options: RunOptions, cwd: string): string[] {
  const { allowed_tools: allowed, disallowed_tools: disallowed, json_schema: schema } = options
  const values: [flag: string, value: string | number | undefined][] = [
    ['--output-format', options.output_format],
    ['--model', options.model],
    ['--fallback-model', options.fallback_model],
    ['--max-turns', options.max_turns],
    // As a decimal: 1e-7 is no amount.
    ['--max-budget-usd', options.max_budget_usd?.toFixed(6).replace(/\.?0+$/, '')],
    ['--session-id', options.session_id],
    ['--resume', options.resume],
    ['--permission-mode', options.permission_mode],
    ['--json-schema', schema && JSON.stringify(schema)],
    ['--cwd', cwd],
    ...(allowed ?? []).map((tool): [string, string] => ['--allowedTools', tool]),
    ...(disallowed ?? []).map((tool): [string, string] => ['--disallowedTools', tool]),
    ...(options.add_dirs ?? []).map((folder): [string, string] => ['--add-dir', folder]),
  ]
  const switches = [
    options.continue && '--continue',
    options.bare && '--bare',
    options.output_format === 'stream-json' && '--verbose',
  ]
  return [
    ...values.flatMap(([flag, value]) => (value === undefined ? [] : [`${flag}=${value}`])),
    ...switches.filter(each => each !== undefined && each !== false),
  ]
}

/** Which runs may not go on at once; null: this one stands in nobody's way. */
export function lockOf({ session_id: id, resume, continue: goOn }: RunOptions, cwd: string): string | null {
  const named = id ?? resume
  if (named) return named.replace(/^ses_/, '')
  return goOn ? `continue ${cwd}` : null
}
