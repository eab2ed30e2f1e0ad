/** The command line of `belay run` and `belay stream`, strictly: what is not known is refused with the nearest right word, nothing is guessed. */
import type { SessionId } from '#contract/id'
import { Mode } from '#contract/session-event'
import {
  dollars,
  jsonSchema,
  modelName,
  modeName,
  outputFormat,
  plain,
  type ReadOption,
  sessionName,
  short,
  toolNames,
  wholeNumber,
} from './option-values.ts'

export interface HeadlessOptions {
  prompt: string | null
  model: string | null
  fallbackModel: string | null
  mode: Mode | null
  /** Null: no list, every tool may be used as the mode says. */
  allowedTools: string[] | null
  disallowedTools: string[]
  /** Model calls of one turn. */
  maxTurns: number | null
  /** US dollars, of the whole session in this process. */
  maxBudgetUsd: number | null
  /** A session to go on with, or the name of a new one. */
  sessionId: SessionId | null
  resume: SessionId | null
  /** The newest session of the folder. */
  continue: boolean
  output: 'text' | 'json' | 'stream-json'
  /** What happens on the way too, not the result alone. */
  verbose: boolean
  /** JSON Schema of the answer; parsed, not yet checked. */
  jsonSchema: Record<string, unknown> | null
  cwd: string | null
  /** In a Belay that runs: its id, '' for the newest; null: in a core of its own. */
  attach: string | null
  addDirs: string[]
  /** What the folder brings counts in this run too. */
  trust: boolean
  /** Without any advice, agents or memory of the folder or the person. */
  bare: boolean
  /** `stream`: each line of a person comes back. */
  replay: boolean
  /** `stream`: what asks is asked on stdout instead of denied. */
  asks: boolean
  /** `terminal`: lines that are never drawn again. */
  plain: boolean
  help: boolean
}

/** The subcommand that is spoken of, in messages. */
export type Face = 'run' | 'stream' | 'terminal'

const called = (face: Face): string => (face === 'terminal' ? 'belay' : `belay ${face}`)

interface Option {
  /** As the help writes it; kebab and camel spellings are one. */
  readonly flag: string
  readonly sets: keyof HeadlessOptions
  /** `switch`: takes no value. `list`: may be given several times. `maybe`: a value after `=` alone. */
  readonly takes: 'switch' | 'value' | 'list' | 'maybe'
  readonly value?: string
  readonly help: string
  readonly only?: readonly Face[]
  read?(text: string, flag: string): ReadOption
}

const table: readonly Option[] = [
  {
    flag: '--model',
    sets: 'model',
    takes: 'value',
    value: 'provider/model',
    help: 'the model to use; naming it is consent to send to it',
    read: modelName,
  },
  {
    flag: '--fallback-model',
    sets: 'fallbackModel',
    takes: 'value',
    value: 'provider/model',
    help: 'goes on where the first one is overloaded, unknown or broken',
    read: modelName,
  },
  {
    flag: '--permission-mode',
    sets: 'mode',
    takes: 'value',
    value: 'mode',
    help: Mode.options.join(', '),
    read: modeName,
  },
  {
    flag: '--allowedTools',
    sets: 'allowedTools',
    takes: 'list',
    value: 'list',
    help: 'tools that may run without being asked about; nothing else runs',
    read: toolNames,
  },
  {
    flag: '--disallowedTools',
    sets: 'disallowedTools',
    takes: 'list',
    value: 'list',
    help: 'tools that never run',
    read: toolNames,
  },
  {
    flag: '--max-turns',
    sets: 'maxTurns',
    takes: 'value',
    value: 'number',
    help: 'model calls at most, for each prompt',
    read: wholeNumber,
  },
  {
    flag: '--max-budget-usd',
    sets: 'maxBudgetUsd',
    takes: 'value',
    value: 'dollars',
    help: 'no model call begins when this much was spent',
    read: dollars,
  },
  {
    flag: '--session-id',
    sets: 'sessionId',
    takes: 'value',
    value: 'id',
    help: 'the session of this name; a new one where there is none',
    read: sessionName,
  },
  {
    flag: '--resume',
    sets: 'resume',
    takes: 'value',
    value: 'id',
    help: 'go on with a session that exists',
    read: sessionName,
  },
  { flag: '--continue', sets: 'continue', takes: 'switch', help: 'go on with the newest session of the folder' },
  {
    flag: '--output-format',
    sets: 'output',
    takes: 'value',
    value: 'text|json|stream-json',
    help: 'what comes on stdout',
    only: ['run'],
    read: outputFormat,
  },
  {
    flag: '--verbose',
    sets: 'verbose',
    takes: 'switch',
    help: 'with stream-json: every message and tool call, not the result alone',
    only: ['run', 'stream'],
  },
  {
    flag: '--json-schema',
    sets: 'jsonSchema',
    takes: 'value',
    value: 'schema',
    help: 'the answer as JSON of this schema, in structured_output',
    only: ['run', 'stream'],
    read: jsonSchema,
  },
  { flag: '--cwd', sets: 'cwd', takes: 'value', value: 'folder', help: 'where to work' },
  {
    flag: '--attach',
    sets: 'attach',
    takes: 'maybe',
    value: '[=id]',
    help: 'work in a Belay that runs, the newest or this one: its windows see what is done',
  },
  { flag: '--add-dir', sets: 'addDirs', takes: 'list', value: 'folder', help: 'one more folder to work in' },
  {
    flag: '--trust',
    sets: 'trust',
    takes: 'switch',
    help: 'trust what the folder brings (its agents and settings) in this run',
  },
  { flag: '--bare', sets: 'bare', takes: 'switch', help: 'without advice, agents and memory of folder and person' },
  {
    flag: '--plain',
    sets: 'plain',
    takes: 'switch',
    help: 'lines only, nothing is drawn again: for screen readers and dumb terminals',
    only: ['terminal'],
  },
  {
    flag: '--replay-user-messages',
    sets: 'replay',
    takes: 'switch',
    help: 'write each line of a person to stdout when its turn begins',
    only: ['stream'],
  },
  {
    flag: '--permission-prompts',
    sets: 'asks',
    takes: 'switch',
    help: 'ask on stdout (control_request can_use_tool) instead of denying',
    only: ['stream'],
  },
]

