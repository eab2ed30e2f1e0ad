/** Random logs that a real session could have written, for tests of whatever reads them. */
import * as fc from 'fast-check'
import { AskId, CallId, ItemId, RestoreId, ReviewId, RootId, SessionId, TurnId } from './id.ts'
import type { LiveDelta, SessionEvent, SessionEventDraft } from './session-event.ts'
import type { Item } from './session-state.ts'

/** One thing that happens: a durable event, or a live delta between two of them. */
export type Happening = { event: SessionEvent } | { delta: LiveDelta }

const acts = {
  prompt: 4,
  stream: 6,
  goOn: 10,
  endStream: 4,
  call: 5,
  workOn: 10,
  answer: 3,
  moveHead: 2,
  compact: 1,
  endTurn: 2,
  small: 4,
} as const
type Act = keyof typeof acts
const weighted = (Object.keys(acts) as Act[]).flatMap(act => Array.from({ length: acts[act] }, () => act))

/** What to do next and with what: meaningful in any state, so that shrinking keeps a log plausible. */
export interface Step {
  readonly act: Act
  readonly pick: number
  readonly text: string
}

export const stepsOf = (maxLength: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      act: fc.constantFrom(...weighted),
      pick: fc.noBias(fc.nat(1 << 20)),
      text: fc.string({ maxLength: 12, unit: 'grapheme' }),
    }),
    { maxLength, size: 'max' },
  )

/** Durable events and live deltas of a random session, in order. */
export const happenings = (maxLength = 60): fc.Arbitrary<Happening[]> => stepsOf(maxLength).map(playOut)
/** The durable ones alone. */
export const logs = (maxLength = 60): fc.Arbitrary<SessionEvent[]> => happenings(maxLength).map(durable)

export const durable = (all: readonly Happening[]): SessionEvent[] =>
  all.flatMap(each => ('event' in each ? each.event : []))

export const CASE_SESSION = SessionId.parse('ses_case')
const producer = { engine: 'belay', model: 'scripted/scripted', account: null, effort: 'auto' } as const
const preview = (text: string) => ({ text, bytes: text.length, truncated: false, blobId: null })
const usage = { input: 10, output: 3, cacheRead: 100, cacheWrite: 1, reasoning: 0, known: true }

interface Node {
  readonly id: ItemId
  readonly parentId: ItemId | null
  readonly kind: Item['kind']
}

