/**
 * Events of a session as ACP's updates. Text streams as it comes: what a live delta told already is not told again when its
 * item ends. An item that is over can be told whole: a history is replayed with the same words.
 */
import type { PlanEntry, SessionUpdate, ToolCallContent } from '@agentclientprotocol/sdk'
import type { CallId, ItemId, RequestId } from '#contract/id'
import type { FileWrite, LiveDelta, SessionEvent, TodoItem } from '#contract/session-event'
import type { SessionState } from '#contract/session-fold'
import type { Item, ToolItem } from '#contract/session-state'
import { readInput } from '../headless/stream-lines.ts'
import type { Places } from './places.ts'
import { kindOf, locationsOf, text, titleOf, verdictsOf } from './tool-calls.ts'

export interface Updates {
  live(deltas: readonly LiveDelta[]): SessionUpdate[]
  /** After it was folded into `state`. */
  event(event: SessionEvent, state: SessionState): Promise<SessionUpdate[]>
  /** One item of the past. */
  replay(item: Item): Promise<SessionUpdate[]>
}

export interface UpdatesOptions {
  places: Places
  /** Null: not kept, or too large to be shown. */
  contentOf(blobId: NonNullable<FileWrite['afterBlob']>): Promise<string | null>
  /** Prompts that this client sent: it has them already. */
  isOwn(requestId: RequestId | null): boolean
}

type Chunk = 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk'
const chunk = (sessionUpdate: Chunk, words: string): SessionUpdate => ({
  sessionUpdate,
  content: { type: 'text', text: words },
})
const isText = (delta: LiveDelta): boolean => delta.kind === 'text' || delta.kind === 'reasoning'

export function createUpdates({ places, contentOf, isOwn }: UpdatesOptions): Updates {
  /** UTF-16 units told of items that are not over. */
  const told = new Map<ItemId, number>()

  const rest = (id: ItemId, kind: Chunk, whole: string): SessionUpdate[] => {
    const words = whole.slice(told.get(id) ?? 0)
    told.delete(id)
    return words === '' ? [] : [chunk(kind, words)]
  }

  const requested = (callId: CallId, tool: string, input: unknown): SessionUpdate => ({
    sessionUpdate: 'tool_call',
    toolCallId: callId,
    title: titleOf(tool, input),
    name: tool,
    kind: kindOf(tool),
    status: 'pending',
    rawInput: input,
    locations: locationsOf(input, places.written),
  })

  const diffs = async (files: readonly FileWrite[]): Promise<ToolCallContent[]> => {
    const shown = await Promise.all(
      files.map(async ({ path, beforeBlob, afterBlob, before }): Promise<ToolCallContent[]> => {
        const newText = afterBlob ? await contentOf(afterBlob) : null
        const oldText = beforeBlob ? await contentOf(beforeBlob) : null
        if (newText === null || (before !== null && oldText === null)) return []
        return [{ type: 'diff', path: places.absolute(path), oldText, newText }]
      }),
    )
    return shown.flat()
  }

  const ended = async (item: Pick<ToolItem, 'callId' | 'preview' | 'files' | 'lsp' | 'detail' | 'state'>) => {
    const changed = await diffs(item.files)
    const output = item.preview?.text ?? ''
    const update: SessionUpdate = {
      sessionUpdate: 'tool_call_update',
      toolCallId: item.callId,
      status: item.state === 'done' ? 'completed' : 'failed',
      content: [
        ...(changed.length > 0 && item.state === 'done' ? changed : output === '' ? [] : [text(output)]),
        ...verdictsOf(item.lsp),
      ],
      rawOutput: { outcome: item.state, output, ...item.detail },
    }
    return update
  }

  return {
    live: deltas =>
      deltas.filter(isText).flatMap(({ itemId, kind, offset, text: words }) => {
        const known = told.get(itemId) ?? 0
        const fresh = words.slice(Math.max(0, known - offset))
        if (offset > known || fresh === '') return []
        told.set(itemId, known + fresh.length)
        return [chunk(kind === 'text' ? 'agent_message_chunk' : 'agent_thought_chunk', fresh)]
      }),
    async event(event, state) {
      switch (event.type) {
        case 'message.added':
          return event.role === 'user' && !isOwn(event.requestId) ? [chunk('user_message_chunk', event.text)] : []
        case 'message.ended':
          return rest(event.id, 'agent_message_chunk', event.text)
        case 'reasoning.ended':
          return rest(event.id, 'agent_thought_chunk', event.text)
        case 'tool.requested':
          return [requested(event.callId, event.tool, readInput(event.arguments))]
        case 'tool.started':
          return [
            {
              ...{ sessionUpdate: 'tool_call_update', toolCallId: event.callId, status: 'in_progress' },
              rawInput: event.arguments,
            },
          ]
        case 'tool.ended': {
          const { outcome: itemState, ...facts } = event
          return [await ended({ ...facts, state: itemState })]
        }
        case 'todo.changed':
          return [{ sessionUpdate: 'plan', entries: event.items.map(entryOf) }]
        case 'session.titled':
          return [{ sessionUpdate: 'session_info_update', title: event.title }]
        case 'mode.changed':
          return [{ sessionUpdate: 'current_mode_update', currentModeId: event.mode }]
        case 'status.changed':
          return event.code === 'stopped' ? [] : [{ sessionUpdate: 'notice', severity: 'info', title: event.text }]
        case 'diagnostics.updated': {
          const id = state.calls.get(event.callId)
          const item = id === undefined ? undefined : state.items.get(id)
          return item?.kind === 'tool' ? [await ended(item)] : []
        }
        default:
          return []
      }
    },
    async replay(item) {
      if (item.kind === 'message')
        return item.text === ''
          ? []
          : [chunk(item.role === 'user' ? 'user_message_chunk' : 'agent_message_chunk', item.text)]
      if (item.kind === 'reasoning') return item.text === '' ? [] : [chunk('agent_thought_chunk', item.text)]
      if (item.kind === 'compaction')
        return [
          {
            sessionUpdate: 'notice',
            severity: 'info',
            title: 'Earlier parts were summarised.',
            description: item.summary,
          },
        ]
      const call = requested(item.callId, item.tool, item.started ?? readInput(item.arguments))
      const open = item.state === 'requested' || item.state === 'running'
      return open ? [call] : [call, await ended(item)]
    },
  }
}

const states = { pending: 'pending', in_progress: 'in_progress', done: 'completed' } as const
const entryOf = ({ text: content, state }: TodoItem): PlanEntry => ({
  content,
  priority: 'medium',
  status: states[state],
})