/** As one writes them. */
export const optionWords = (face: Face): string[] =>
  table.filter(({ only }) => !only || only.includes(face)).map(({ flag }) => flag)

export function usageOf(face: Face): string {
  const rows = table
    .filter(({ only }) => !only || only.includes(face))
    .map(
      ({ flag, value, takes, help }) => [`${flag}${takes === 'maybe' ? '' : ' '}${value ?? ''}`.trim(), help] as const,
    )
  const width = Math.max(...rows.map(([left]) => left.length))
  const heads: Record<Face, string> = {
    terminal: 'belay ["prompt"] [options]        a conversation in this terminal',
    run: 'belay run "prompt" [options]        the prompt may come on stdin; beside a prompt, stdin is its context',
    stream: 'belay stream [options]        one JSON object a line on stdin, one a line on stdout, until stdin ends',
  }
  return `${heads[face]}

${rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')}

A list is comma separated and may be given several times: read,edit(src/**),"bash(git log *)".
Exit: 0 done, 1 error, 2 limit of model calls, 3 no prompt, 4 budget, 130/143 interrupted.`
}

const none: HeadlessOptions = {
  prompt: null,
  model: null,
  fallbackModel: null,
  mode: null,
  allowedTools: null,
  disallowedTools: [],
  maxTurns: null,
  maxBudgetUsd: null,
  sessionId: null,
  resume: null,
  continue: false,
  output: 'text',
  verbose: false,
  jsonSchema: null,
  cwd: null,
  attach: null,
  addDirs: [],
  trust: false,
  bare: false,
  replay: false,
  asks: false,
  plain: false,
  help: false,
}

type Nearest = (given: string, words: readonly string[]) => string | null

/** `nearest` finds the word that was most likely meant. */
export function parseOptions(
  face: Face,
  args: readonly string[],
  nearest: Nearest,
): { options: HeadlessOptions } | { problem: string } {
  const options: Record<string, unknown> = { ...none }
  const given = new Set<string>()
  const prompts: string[] = []
  const known = table.filter(({ only }) => !only || only.includes(face))
  for (let i = 0; i < args.length; i++) {
    const word = args[i] ?? ''
    if (word === '--') {
      prompts.push(...args.slice(i + 1))
      break
    }
    if (word === '--help' || word === '-h') {
      options.help = true
      continue
    }
    if (!word.startsWith('-') || word === '-') {
      prompts.push(word)
      continue
    }
    const [name = '', inline] = splitOnce(word, '=')
    const option = known.find(({ flag }) => plain(flag) === plain(name))
    if (!option) return { problem: unknown(face, name, nearest) }
    const { flag, sets, takes } = option
    if (takes === 'switch') {
      if (inline !== undefined) return { problem: `${flag} takes no value.` }
      options[sets] = true
      continue
    }
    if (takes === 'maybe') {
      options[sets] = inline ?? ''
      continue
    }
    if (takes === 'value' && given.has(flag)) return { problem: `${flag} was given twice.` }
    given.add(flag)
    const text = inline ?? args[++i]
    if (text === undefined) return { problem: `${flag} needs a value.` }
    const read: ReadOption = option.read?.(text, flag) ?? { value: text }
    if ('problem' in read) return read
    options[sets] = takes === 'list' ? [...((options[sets] as unknown[] | null) ?? []), read.value].flat() : read.value
  }
  if (prompts.length > 1) {
    return {
      problem: `There is one prompt; put it in quotes. After “${short(prompts[0])}” came “${short(prompts[1])}”.`,
    }
  }
  if (face === 'stream' && prompts.length > 0)
    return {
      problem: `belay stream takes its prompts on stdin, one JSON object a line; “${short(prompts[0])}” was given.`,
    }
  const sessions = [options.sessionId && '--session-id', options.resume && '--resume', options.continue && '--continue']
  const [one, two] = sessions.filter(Boolean)
  if (two) return { problem: `${one} and ${two} name two sessions. Give one of them.` }
  const alone = [options.trust && '--trust', options.bare && '--bare', (options.addDirs as unknown[])[0] && '--add-dir']
  const odd = options.attach === null ? undefined : alone.find(Boolean)
  if (odd)
    return { problem: `${odd} is of a core of one's own; a Belay that runs has its folders and its trust already.` }
  return { options: { ...(options as unknown as HeadlessOptions), prompt: prompts[0] ?? null } }
}

function splitOnce(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + mark.length)]
}

function unknown(face: Face, given: string, nearest: Nearest): string {
  const other = table.find(({ flag, only }) => only && !only.includes(face) && plain(flag) === plain(given))
  if (other) return `${other.flag} is an option of belay ${other.only?.[0]}, not of ${called(face)}.`
  const own = table.filter(({ only }) => !only || only.includes(face))
  const meant = nearest(
    plain(given),
    own.map(({ flag }) => plain(flag)),
  )
  const word = own.find(({ flag }) => plain(flag) === meant)?.flag
  return `${given} is no option of ${called(face)}.${word ? ` Did you mean ${word}?` : ''} See “${called(face)} --help”.`
}
