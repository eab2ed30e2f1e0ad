/** What may be written behind `belay rules`. An option that is not known is refused, never ignored. */
import { Mode } from '#contract/session-event'

export interface RulesArguments {
  readonly subject: string | null
  readonly cwd: string
  readonly mode: Mode
  readonly tool: string
  readonly json: boolean
  readonly help: boolean
}

export const rulesUsage = `belay rules                     the rules that hold in this folder, strongest first, and where each was written
belay rules "command"           what would be decided about a command, part by part, and why

  --cwd folder                  look from that folder
  --permission-mode mode        ${Mode.options.join(', ')}; "default" without it
  --tool name                   another tool than bash: webfetch (an address), network (a host), else a path
  --json                        as JSON
  --help                        this

Exit code of an explanation: 0 it would run, 10 it would ask, 11 it would be denied, 1 a fault. Nothing is run or changed.`

export function parseRulesArguments(args: readonly string[]): { arguments: RulesArguments } | { problem: string } {
  let subject: string | null = null
  let [cwd, mode, tool, json, help]: [string, Mode, string, boolean, boolean] = ['.', 'default', 'bash', false, false]
  let onlyWords = false
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    const [, name = arg, glued] = /^(--[a-z-]+)=(.*)$/s.exec(arg) ?? []
    if (onlyWords || !arg.startsWith('-')) {
      if (subject !== null) return { problem: 'one command at a time: put it in quotes.' }
      subject = arg
    } else if (arg === '--') onlyWords = true
    else if (arg === '--help' || arg === '-h') help = true
    else if (arg === '--json') json = true
    else if (name === '--cwd' || name === '--permission-mode' || name === '--tool') {
      const value = glued ?? args[++at]
      if (value === undefined || value === '') return { problem: `${name} needs a value.` }
      if (name === '--cwd') cwd = value
      else if (name === '--tool') tool = value
      else {
        const known = Mode.safeParse(value)
        if (!known.success) return { problem: `there is no mode “${value}”. There are: ${Mode.options.join(', ')}.` }
        mode = known.data
      }
    } else return { problem: `there is no option “${arg}”. See “belay rules --help”.` }
  }
  return { arguments: { subject, cwd, mode, tool, json, help } }
}
