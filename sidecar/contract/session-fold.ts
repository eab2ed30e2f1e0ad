/**
 * The only interpreter of session events, in every process. Laws (session-fold.test.ts): folding a log gives the live
 * state without its live slot; folding an event into a window equals the window of the folded state, or says `reopen`.
 */
import type { ItemId, SessionId } from './id.ts'
import {
  addCost,
  addItem,
  answerAsk,
  changeItem,
  changeTurn,
  given,
  markHead,
  patch,
  pathTo,
  withLater,
} from './session-change.ts'
import type { LiveDelta, SessionEvent, SessionEventOf, Usage } from './session-event.ts'
import { factsOn, withMove } from './session-moves.ts'
import type { Item, MessageItem, ReasoningItem, SessionFacts, SessionState, ToolItem } from './session-state.ts'

export type { SessionState } from './session-state.ts'

export type FoldResult = 'ok' | 'reopen'
export type LiveResult = 'applied' | 'known' | 'gap'

export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, known: true }
export const addUsage = (a: Usage, b: Usage): Usage => ({
  input: a.input + b.input,
  output: a.output + b.output,
  cacheRead: a.cacheRead + b.cacheRead,
  cacheWrite: a.cacheWrite + b.cacheWrite,
  reasoning: a.reasoning + b.reasoning,
  known: a.known && b.known,
})

/** What was used outside of any turn of this session. */
function spend(state: SessionState, spent: { usage: Usage; cost: number | null } | undefined): void {
  const { usage, cost } = state.facts
  if (spent) patch(state, { usage: addUsage(usage, spent.usage), cost: addCost(cost, spent.cost) })
}

export const liveKey = (itemId: ItemId, kind: LiveDelta['kind']): string => `${itemId} ${kind}`

export const emptySession = (sessionId: SessionId): SessionState => ({
  facts: {
    sessionId,
    title: null,
    roots: [],
    mode: 'default',
    producer: null,
    parent: null,
    rules: [],
    forkedFrom: null,
    imported: null,
    seq: 0,
    head: null,
    running: null,
    todo: [],
    queue: [],
    queuePaused: null,
    steers: [],
    moves: [],
    usage: noUsage,
    cost: null,
    contextTokens: null,
    unknown: 0,
  },
  items: new Map(),
  calls: new Map(),
  turns: new Map(),
  asks: new Map(),
  reviews: new Map(),
  restores: new Map(),
  path: [],
  complete: true,
  live: new Map(),
})

/** Applies one durable event. Events at or below the known `seq` change nothing; a gap in `seq` says `reopen`. */
export function foldSession(state: SessionState, event: SessionEvent): FoldResult {
  if (event.seq <= state.facts.seq) return 'ok'
  if (event.seq !== state.facts.seq + 1) return 'reopen'
  state.facts = numbered(state.facts, event.seq)
  // Own names only: a type from a newer version, or from a broken one, may be called `constructor`.
  if (Object.hasOwn(appliers, event.type)) {
    const apply = appliers[event.type] as (state: SessionState, event: SessionEvent) => FoldResult | void
    return apply(state, event) ?? 'ok'
  }
  patch(state, { unknown: state.facts.unknown + 1 })
  return 'ok'
}

/** Applies one live delta by its offset. `gap` means that something was lost: open again. */
export function foldLive(state: SessionState, delta: LiveDelta): LiveResult {
  const key = liveKey(delta.itemId, delta.kind)
  const known = state.live.get(key)
  const item = state.items.get(delta.itemId)
  if (known === undefined && item && hasEnded(item, delta.kind)) return 'known'
  const length = known?.length ?? 0
  if (delta.offset > length) return 'gap'
  if (delta.offset + delta.text.length <= length) return 'known'
  state.live.set(key, (known ?? '') + delta.text.slice(length - delta.offset))
  return 'applied'
}

/** A call's arguments are complete as soon as it stands in the log; its output is not. */
export const hasEnded = (item: Item, kind: LiveDelta['kind']): boolean =>
  item.kind === 'tool'
    ? kind !== 'output' || (item.state !== 'requested' && item.state !== 'running')
    : item.kind === 'compaction' || item.ended

/** The facts object that this event may change. Spelled out: a spread of so many fields is most of the cost of a fold. */
const numbered = (facts: SessionFacts, seq: number): SessionFacts => ({
  sessionId: facts.sessionId,
  title: facts.title,
  roots: facts.roots,
  mode: facts.mode,
  producer: facts.producer,
  parent: facts.parent,
  rules: facts.rules,
  forkedFrom: facts.forkedFrom,
  imported: facts.imported,
  seq,
  head: facts.head,
  running: facts.running,
  todo: facts.todo,
  queue: facts.queue,
  queuePaused: facts.queuePaused,
  steers: facts.steers,
  moves: facts.moves,
  usage: facts.usage,
  cost: facts.cost,
  contextTokens: facts.contextTokens,
  unknown: facts.unknown,
})

type Appliers = { [T in SessionEvent['type']]: (state: SessionState, event: SessionEventOf<T>) => FoldResult | void }

