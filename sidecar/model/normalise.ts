/**
 * Whatever order a provider's frames come in, boundaries balance: every delta stands between its start and its end, every end has a
 * start, exactly one terminal event comes last. A pure state machine, one per response.
 */
import { type ChatEventDraft, type ChatEventType, groupOf, isTerminal, phaseOf } from '#contract/chat-event'

type ContentGroup = 'TEXT' | 'THINKING'

/** How an open block or call is known: by more and more names, as the frames tell them. */
interface Boundary {
  readonly group: ContentGroup | 'TOOL_CALL'
  /** Which call of the response it is, from 0. */
  readonly call: number
  callId: string | null
  blockId: string | null
  index: number
}

/** `call`: which call a TOOL_CALL event is about, whatever name it goes by. */
export type NormalDraft = ChatEventDraft & { readonly call?: number }

export interface Normaliser {
  /** What to pass on for this event: nothing, itself, or itself with the openers and closers that it implies. */
  take(event: ChatEventDraft): NormalDraft[]
  /** Closers of calls, blocks and steps, in that order. Idempotent: used on success and on failure. */
  complete(): NormalDraft[]
  /** Of the last step that began. */
  readonly step: number
}

export function createNormaliser(): Normaliser {
  /** In the order they were opened. */
  const blocks: Boundary[] = []
  const calls: Boundary[] = []
  /** Ids of calls that are complete: whatever comes again under one is the same frame twice, and must not run twice. */
  const told = new Set<string>()
  const steps: number[] = []
  let count = 0
  let step = 0
  let started = false
  let ended = false

  const closeBlocks = (but: ContentGroup | null = null): ChatEventDraft[] => {
    const closed = blocks.filter(({ group }) => group !== but)
    for (const block of closed) remove(blocks, block)
    return closed.map(closer)
  }
  const closeCalls = (): NormalDraft[] =>
    calls.splice(0).map(call => {
      tell(call)
      return { ...closer(call), call: call.call }
    })
  const closeContent = () => [...closeCalls(), ...closeBlocks()]

  const content = (event: ChatEventDraft, group: ContentGroup): ChatEventDraft[] => {
    const known = find(blocks, event, group)
    switch (phaseOf(event.type)) {
      case 'START': {
        // A second start of what is open says nothing new; one without a name is another block only where none is open.
        if (known) return []
        const closed = closeBlocks(group)
        blocks.push(boundaryOf(event, group))
        return [...closed, event]
      }
      case 'DELTA': {
        if (known) return [event]
        const closed = closeBlocks(group)
        blocks.push(boundaryOf(event, group))
        return [...closed, opener(event, group), event]
      }
      case 'END':
        if (!known) return []
        remove(blocks, known)
        return [event]
      default:
        return [event]
    }
  }

  const openCall = (event: ChatEventDraft): Boundary => {
    const call = boundaryOf(event, 'TOOL_CALL', count++)
    calls.push(call)
    return call
  }
  const tell = (call: Boundary): void => {
    const id = call.callId ?? call.blockId
    if (id !== null) told.add(id)
  }
  /** Loose: a call without an id is added, never dropped, for a call that is lost is work that is lost. */
  const toolCall = (event: ChatEventDraft): NormalDraft[] => {
    if (event.type === 'TOOL_RESULT') return [event]
    const id = event.toolCall?.id ?? event.blockId ?? null
    if (id !== null && told.has(id)) return []
    const known = find(calls, event, 'TOOL_CALL')
    if (known) learn(known, event)
    if (event.type === 'TOOL_CALL_START') {
      if (known && id !== null) return []
      return [...closeBlocks(), { ...event, call: openCall(event).call }]
    }
    if (event.type === 'TOOL_CALL_ARGS_DELTA') {
      if (known) return [{ ...event, call: known.call }]
      const closed = closeBlocks()
      const { call } = openCall(event)
      return [...closed, { ...opener(event, 'TOOL_CALL'), call }, { ...event, call }]
    }
    const taken = known ?? calls[0]
    if (taken) {
      remove(calls, taken)
      if (id !== null) told.add(id)
      tell(taken)
      return [{ ...event, call: taken.call, guessed: !known }]
    }
    // Nothing is open: a provider that sends whole calls has only ends.
    if (id !== null) told.add(id)
    const call = count++
    return [...closeBlocks(), { ...opener(event, 'TOOL_CALL'), call }, { ...event, call }]
  }

  const boundary = (event: ChatEventDraft): ChatEventDraft[] => {
    if (event.type === 'STEP_START') {
      const next = event.step ?? step
      if (steps.includes(next)) return []
      const closed = closeContent()
      steps.push(next)
      step = next
      return [...closed, event]
    }
    if (event.type === 'STEP_END') {
      const at = steps.indexOf(event.step ?? step)
      if (at < 0) return []
      const closed = closeContent()
      steps.splice(at, 1)
      return [...closed, event]
    }
    ended = true
    return [...closeContent(), ...closeSteps(), event]
  }
  const closeSteps = (): ChatEventDraft[] => steps.splice(0).map(each => ({ type: 'STEP_END', step: each }))

  return {
    take(event) {
      if (ended) return []
      if (event.type === 'RESPONSE_START') {
        if (started) return []
        started = true
        return [event]
      }
      const group = groupOf(event.type)
      if (group === 'TEXT' || group === 'THINKING') return content(event, group)
      if (group === 'TOOL_CALL') return toolCall(event)
      return group === 'STEP' || isTerminal(event.type) ? boundary(event) : [event]
    },
    complete: () => [...closeContent(), ...closeSteps()],
    get step() {
      return step
    },
  }
}