/** Plays the part of the agent and of the person; deterministic. */
export function playOut(steps: readonly Step[]): Happening[] {
  const out: Happening[] = []
  const nodes = new Map<ItemId, Node>()
  /** Streams by item: what of them was said so far. */
  const streaming = new Map<ItemId, { kind: 'text' | 'reasoning'; text: string }>()
  const calls = new Map<CallId, { itemId: ItemId; state: 'requested' | 'running'; output: string }>()
  const asks = new Map<AskId, 'permission' | 'question' | 'plan'>()
  let head: ItemId | null = null
  let turnId: TurnId | null = null
  let made = 0

  const emit = (draft: SessionEventDraft): void => {
    const seq = durable(out).length + 1
    out.push({ event: { ...draft, seq, at: 1_700_000_000_000 + seq } as SessionEvent })
  }
  const say = (itemId: ItemId, kind: LiveDelta['kind'], offset: number, text: string): void => {
    if (text !== '') out.push({ delta: { itemId, kind, offset, text } })
  }
  const add = (
    kind: Node['kind'],
    parentId: ItemId | null = head,
  ): { id: ItemId; parentId: ItemId | null; turnId: TurnId } => {
    const id = ItemId.parse(`itm_${++made}`)
    nodes.set(id, { id, parentId, kind })
    if (parentId === head) head = id
    return { id, parentId, turnId: turnId ?? TurnId.parse('trn_0') }
  }
  const pickOf = <T>(all: Iterable<T>, pick: number): T | undefined => {
    const list = [...all]
    return list[pick % Math.max(1, list.length)]
  }
  const endStream = (id: ItemId, text: string, kind: 'text' | 'reasoning'): void => {
    streaming.delete(id)
    if (kind === 'text') emit({ type: 'message.ended', id, text, opaque: null })
    else emit({ type: 'reasoning.ended', id, text, durationMs: 5, redacted: false, opaque: { provider: 'p', data: 1 } })
  }
  const endCall = (callId: CallId, text: string): void => {
    calls.delete(callId)
    emit({
      type: 'tool.ended',
      callId,
      outcome: 'done',
      preview: preview(text),
      files: [],
      lsp: [],
      durationMs: 1,
      detail: {},
    })
  }
  const answer = (askId: AskId, kind: 'permission' | 'question' | 'plan'): void => {
    asks.delete(askId)
    if (kind === 'question') emit({ type: 'question.answered', askId, answers: null, by: 'test' })
    else if (kind === 'plan')
      emit({ type: 'plan.decided', askId, decision: 'rejected', mode: null, words: 'no', by: 'test' })
    else emit({ type: 'permission.answered', batchId: askId, answers: [], by: 'test', rule: null })
  }
  const endTurn = (): void => {
    if (turnId === null) return
    for (const [id, { text, kind }] of [...streaming]) endStream(id, text, kind)
    for (const [callId, { output }] of [...calls]) endCall(callId, output)
    for (const [askId, kind] of [...asks]) answer(askId, kind)
    emit({ type: 'turn.ended', turnId, outcome: 'done', usage, cost: 0.5, error: null, contextTokens: made })
    turnId = null
  }
  const ask = (kind: 'permission' | 'question' | 'plan', callId: CallId, text: string): void => {
    const askId = AskId.parse(`ask_${++made}`)
    const inTurn = { askId, turnId: turnId ?? TurnId.parse('trn_0'), callId }
    asks.set(askId, kind)
    if (kind === 'question')
      emit({ type: 'question.asked', ...inTurn, questions: [{ text, choices: [], multiple: false, free: true }] })
    else if (kind === 'plan') emit({ type: 'plan.proposed', ...inTurn, markdown: text })
    else
      emit({
        type: 'permission.asked',
        batchId: askId,
        turnId: inTurn.turnId,
        calls: [
          {
            callId,
            tool: 'edit',
            kind: 'edit',
            exact: text,
            where: '/w',
            reason: '',
            rule: null,
            remember: [],
            dirty: [],
          },
        ],
      })
  }

  const prompt = (text: string): void => {
    endTurn()
    turnId = TurnId.parse(`trn_${++made}`)
    emit({ type: 'turn.started', turnId, mode: 'default', producer })
    const origin = 'user' as const
    emit({ type: 'message.added', ...add('message'), role: 'user', origin, text, attachments: [], requestId: null })
  }
  const stream = (pick: number): void => {
    const kind = pick % 3 === 0 ? 'reasoning' : 'text'
    const item = add(kind === 'text' ? 'message' : 'reasoning')
    streaming.set(item.id, { kind, text: '' })
    if (kind === 'reasoning') emit({ type: 'reasoning.added', ...item, step: 0 })
    else
      emit({
        type: 'message.added',
        ...item,
        role: 'assistant',
        origin: 'model',
        text: '',
        attachments: [],
        requestId: null,
      })
  }
  const goOn = (pick: number, text: string): void => {
    const entry = pickOf(streaming, pick)
    if (!entry) return
    const [id, { kind, text: known }] = entry
    say(id, kind, known.length, text)
    streaming.set(id, { kind, text: known + text })
    if (kind === 'text' && pick % 7 === 0) emit({ type: 'message.partial', id, offset: known.length, text })
  }
  const call = (text: string): void => {
    const callId = CallId.parse(`call_${++made}`)
    // The model's arguments stream before the call stands in the log.
    const next = ItemId.parse(`itm_${made + 1}`)
    say(next, 'arguments', 0, text)
    const item = add('tool')
    emit({ type: 'tool.requested', ...item, callId, parentCallId: null, tool: 'edit', arguments: text })
    calls.set(callId, { itemId: item.id, state: 'requested', output: '' })
  }
  const workOn = (pick: number, text: string): void => {
    const entry = pickOf(calls, pick)
    if (!entry) return
    const [callId, known] = entry
    if (known.state === 'requested' && pick % 4 === 0) {
      ask(pick % 3 === 0 ? 'question' : pick % 3 === 1 ? 'plan' : 'permission', callId, text)
    } else if (known.state === 'requested') {
      calls.set(callId, { ...known, state: 'running' })
      emit({ type: 'tool.started', callId, arguments: { text } })
    } else if (pick % 5 === 0) {
      const sessionId = SessionId.parse(`ses_${++made}`)
      emit({ type: 'subagent.started', callId, sessionId, agent: 'explore', description: text })
      if (pick % 2 === 0) emit({ type: 'subagent.ended', callId, sessionId, outcome: 'done', usage, cost: 0.25 })
    } else if (pick % 3 === 0) {
      endCall(callId, known.output)
    } else {
      say(known.itemId, 'output', known.output.length, text)
      calls.set(callId, { ...known, output: known.output + text })
    }
  }
  const moveHead = (pick: number): void => {
    endTurn()
    const to = pick % 9 === 0 ? null : (pickOf(nodes.keys(), pick) ?? null)
    const requestId = `00000000-0000-4000-9000-${String(pick % 5).padStart(12, '0')}`
    const undoes = pick % 4 === 0 ? { undoes: `00000000-0000-4000-9000-${String(pick % 3).padStart(12, '0')}` } : {}
    const restore = pick % 2 === 0 ? { restoreId: RestoreId.parse(`rst_${pick % 3}`) } : {}
    const next = pick % 7 === 0 ? head : to
    emit({
      type: 'head.moved',
      from: head,
      to: next,
      reason: 'rewind',
      checkpoint: null,
      requestId,
      ...undoes,
      ...restore,
    })
    head = next
  }
  const compact = (text: string): void => {
    const first = nodes.keys().next().value
    if (first === undefined || head === null) return
    const range = { fromItemId: first, toItemId: head }
    emit({
      ...{ type: 'context.compacted', ...add('compaction'), ...range, summary: text, tokensBefore: 9, tokensAfter: 1 },
      ...{ way: 'model', why: 'share', kept: [first], clearedTo: head, folded: 3, cleared: 1 },
      asked: { model: 'scripted/default', usage, cost: 1 },
    })
  }
  const small = (pick: number, text: string): void => {
    const requestId = `00000000-0000-4000-8000-${String(pick % 4).padStart(12, '0')}`
    const reviewId = ReviewId.parse(`rev_${pick % 3}`)
    const path = { rootId: RootId.parse('root_1'), path: 'a.txt' }
    const nothing = { before: null, after: null, beforeBlob: null, afterBlob: null, lines: null }
    const all: SessionEventDraft[] = [
      { type: 'session.titled', title: text, by: 'person' },
      { type: 'mode.changed', mode: 'plan', by: 'person' },
      { type: 'engine.switched', producer },
      { type: 'todo.changed', items: [{ text, state: 'pending' }] },
      { type: 'queue.changed', items: [{ requestId, text, attachments: [] }], paused: pick % 2 ? 'stopped' : null },
      {
        type: 'rules.changed',
        rules: [{ tool: 'bash', verdict: 'allow', pattern: text || null, priority: 0 }],
        by: 'test',
      },
      { type: 'steer.offered', requestId, text },
      { type: 'steer.demoted', requestId },
      { type: 'steer.withdrawn', requestId },
      { type: 'status.changed', turnId, code: 'retry', text },
      { type: 'checkpoint.taken', checkpointId: text, turnId: turnId ?? TurnId.parse('trn_0'), when: 'start' },
      { type: 'tool.wrote', callId: CallId.parse(`call_${pick % 4}`), files: [] },
      { type: 'review.accepted', reviewId, files: [{ path, seen: null, seenBlob: null, lines: null }], by: 'test' },
      { type: 'review.reverted', reviewId, files: [{ path, ...nothing }], by: 'test' },
      { type: 'review.undone', reviewId, files: [], by: 'test' },
      {
        type: 'restore.begun',
        restoreId: RestoreId.parse(`rst_${pick % 3}`),
        checkpoint: text,
        files: [{ path, before: null, after: null }],
        by: 'test',
      },
      { type: 'restore.failed', restoreId: RestoreId.parse(`rst_${pick % 3}`), left: [path], by: 'test' },
      { type: 'of.a.later.version', text } as unknown as SessionEventDraft,
    ]
    emit(all[pick % all.length] as SessionEventDraft)
  }

  emit({ type: 'session.created', sessionId: CASE_SESSION, roots: ['/w'], title: null })
  const acting: Record<Act, (pick: number, text: string) => void> = {
    prompt: (_pick, text) => prompt(text),
    stream,
    goOn,
    endStream(pick) {
      const entry = pickOf(streaming, pick)
      if (entry) endStream(entry[0], entry[1].text, entry[1].kind)
    },
    call: (_pick, text) => call(text),
    workOn,
    answer(pick) {
      const entry = pickOf(asks, pick)
      if (entry) answer(entry[0], entry[1])
    },
    moveHead,
    compact: (_pick, text) => compact(text),
    endTurn,
    small,
  }
  for (const { act, pick, text } of steps) {
    if (turnId === null && act !== 'moveHead' && act !== 'small') prompt(text)
    else acting[act](pick, text)
  }
  return out
}
