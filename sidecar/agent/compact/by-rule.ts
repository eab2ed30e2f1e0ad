/** Notes on a part of a conversation without a model: what a person asked, what was changed and run, what was said last. Pure. */
import type { ItemId } from '#contract/id'
import type { SessionState } from '#contract/session-fold'
import type { Item, ToolItem } from '#contract/session-state'
import { flat } from '../../base/foreign-text.ts'

const MOST_REQUESTS = 30
const REQUEST_CHARS = 300
const MOST_FILES = 60
const MOST_COMMANDS = 20
const COMMAND_CHARS = 160
const LAST_CHARS = 1000
const EARLIER_CHARS = 6000

/** `ids`: what the notes are of. `earlier`: the notes that stood for what was before it, '' for none. */
export function notesByRule(state: SessionState, ids: ReadonlySet<ItemId>, earlier: string): string {
  const items = [...ids].flatMap(id => state.items.get(id) ?? [])
  const calls = items.filter(item => item.kind === 'tool')
  const said = items.findLast(item => item.kind === 'message' && item.role === 'assistant' && item.text.trim() !== '')
  const sections = [
    section('Notes on what was before', earlier === '' ? [] : [earlier.slice(0, EARLIER_CHARS)], ''),
    section('What the person asked', lastOf(items.flatMap(requestOf), MOST_REQUESTS)),
    section('Files that were changed', lastOf([...new Set(calls.flatMap(filesOf))], MOST_FILES)),
    section('Commands that were run', lastOf(calls.flatMap(commandOf), MOST_COMMANDS)),
    section('What the agent said last', said?.kind === 'message' ? [flat(said.text, LAST_CHARS)] : []),
    section(
      'What it had yet to do',
      state.facts.todo.flatMap(({ text, state: how }) => (how === 'done' ? [] : [flat(text, COMMAND_CHARS)])),
    ),
  ]
  return sections.filter(each => each !== '').join('\n\n') || '(nothing was asked, changed or run)'
}

const section = (title: string, lines: readonly string[], mark = '- '): string =>
  lines.length === 0 ? '' : `## ${title}\n${lines.map(line => `${mark}${line}`).join('\n')}`

function lastOf(lines: readonly string[], most: number): string[] {
  const left = lines.length - most
  return left > 0 ? [`(${left} earlier ones are left out)`, ...lines.slice(left)] : [...lines]
}

const requestOf = (item: Item): string[] =>
  item.kind === 'message' && item.role === 'user' && item.text.trim() !== '' ? [flat(item.text, REQUEST_CHARS)] : []

const filesOf = ({ files }: ToolItem): string[] => files.map(({ path }) => flat(path.path, COMMAND_CHARS))

function commandOf({ tool, started, state }: ToolItem): string[] {
  const command = (started as { command?: unknown } | null | undefined)?.command
  if (tool !== 'bash' || typeof command !== 'string') return []
  return [`${flat(command, COMMAND_CHARS)}${state === 'done' ? '' : ` (${state})`}`]
}