const boundaryOf = (event: ChatEventDraft, group: Boundary['group'], call = -1): Boundary => ({
  group,
  call,
  callId: event.toolCall?.id ?? null,
  blockId: event.blockId ?? null,
  index: event.index ?? -1,
})

/** By id of the call, else of the block, else by place; who has none of them is meant only where one is open. */
function find(open: readonly Boundary[], event: ChatEventDraft, group: Boundary['group']): Boundary | undefined {
  const asked = boundaryOf(event, group)
  const alike = open.filter(each => each.group === group)
  if (asked.callId === null && asked.blockId === null && asked.index < 0)
    return alike.length === 1 ? alike[0] : undefined
  const { callId, blockId, index } = asked
  return (
    alike.find(each => callId !== null && each.callId === callId) ??
    alike.find(each => blockId !== null && each.blockId === blockId) ??
    // A place says who is meant only where no name says otherwise.
    alike.find(
      each => index >= 0 && each.index === index && !differ(each.callId, callId) && !differ(each.blockId, blockId),
    )
  )
}

const differ = (one: string | null, other: string | null): boolean => one !== null && other !== null && one !== other

/** Names that come later than the beginning. */
function learn(known: Boundary, event: ChatEventDraft): void {
  known.callId ??= event.toolCall?.id ?? null
  known.blockId ??= event.blockId ?? null
  if (known.index < 0) known.index = event.index ?? -1
}

const remove = (open: Boundary[], one: Boundary): void => void open.splice(open.indexOf(one), 1)

const ends = { TEXT: 'TEXT_END', THINKING: 'THINKING_END', TOOL_CALL: 'TOOL_CALL_END' } as const
const starts = {
  TEXT: 'TEXT_START',
  THINKING: 'THINKING_START',
  TOOL_CALL: 'TOOL_CALL_START',
} as const satisfies Record<Boundary['group'], ChatEventType>

const closer = ({ group, blockId, index }: Boundary): ChatEventDraft => ({ type: ends[group], blockId, index })

const opener = ({ blockId, index, toolCall }: ChatEventDraft, group: Boundary['group']): ChatEventDraft => ({
  type: starts[group],
  ...(blockId === undefined ? {} : { blockId }),
  ...(index === undefined ? {} : { index }),
  ...(toolCall ? { toolCall: { ...toolCall, arguments: '' } } : {}),
})
