/** The `/` commands of the field: which there are, what each takes, and what a line that begins with one means. Pure. */
import type { CommandId, RunCommand } from '../commands.ts'

export interface SlashCommand {
  readonly word: string
  readonly command: CommandId
  /** What may follow it: a number of turns, or words. */
  readonly takes?: 'turns' | 'name' | 'focus'
}

export const slashCommands: readonly SlashCommand[] = [
  { word: 'new', command: 'agent.newSession' },
  { word: 'sessions', command: 'agent.sessions' },
  { word: 'rewind', command: 'agent.rewind', takes: 'turns' },
  { word: 'undo', command: 'agent.undoRewind' },
  { word: 'rerun', command: 'agent.rerun' },
  { word: 'continue', command: 'agent.continue' },
  { word: 'fork', command: 'agent.fork', takes: 'name' },
  { word: 'compact', command: 'agent.compact', takes: 'focus' },
  { word: 'mode', command: 'agent.mode' },
  { word: 'model', command: 'agent.model' },
  { word: 'stop', command: 'agent.stop' },
  { word: 'settings', command: 'app.settings' },
]

export type ReadSlash =
  | { readonly kind: 'run'; run(run: RunCommand): Promise<void> }
  /** `nothing`: it takes no words. `turns`: it takes a number. */
  | { readonly kind: 'problem'; readonly why: 'nothing' | 'turns'; readonly word: string; readonly given: string }

const MOST_TITLE_CHARS = 200
const MOST_FOCUS_CHARS = 2000

/** Null: words for the agent. */
export function readSlash(text: string): ReadSlash | null {
  const found = /^\/(\w+)(?:\s+([\s\S]*))?$/.exec(text.trim())
  const known = found && slashCommands.find(({ word }) => word === found[1]?.toLowerCase())
  if (!known) return null
  const given = (found[2] ?? '').trim()
  const { word, command, takes } = known
  if (given === '') return { kind: 'run', run: run => (run as (id: CommandId) => Promise<void>)(command) }
  switch (takes) {
    case 'turns': {
      const turns = Number(given)
      if (!/^\d{1,6}$/.test(given) || turns === 0) return { kind: 'problem', why: 'turns', word, given }
      return { kind: 'run', run: run => run('agent.rewind', { to: { turns } }) }
    }
    case 'name':
      return { kind: 'run', run: run => run('agent.fork', { title: given.slice(0, MOST_TITLE_CHARS) }) }
    case 'focus':
      return { kind: 'run', run: run => run('agent.compact', { focus: given.slice(0, MOST_FOCUS_CHARS) }) }
    default:
      return { kind: 'problem', why: 'nothing', word, given }
  }
}
