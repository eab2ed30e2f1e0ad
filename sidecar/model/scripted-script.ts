/** What a script for the test model may say, and how it is found: in an option, or in the words of the prompt itself. */
import { z } from 'zod'
import { type ChatEventType, chatEventTypes } from '#contract/chat-event'
import { ErrorCode } from '#contract/error'

const chunks = z.union([z.string(), z.array(z.string())])
const numbers = z.object({
  input: z.number().int().nonnegative().default(0),
  output: z.number().int().nonnegative().default(0),
  cacheRead: z.number().int().nonnegative().default(0),
  cacheWrite: z.number().int().nonnegative().default(0),
  reasoning: z.number().int().nonnegative().default(0),
})

const eventTypes = Object.keys(chatEventTypes) as [ChatEventType, ...ChatEventType[]]

/** One thing the model does. A step is a list of them, in order. */
const Act = z.union([
  z.strictObject({ text: chunks }),
  z.strictObject({ reasoning: chunks, redacted: z.boolean().default(false), opaque: z.unknown().optional() }),
  /** `arguments` as an object is sent as JSON; as text it is sent as it is, broken or not. */
  z.strictObject({ call: z.string(), arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).default({}) }),
  /** `bytes` of arguments of one long string: for limits, without a long script. */
  z.strictObject({ call: z.string(), argumentBytes: z.number().int().positive() }),
  z.strictObject({ refusal: chunks }),
  z.strictObject({
    serverTool: z.string(),
    arguments: z.record(z.string(), z.unknown()).default({}),
    results: z.array(z.object({ url: z.string(), title: z.string(), snippet: z.string().nullable() })).default([]),
    result: z.string().default(''),
    failed: z.boolean().default(false),
  }),
  /** Any other event as it is: a citation, a filter, an image, a status, a frame that nobody knows. */
  z.strictObject({ event: z.looseObject({ type: z.enum(eventTypes) }) }),
  z.strictObject({ delayMs: z.number().int().nonnegative() }),
  /** `times`: how many calls fail this way before the step goes on; for ever without it. */
  z.strictObject({
    error: z.enum(ErrorCode),
    message: z.string().optional(),
    status: z.number().int().optional(),
    retryAfterMs: z.number().int().nonnegative().optional(),
    times: z.number().int().positive().optional(),
  }),
  z.strictObject({ usage: numbers }),
  z.strictObject({ finish: z.enum(['stop', 'tool', 'length', 'filter', 'refusal', 'other']) }),
  /** The provider's own stop, and a stream that breaks off without a word. */
  z.strictObject({ abort: z.literal(true) }),
  z.strictObject({ truncate: z.literal(true) }),
])
export type Act = z.infer<typeof Act>

const Steps = z.array(z.array(Act))

export const Script = z.union([
  Steps,
  z.strictObject({
    /** The first rule whose regular expression finds the last words of the user is played. */
    rules: z.array(z.strictObject({ when: z.string(), steps: Steps })).default([]),
    /** Without a rule that fits. */
    steps: Steps.optional(),
  }),
])
export type Script = z.infer<typeof Script>
/** As it is written: what has a default may be left out. */
export type ScriptInput = z.input<typeof Script>

/** What a prompt that carries its own script starts with. */
export const SCRIPT_MARK = 'script:'

/** The steps for the user's words, or null where the script has none for them. */
export function stepsFor(script: Script, words: string): Act[][] | null {
  if (Array.isArray(script)) return script
  const rule = script.rules.find(({ when }) => new RegExp(when, 'u').test(words))
  return rule?.steps ?? script.steps ?? null
}

/** Parsed, or words that say what is wrong with it. */
export function parseScript(text: string): { script: Script } | { problem: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (fault) {
    return { problem: `The script is not JSON: ${(fault as Error).message}` }
  }
  const parsed = Script.safeParse(value)
  return parsed.success
    ? { script: parsed.data }
    : { problem: `The script cannot be played: ${z.prettifyError(parsed.error)}` }
}
