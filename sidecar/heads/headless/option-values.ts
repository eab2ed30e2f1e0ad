/** The values of options, read strictly: each a value, or words that say what would have been one. */
import { SessionId } from '#contract/id'
import { Mode } from '#contract/session-event'

export type ReadOption = { value: unknown } | { problem: string }

/** Kebab and camel are one spelling. */
export const plain = (flag: string): string => flag.replace(/-/g, '').toLowerCase()
/** Enough of a person's words to know them again. */
export const short = (text: string | null | undefined): string => (text ?? '').slice(0, 40)

export function modelName(text: string, flag: string): ReadOption {
  return /^[^/\s]+\/\S+$/.test(text)
    ? { value: text }
    : {
        problem: `${flag} is provider/model, for example anthropic/claude-sonnet-5; “${short(text)}” has no provider.`,
      }
}

export function modeName(text: string): ReadOption {
  const mode = Mode.options.find(name => plain(name) === plain(text))
  return mode
    ? { value: mode }
    : { problem: `--permission-mode is one of ${Mode.options.join(', ')}; “${short(text)}” is none of them.` }
}

export function outputFormat(text: string): ReadOption {
  return text === 'text' || text === 'json' || text === 'stream-json'
    ? { value: text }
    : { problem: `--output-format is text, json or stream-json; “${short(text)}” is none of them.` }
}

export function wholeNumber(text: string, flag: string): ReadOption {
  return /^[1-9]\d{0,5}$/.test(text)
    ? { value: Number(text) }
    : { problem: `${flag} is a whole number from 1 on; “${short(text)}” is not.` }
}

export function dollars(text: string, flag: string): ReadOption {
  const amount = /^\d{1,7}(\.\d{1,6})?$/.test(text) ? Number(text) : 0
  return amount > 0
    ? { value: amount }
    : { problem: `${flag} is an amount in dollars above 0, like 0.50; “${short(text)}” is not.` }
}

/** A name of another program's making (a UUID) gets our prefix. */
export function sessionName(text: string, flag: string): ReadOption {
  const id = SessionId.safeParse(text.startsWith('ses_') ? text : `ses_${text}`)
  return id.success
    ? { value: id.data }
    : { problem: `${flag} is the id of a session: letters, digits, - and _; “${short(text)}” is none.` }
}

export function jsonSchema(text: string, flag: string): ReadOption {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value }
  } catch {
    // Said below.
  }
  return { problem: `${flag} is a JSON Schema, an object written as JSON; “${short(text)}” is none.` }
}

export function toolNames(text: string): ReadOption {
  const names = splitTools(text)
  const odd = names.find(tool => !/^[\w*-]+\s*(\(.*\))?$/s.test(tool))
  return odd === undefined
    ? { value: names }
    : { problem: `“${short(odd)}” is no tool. Write a name, or a name with a pattern: bash(git log *).` }
}

/** Commas and parentheses inside a pattern or its double quotes belong to it. */
export function splitTools(list: string): string[] {
  const tools: string[] = []
  let depth = 0
  let from = 0
  for (let i = 0; i <= list.length; i++) {
    const letter = list[i]
    const closing = letter === '"' && depth > 0 ? list.indexOf('"', i + 1) : -1
    if (closing > 0) i = closing
    else if (letter === '(') depth++
    else if (letter === ')') depth = Math.max(0, depth - 1)
    else if (letter === undefined || (letter === ',' && depth === 0)) {
      const tool = list.slice(from, i).trim()
      if (tool !== '') tools.push(tool)
      from = i + 1
    }
  }
  return tools
}