const appliers: Appliers = {
  'session.created': (s, { sessionId, roots, title, parent, imported }) =>
    patch(s, { sessionId, roots, title, parent: parent ?? null, imported: imported ?? null }),
  'session.titled': (s, { title, asked }) => {
    patch(s, { title })
    spend(s, asked)
  },
  'session.forked': (s, { parentSessionId: sessionId, atItemId, parentHome: home }) =>
    patch(s, { forkedFrom: { sessionId, atItemId, ...given({ home }) } }),
  'mode.changed': (s, ev) => patch(s, { mode: ev.mode }),
  'engine.switched': (s, ev) => patch(s, { producer: ev.producer }),

  'turn.started': (s, { turnId, mode, producer, after, requestId, at }) => {
    s.turns.set(turnId, {
      turnId,
      mode,
      producer,
      ...given({ after, requestId }),
      startedAt: at,
      endedAt: null,
      outcome: null,
      usage: null,
      cost: null,
      error: null,
      notices: [],
    })
    patch(s, { running: turnId, producer })
  },
  'turn.noted': (s, { turnId, text }) => changeTurn(s, turnId, () => ({ note: text })),
  'turn.ended': (s, { turnId, outcome, usage, cost, error, contextTokens, answeredBy, at }) => {
    changeTurn(s, turnId, ({ producer, startedAt }) => ({
      outcome,
      usage,
      cost,
      error,
      // A clock that was set back makes nothing end before it began.
      endedAt: Math.max(at, startedAt),
      ...(answeredBy === undefined ? {} : { producer: { ...producer, model: answeredBy } }),
    }))
    patch(s, {
      running: s.facts.running === turnId ? null : s.facts.running,
      usage: addUsage(s.facts.usage, usage),
      cost: addCost(s.facts.cost, cost),
      contextTokens: contextTokens ?? s.facts.contextTokens,
    })
    if (contextTokens !== undefined && contextTokens !== null) markHead(s, { contextTokens })
    s.live.clear()
  },

  'message.added': (s, { id, parentId, turnId, step, role, origin, text, attachments, requestId, note, at }) =>
    addItem(s, {
      kind: 'message',
      id,
      parentId,
      turnId,
      step,
      at,
      role,
      origin,
      text,
      ended: role === 'user',
      attachments,
      requestId,
      ...(note === undefined ? {} : { note }),
      opaque: null,
    }),
  'message.partial': (s, { id, offset, text }) =>
    changeItem(s, id, 'message', (item: MessageItem) => ({ text: item.text.slice(0, offset) + text })),
  'message.ended': (s, { id, text, opaque, sources, media, refusal }) => {
    s.live.delete(liveKey(id, 'text'))
    changeItem(s, id, 'message', () => ({ text, opaque, ended: true, ...given({ sources, media, refusal }) }))
  },
  'reasoning.added': (s, { id, parentId, turnId, step, at }) =>
    addItem(s, {
      kind: 'reasoning',
      id,
      parentId,
      turnId,
      step,
      at,
      text: '',
      ended: false,
      durationMs: 0,
      redacted: false,
      opaque: null,
    }),
  'reasoning.ended': (s, { id, text, durationMs, redacted, opaque }) => {
    s.live.delete(liveKey(id, 'reasoning'))
    changeItem(s, id, 'reasoning', (): Partial<ReasoningItem> => ({ text, durationMs, redacted, opaque, ended: true }))
  },

  'tool.requested': (
    s,
    { id, parentId, turnId, step, callId, parentCallId, tool, at, server, via, arguments: text },
  ) => {
    s.live.delete(liveKey(id, 'arguments'))
    addItem(s, {
      kind: 'tool',
      id,
      parentId,
      turnId,
      step,
      at,
      callId,
      parentCallId,
      tool,
      arguments: text,
      startedAt: null,
      state: 'requested',
      preview: null,
      files: [],
      lsp: [],
      durationMs: 0,
      detail: {},
      ...given({ server, via }),
    })
  },
  'tool.started': (s, { callId, at, arguments: started }) =>
    changeItem(s, s.calls.get(callId), 'tool', () => ({ started, startedAt: at, state: 'running' as const })),
  'tool.ended': (s, { callId, outcome, preview, files, lsp, durationMs, detail, opaque, seq }) => {
    const id = s.calls.get(callId)
    if (id !== undefined) s.live.delete(liveKey(id, 'output'))
    changeItem(
      s,
      id,
      'tool',
      (): Partial<ToolItem> => ({
        state: outcome,
        preview,
        files,
        endedSeq: seq,
        lsp,
        durationMs,
        detail,
        ...given({ opaque }),
      }),
    )
  },
  'subagent.started': (s, { callId, sessionId, agent, description }) =>
    changeItem(s, s.calls.get(callId), 'tool', ({ subagents = [] }) => ({
      subagents: [...subagents, { sessionId, agent, description, outcome: null, cost: null }],
    })),
  'subagent.ended': (s, { callId, sessionId, outcome, usage, cost }) => {
    changeItem(s, s.calls.get(callId), 'tool', ({ subagents = [] }) => ({
      subagents: subagents.map(each => (each.sessionId === sessionId ? { ...each, outcome, cost } : each)),
    }))
    spend(s, { usage, cost })
  },
  'tool.wrote': (s, { callId, files, seq }) => {
    const id = s.calls.get(callId)
    changeItem(s, id, 'tool', item => ({ files: withLater(item.files, files), endedSeq: seq }))
    // Another object for its turn too: whoever counts what that changed counts again.
    const turnId = id && s.items.get(id)?.turnId
    if (turnId) changeTurn(s, turnId, () => ({}))
  },
  'diagnostics.updated': (s, { callId, lsp }) => changeItem(s, s.calls.get(callId), 'tool', () => ({ lsp })),

  'permission.asked': (s, { batchId, turnId, calls }) => {
    s.asks.set(batchId, { kind: 'permission', askId: batchId, turnId, calls, answer: null })
  },
  'permission.answered': (s, { batchId, answers, by, rule }) =>
    answerAsk(s, batchId, 'permission', { answers, by, rule }),
  'rules.changed': (s, ev) => patch(s, { rules: ev.rules }),
  'question.asked': (s, { askId, turnId, callId, questions }) => {
    s.asks.set(askId, { kind: 'question', askId, turnId, callId, questions, answer: null })
  },
  'question.answered': (s, { askId, answers, by }) => answerAsk(s, askId, 'question', { answers, by }),
  'plan.proposed': (s, { askId, turnId, callId, markdown }) => {
    s.asks.set(askId, { kind: 'plan', askId, turnId, callId, markdown, answer: null })
  },
  'plan.decided': (s, { askId, decision, mode, words, by }) =>
    answerAsk(s, askId, 'plan', { decision, mode, words, by }),

  'todo.changed': (s, { items }) => {
    patch(s, { todo: items })
    markHead(s, { todo: items })
  },
  'checkpoint.taken': (s, { checkpointId, turnId, when, refs }) => {
    if (when === 'start') changeTurn(s, turnId, () => ({ checkpointId, ...given({ refs }) }))
  },
  'head.moved': (s, event) => {
    const { to, restoreId } = event
    const restore = restoreId && s.restores.get(restoreId)
    if (restore) s.restores.set(restore.restoreId, { ...restore, outcome: 'done' })
    patch(s, { moves: withMove(s.facts.moves, event) })
    if (to === s.facts.head) return
    const next = pathTo(s, to)
    patch(s, { head: to })
    s.path = next?.path ?? []
    if (next) s.complete = next.complete
    patch(s, factsOn(s.items, s.path))
    // A window that does not reach the root cannot know how much of the new path it should show.
    return next?.complete ? 'ok' : 'reopen'
  },
  'restore.begun': (s, { restoreId, seq, at, checkpoint, files }) => {
    const turns = s.turns.size
    s.restores.set(restoreId, { restoreId, seq, at, turns, checkpoint, files, outcome: null, left: [] })
  },
  'restore.failed': (s, { restoreId, left }) => {
    const known = s.restores.get(restoreId)
    if (known) s.restores.set(restoreId, { ...known, outcome: 'failed', left })
  },
  'queue.changed': (s, { items, paused = null }) =>
    patch(s, { queue: items, queuePaused: items.length > 0 ? paused : null }),
  'steer.offered': (s, { requestId, text }) => patch(s, { steers: [...s.facts.steers, { requestId, text }] }),
  'steer.delivered': (s, ev) => patch(s, { steers: s.facts.steers.filter(x => x.requestId !== ev.requestId) }),
  'steer.demoted': (s, ev) => patch(s, { steers: s.facts.steers.filter(x => x.requestId !== ev.requestId) }),
  'steer.withdrawn': (s, ev) => patch(s, { steers: s.facts.steers.filter(x => x.requestId !== ev.requestId) }),
  'context.compacted': (s, { type: _type, seq: _seq, ...item }) => {
    addItem(s, { kind: 'compaction', ...item })
    patch(s, { contextTokens: item.tokensAfter })
    if (s.facts.head === item.id) markHead(s, { contextTokens: item.tokensAfter })
    spend(s, item.asked)
  },
  'review.accepted': (s, { reviewId, seq, files }) =>
    void s.reviews.set(reviewId, { reviewId, seq, accepted: files, reverted: [], undone: null }),
  'review.reverted': (s, { reviewId, seq, files }) =>
    void s.reviews.set(reviewId, { reviewId, seq, accepted: [], reverted: files, undone: null }),
  'review.undone': (s, { reviewId, seq, files }) => {
    const known = s.reviews.get(reviewId)
    if (known && !known.undone) s.reviews.set(reviewId, { ...known, undone: { seq, files } })
  },
  'status.changed': (s, { turnId, code, text, at }) => {
    if (turnId) changeTurn(s, turnId, turn => ({ notices: [...turn.notices, { at, code, text }] }))
  },
}
