/** The conversation so far, as blocks: folded from the same events as everywhere, streaming text included. */
import { type Component, Container } from '@earendil-works/pi-tui'
import type { CallId, ItemId } from '#contract/id'
import type { LiveDelta, SessionEvent, TodoItem } from '#contract/session-event'
import type { SessionState } from '#contract/session-fold'
import type { Item, ToolItem } from '#contract/session-state'
import { Answer, Call, Note, Said, Thought } from './blocks.ts'
import type { Theme } from './theme.ts'

export interface Transcript extends Component {
  /** Anew, from what there is. */
  show(state: SessionState): void
  /** After it was folded into `state`. */
  event(event: SessionEvent, state: SessionState): void
  /** `whole`: all that streamed of it so far. */
  live(itemId: ItemId, kind: LiveDelta['kind'], whole: string): void
  /** A line of Belay's own. */
  note(words: string, kind?: 'dim' | 'warn' | 'bad'): void
  /** Output and thoughts of the past are shown, or folded again. */
  toggleDetails(): void
}

/** Blocks that stay in it: older ones are in the terminal's own scrollback, or can be read with `/export`. */
const MOST_BLOCKS = 2000

export function createTranscript(theme: Theme): Transcript {
  const all = new Container()
  let blocks = new Map<ItemId, Answer | Thought | Call>()
  let details = false
  const add = (block: Component): void => {
    all.addChild(block)
    if (all.children.length > MOST_BLOCKS) all.children.splice(0, all.children.length - MOST_BLOCKS)
  }
  const keep = <T extends Answer | Thought | Call>(id: ItemId, block: T): T => {
    if (!(block instanceof Answer)) block.open = details
    blocks.set(id, block)
    add(block)
    return block
  }
  const answerAt = (id: ItemId): Answer => {
    const known = blocks.get(id)
    return known instanceof Answer ? known : keep(id, new Answer(theme))
  }
  const thoughtAt = (id: ItemId): Thought => {
    const known = blocks.get(id)
    return known instanceof Thought ? known : keep(id, new Thought(theme))
  }
  const itemOf = (state: SessionState, callId: CallId): ToolItem | null => {
    const id = state.calls.get(callId)
    const item = id === undefined ? undefined : state.items.get(id)
    return item?.kind === 'tool' ? item : null
  }
  const showCall = (item: ToolItem | null): void => {
    if (!item) return
    const known = blocks.get(item.id)
    if (known instanceof Call) known.set(item)
    else keep(item.id, new Call(item, theme))
  }
  const showItem = (item: Item): void => {
    if (item.kind === 'message' && item.role === 'user') add(new Said(item.text, theme))
    if (item.kind === 'message' && item.role === 'assistant') answerAt(item.id).set(item.text)
    if (item.kind === 'reasoning') thoughtAt(item.id).end(item.text, item.durationMs)
    if (item.kind === 'tool') showCall(item)
    if (item.kind === 'compaction') add(new Note('Earlier parts were summarised.', theme.dim))
  }

  const transcript: Transcript = {
    render: width => all.render(width),
    invalidate: () => all.invalidate(),
    show(state) {
      all.clear()
      blocks = new Map()
      for (const id of state.path) {
        const item = state.items.get(id)
        if (item) showItem(item)
      }
    },
    event(event, state) {
      switch (event.type) {
        case 'message.added':
          if (event.role === 'user') add(new Said(event.text, theme, event.origin === 'steer' ? '»' : '›'))
          return
        case 'message.ended':
          return answerAt(event.id).set(event.text)
        case 'reasoning.ended':
          return thoughtAt(event.id).end(event.text, event.durationMs)
        case 'tool.requested':
        case 'tool.started':
        case 'tool.ended':
          return showCall(itemOf(state, event.callId))
        case 'diagnostics.updated':
          return later(itemOf(state, event.callId))
        case 'todo.changed':
          return add(new Note(event.items.map(todoLine).join('\n'), theme.dim))
        case 'status.changed':
          return event.code === 'stopped' ? undefined : add(new Note(event.text, theme.warn))
        case 'head.moved':
          return transcript.show(state)
        case 'turn.ended':
          return over(event)
        default:
      }
    },
    live(itemId, kind, whole) {
      if (kind === 'text') answerAt(itemId).set(whole)
      if (kind === 'reasoning') thoughtAt(itemId).set(whole)
      const call = blocks.get(itemId)
      if (kind === 'output' && call instanceof Call) call.setOutput(whole)
    },
    note: (words, kind = 'dim') => add(new Note(words, theme[kind])),
    toggleDetails() {
      details = !details
      for (const block of blocks.values()) {
        if (block instanceof Answer) continue
        block.open = details
        block.invalidate()
      }
    },
  }

  /** A block that may have scrolled away is not drawn again: what is learnt later is a line of its own. */
  function later(item: ToolItem | null): void {
    if (!item) return
    const errors = item.lsp.flatMap(({ path, items }) =>
      items.map(({ line, column, message }) => `${path.path}:${line}:${column} ${message}`),
    )
    if (errors.length > 0) add(new Note(`Language server, of ${item.tool}:\n${errors.join('\n')}`, theme.bad))
  }
  function over({ outcome, error }: Extract<SessionEvent, { type: 'turn.ended' }>): void {
    if (outcome === 'done') return
    const stopped = new Note('Stopped. What was done is kept.', theme.warn)
    add(outcome === 'stopped' ? stopped : new Note(error?.message ?? 'The turn did not end well.', theme.bad))
  }
  return transcript
}

const marks = { done: '☑', in_progress: '◐', pending: '☐' } as const
const todoLine = ({ text, state }: TodoItem): string => `${marks[state]} ${text}`
