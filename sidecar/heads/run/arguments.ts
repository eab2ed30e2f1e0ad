/** The command line of `belay run`, strictly: what is not known is refused with the nearest right word, nothing is guessed. */
import { Mode } from '#contract/session-event'

export interface RunArguments {
  prompt: string | null
  model: string | null
  mode: Mode | null
  /** Null: no list, every tool may be used as the mode says. */
  allowedTools: string[] | null
  disallowedTools: string[]
  maxTurns: number | null
  output: 'text' | 'json'
  cwd: string | null
  /** What the folder brings counts in this run too. */
  trust: boolean
  help: boolean
}

const flags = [
  'model',
  'permission-mode',
  'allowed-tools',
  'disallowed-tools',
  'max-turns',
  'output-format',
  'cwd',
] as const
type Flag = (typeof flags)[number]

export const usage = `belay run "prompt" [options]        the prompt may come on stdin instead

  --model provider/model        the model to use; naming it is consent to send to it
  --permission-mode mode        ${Mode.options.join(', ')}
  --allowedTools list           tools that may run without being asked about; nothing else runs
  --disallowedTools list        tools that never run
  --max-turns number            model calls at most
  --output-format text|json     what comes on stdout
  --cwd folder                  where to work
  --trust                       trust what the folder brings (its agents and settings) in this run

A list is comma separated and may be given several times: read,edit(src/**),"bash(git log *)".
Exit: 0 done, 1 error, 2 limit of model calls, 3 no prompt, 130/143 interrupted.`

/** `nearest` finds the word that was most likely meant. */
export function parseArguments(
  args: readonly string[],
  nearest: (given: string, words: readonly string[]) => string | null,
): { arguments: RunArguments } | { problem: string } {
  const values = new Map<Flag, string[]>()
  const prompts: string[] = []
  let help = false
  let trust = false
  for (let i = 0; i < args.length; i++) {
    const word = args[i] ?? ''
    if (word === '--') {
      prompts.push(...args.slice(i + 1))
      break
    }
    if (word === '--help' || word === '-h') help = true
    else if (word === '--trust') trust = true
    else if (!word.startsWith('-') || word === '-') prompts.push(word)
    else {
      const [given = '', inline] = splitOnce(word, '=')
      const flag = flags.find(name => plain(name) === plain(given))
      if (!flag) return { problem: unknown(given, nearest) }
      const value = inline ?? args[++i]
      if (value === undefined) return { problem: `${spelled[flag]} needs a value.` }
      values.set(flag, [...(values.get(flag) ?? []), value])
    }
  }
  if (prompts.length > 1) {
    return {
      problem: `There is one prompt; put it in quotes. After “${short(prompts[0])}” came “${short(prompts[1])}”.`,
    }
  }
  return read(values, prompts[0] ?? null, { help, trust })
}

function read(
  values: Map<Flag, string[]>,
  prompt: string | null,
  switches: Pick<RunArguments, 'help' | 'trust'>,
): { arguments: RunArguments } | { problem: string } {
  for (const flag of flags) {
    if (!flag.endsWith('tools') && (values.get(flag)?.length ?? 0) > 1)
      return { problem: `${spelled[flag]} was given twice.` }
  }
  const one = (flag: Flag): string | null => values.get(flag)?.[0] ?? null
  const model = one('model')
  if (model !== null && !/^[^/\s]+\/\S+$/.test(model)) {
    return {
      problem: `--model is provider/model, for example anthropic/claude-sonnet-5; “${short(model)}” has no provider.`,
    }
  }
  const givenMode = one('permission-mode')
  const mode = givenMode === null ? null : (Mode.options.find(name => plain(name) === plain(givenMode)) ?? undefined)
  if (mode === undefined) {
    return { problem: `--permission-mode is one of ${Mode.options.join(', ')}; “${short(givenMode)}” is none of them.` }
  }
  const output = one('output-format') ?? 'text'
  if (output !== 'text' && output !== 'json') {
    return { problem: `--output-format is text or json; “${short(output)}” is neither.` }
  }
  const turns = one('max-turns')
  const maxTurns = turns === null ? null : /^[1-9]\d{0,5}$/.test(turns) ? Number(turns) : undefined
  if (maxTurns === undefined) return { problem: `--max-turns is a whole number from 1 on; “${short(turns)}” is not.` }
  const allowedTools = values.get('allowed-tools')?.flatMap(splitTools) ?? null
  const disallowedTools = values.get('disallowed-tools')?.flatMap(splitTools) ?? []
  const odd = [...(allowedTools ?? []), ...disallowedTools].find(tool => !/^[\w*-]+\s*(\(.*\))?$/s.test(tool))
  if (odd !== undefined)
    return { problem: `“${short(odd)}” is no tool. Write a name, or a name with a pattern: bash(git log *).` }
  const cwd = one('cwd')
  return { arguments: { prompt, model, mode, allowedTools, disallowedTools, maxTurns, output, cwd, ...switches } }
}

/** Commas inside a pattern or its quotes belong to it. */
export function splitTools(list: string): string[] {
  const tools: string[] = []
  let depth = 0
  let from = 0
  for (let i = 0; i <= list.length; i++) {
    const letter = list[i]
    if (letter === '(') depth++
    else if (letter === ')') depth = Math.max(0, depth - 1)
    else if (letter === undefined || (letter === ',' && depth === 0)) {
      const tool = list.slice(from, i).trim()
      if (tool !== '') tools.push(tool)
      from = i + 1
    }
  }
  return tools
}

/** As the help writes them. */
const spelled: Record<Flag, string> = {
  model: '--model',
  'permission-mode': '--permission-mode',
  'allowed-tools': '--allowedTools',
  'disallowed-tools': '--disallowedTools',
  'max-turns': '--max-turns',
  'output-format': '--output-format',
  cwd: '--cwd',
}

/** Kebab and camel are one spelling. */
const plain = (flag: string): string => flag.replace(/-/g, '').toLowerCase()
const short = (text: string | null | undefined): string => (text ?? '').slice(0, 40)

function splitOnce(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + mark.length)]
}

function unknown(given: string, nearest: (given: string, words: readonly string[]) => string | null): string {
  const meant = nearest(plain(given), [...flags, 'trust'].map(plain))
  const flag = flags.find(name => plain(name) === meant)
  const word = flag ? spelled[flag] : meant === 'trust' ? '--trust' : null
  return `${given} is no option of belay run.${word ? ` Did you mean ${word}?` : ''} See “belay run --help”.`
}
