/**
 * Whatever waits for a person. The ask is an event, the answer a request; the first answer wins and closes the ask for
 * everyone. What waits survives every window: the ask stands in the log, only the waiting is here.
 */
import { BelayError } from '#contract/error'
import { AskId, type CallId, type SessionId, type TurnId } from '#contract/id'
import type {
  AskedCall,
  Mode,
  PermissionAnswer,
  Question,
  QuestionAnswer,
  SessionEventDraft,
} from '#contract/session-event'
import type { Ask } from '#contract/session-state'
import { createEmitter } from '../base/emitter.ts'
import { newId } from '../base/id.ts'
import type { Remember, Remembered, SessionPort } from './ports.ts'

export interface PlanDecision {
  decision: 'approved' | 'rejected'
  mode: Mode | null
  words: string | null
}

/** What `ask*` and `proposePlan` answer is null when nobody decides any more: declined, or the turn was stopped. */
export interface Gate {
  askPermission(ask: Asking & { calls: AskedCall[] }): Promise<PermissionAnswer[] | null>
  askQuestions(ask: Asking & { callId: CallId; questions: Question[] }): Promise<QuestionAnswer[] | null>
  proposePlan(ask: Asking & { callId: CallId; markdown: string }): Promise<PlanDecision | null>
  /** `won: false` when the ask was closed before. Throws `not_found` for an unknown ask and `invalid` for half an answer. */
  answerPermission(reply: Reply & { answers: PermissionAnswer[] }): Promise<{ won: boolean }>
  answerQuestions(reply: Reply & { answers: QuestionAnswer[] | null }): Promise<{ won: boolean }>
  decidePlan(reply: Reply & PlanDecision): Promise<{ won: boolean }>
}
interface Asking {
  session: SessionPort
  turnId: TurnId
  signal: AbortSignal
}
interface Reply {
  session: SessionPort
  askId: AskId
  /** Who answers, for the log: the client. */
  by: string
}
type Draft = SessionEventDraft
type AskOf<K extends Ask['kind']> = Extract<Ask, { kind: K }>

export function createGate(options: { remember: Remember }): Gate {
  const waiting = new Map<string, (answer: unknown) => void>()
  /** Being closed by whoever came first. */
  const closing = new Set<string>()
  const begun = createEmitter<string>()
  const keyOf = (sessionId: SessionId, askId: AskId) => `${sessionId} ${askId}`

  /** `known`: the ask stands in the log already, from before a restart. */
  const wait = async <T>(
    ask: Asking,
    askId: AskId,
    asked: Draft,
    withdrawn: Draft,
    known = false,
  ): Promise<T | null> => {
    const { session, signal } = ask
    if (signal.aborted && !known) return null
    const key = keyOf(session.sessionId, askId)
    const answer = new Promise<T | null>(resolve => waiting.set(key, resolve as (answer: unknown) => void))
    begun.emit(key)
    const settle = claim(key)
    const onAbort = () => void settle(() => session.append(withdrawn), null).catch(() => {})
    try {
      if (!known) await session.append(asked)
      signal.addEventListener('abort', onAbort, { once: true })
      if (signal.aborted) onAbort()
      return await answer
    } finally {
      waiting.delete(key)
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** Only the first to come closes an ask; its event is on disk before anybody goes on. A refused write gives it back. */
  const claim = (key: string) => async (close: () => Promise<unknown>, answer: unknown) => {
    const resolve = waiting.get(key)
    if (!resolve) return false
    waiting.delete(key)
    closing.add(key)
    try {
      await close()
    } catch (fault) {
      // The turn was stopped and the log is gone: nobody else will come, so the waiting ends here.
      if (answer === null) resolve(null)
      else waiting.set(key, resolve)
      throw fault
    } finally {
      closing.delete(key)
    }
    resolve(answer)
    return true
  }

  /** Asks of this turn that stand in the log and for which nobody waits: a process that ended left them. */
  const leftOpen = <K extends Ask['kind']>({ session, turnId }: Asking, kind: K): AskOf<K>[] =>
    [...session.state.asks.values()].filter(
      (ask): ask is AskOf<K> =>
        ask.kind === kind &&
        ask.turnId === turnId &&
        ask.answer === null &&
        // Being answered just now is not left open, although its answer is still on its way to the log.
        !waiting.has(keyOf(session.sessionId, ask.askId)) &&
        !closing.has(keyOf(session.sessionId, ask.askId)),
    )

  const untilBegun = (key: string): Promise<void> =>
    new Promise(resolve => {
      const done = () => {
        forget()
        clearTimeout(timer)
        resolve()
      }
      const forget = begun.on(known => known === key && done())
      const timer = setTimeout(done, BEGIN_MS)
    })

  const reply = async (to: Reply, answered: Draft | (() => Promise<Draft[]>), answer: unknown) => {
    const close = async () => to.session.append(...(typeof answered === 'function' ? await answered() : [answered]))
    const key = keyOf(to.session.sessionId, to.askId)
    // Its turn goes on after a restart and has not come to its ask again.
    if (!waiting.has(key) && !closing.has(key)) await untilBegun(key)
    return { won: await claim(key)(close, answer) }
  }

  return {
    async askPermission({ calls, ...ask }) {
      const left = leftOpen(ask, 'permission')
      const same = left.find(known => sameCalls(known.calls, calls))
      // The rules say otherwise than before the restart: what was asked then is no question any more.
      for (const { askId, calls } of left) if (askId !== same?.askId) await ask.session.append(denyAll(askId, calls))
      const batchId = same?.askId ?? newAskId()
      const asked: Draft = { type: 'permission.asked', batchId, turnId: ask.turnId, calls }
      return wait(ask, batchId, asked, denyAll(batchId, calls), same !== undefined)
    },
    async askQuestions({ callId, questions, ...ask }) {
      const known = leftOpen(ask, 'question').find(left => left.callId === callId)
      const askId = known?.askId ?? newAskId()
      const { turnId } = ask
      const withdrawn: Draft = { type: 'question.answered', askId, answers: null, by: BY_STOP }
      const asked: Draft = { type: 'question.asked', askId, turnId, callId, questions }
      const answers = await wait<QuestionAnswer[]>(ask, askId, asked, withdrawn, known !== undefined)
      return answers && answers.length > 0 ? answers : null
    },
    proposePlan({ callId, markdown, ...ask }) {
      const known = leftOpen(ask, 'plan').find(left => left.callId === callId)
      const askId = known?.askId ?? newAskId()
      const { turnId } = ask
      const closed = { decision: 'withdrawn' as const, mode: null, words: null, by: BY_STOP }
      const withdrawn: Draft = { type: 'plan.decided', askId, ...closed }
      const proposed: Draft = { type: 'plan.proposed', askId, turnId, callId, markdown }
      return wait(ask, askId, proposed, withdrawn, known !== undefined)
    },
    async answerPermission({ answers, ...to }) {
      const ask = find(to, 'permission')
      if (ask.answer) return { won: false }
      const { session, askId, by } = to
      const pairs = pair(ask, answers)
      const scope = { sessionId: session.sessionId, workspaceId: session.workspaceId }
      return reply(
        to,
        async () => {
          const kept: Remembered[] = []
          for (const [answer, call] of pairs) {
            const one = await options.remember(answer, call, scope)
            if (one) kept.push(one)
          }
          const rule = kept.map(({ line }) => line).join('\n') || null
          const answered: Draft = { type: 'permission.answered', batchId: askId, answers, by, rule }
          return [...ofSession(session, pairs, kept, by), answered]
        },
        answers,
      )
    },
    async answerQuestions({ answers, ...to }) {
      const ask = find(to, 'question')
      if (ask.answer) return { won: false }
      if (answers) checkAnswers(ask.questions, answers)
      return reply(to, { type: 'question.answered', askId: to.askId, answers, by: to.by }, answers ?? DECLINED)
    },
    async decidePlan({ decision, mode, words, ...to }) {
      const ask = find(to, 'plan')
      if (ask.answer) return { won: false }
      const { askId, by } = to
      return reply(to, { type: 'plan.decided', askId, decision, mode, words, by }, { decision, mode, words })
    },
  }
}

/** What the answers change of the session itself: its mode, its rules. */
function ofSession(
  { state }: SessionPort,
  pairs: readonly [PermissionAnswer, AskedCall][],
  kept: readonly Remembered[],
  by: string,
): Draft[] {
  const { mode, rules } = state.facts
  const edits = pairs.some(([{ remember }, { kind }]) => remember === 'session' && kind === 'edit')
  const added = kept.flatMap(({ rule }) => rule ?? [])
  return [
    ...(edits && mode === 'default' ? [EDITS_RUN] : []),
    ...(added.length > 0 ? [{ type: 'rules.changed' as const, rules: [...rules, ...added], by }] : []),
  ]
}

/**
 * What "for this session" means of an edit: the session's mode lets edits inside the folders run, so it stands in its log, is shown
 * with its mode, and is taken back there. Protected places go on asking.
 */
const EDITS_RUN: Draft = { type: 'mode.changed', mode: 'acceptEdits', by: 'person' }
/** A declined question: an answer, but one without content. */
const DECLINED: QuestionAnswer[] = []
/** Who answered, in the log, when a stop withdrew the ask. */
const BY_STOP = 'stop'
/** A turn that goes on after a restart comes to its ask within this. */
const BEGIN_MS = 10_000
const newAskId = (): AskId => AskId.parse(newId('ask'))

const sameCalls = (a: readonly AskedCall[], b: readonly AskedCall[]): boolean =>
  a.length === b.length &&
  a.every(({ callId, exact }) => b.some(call => call.callId === callId && call.exact === exact))

function denyAll(batchId: AskId, calls: readonly AskedCall[]): Draft {
  const answers = calls.map(({ callId }) => ({ callId, verdict: 'deny' as const, remember: 'once' as const }))
  return { type: 'permission.answered', batchId, answers, by: BY_STOP, rule: null }
}

function find<K extends Ask['kind']>({ session, askId }: Reply, kind: K): AskOf<K> {
  const ask = session.state.asks.get(askId)
  if (ask?.kind === kind) return ask as AskOf<K>
  throw new BelayError(
    'not_found',
    'Nothing waits under this name any more. Open the conversation again to see where it stands.',
  )
}

/** Every call of the batch exactly once, and nothing remembered that was not offered. */
function pair(ask: AskOf<'permission'>, answers: PermissionAnswer[]): [PermissionAnswer, AskedCall][] {
  const pairs = ask.calls.map((call): [PermissionAnswer, AskedCall] => {
    const mine = answers.filter(answer => answer.callId === call.callId)
    const answer = mine[0]
    if (!answer || mine.length > 1)
      throw new BelayError(
        'invalid',
        `Nothing was allowed: the call ${call.tool} needs exactly one answer, it got ${mine.length}.`,
      )
    if (answer.remember !== 'once' && !call.remember.includes(answer.remember))
      throw new BelayError('invalid', `Nothing was allowed: an answer for ${call.tool} can only be for this once.`)
    if (answer.remember !== 'once' && (answer.verdict === 'skip' || answer.arguments !== undefined))
      throw new BelayError('invalid', `Nothing was allowed: ${call.tool} skipped or changed is for this once.`)
    if (answer.remember === 'session' && answer.verdict === 'deny' && call.kind === 'edit')
      throw new BelayError('invalid', 'Nothing was denied: a no is for this once or always here, not for a session.')
    if (answer.pattern !== undefined && !call.patterns?.includes(answer.pattern))
      throw new BelayError('invalid', `Nothing was allowed: this rule for ${call.tool} was not offered.`)
    return [answer, call]
  })
  if (answers.length !== ask.calls.length)
    throw new BelayError('invalid', 'Nothing was allowed: there are answers for calls that did not ask.')
  return pairs
}

function checkAnswers(questions: readonly Question[], answers: readonly QuestionAnswer[]): void {
  if (answers.length !== questions.length)
    throw new BelayError(
      'invalid',
      `${questions.length} questions were asked, ${answers.length} answered. Answer each, or none.`,
    )
  for (const [i, { choices, multiple, free }] of questions.entries()) {
    const answer = answers[i]
    const known = answer?.chosen.every(label => choices.some(choice => choice.label === label))
    if (!answer || !known || (!multiple && answer.chosen.length > 1) || (!free && answer.words))
      throw new BelayError('invalid', `The answer to question ${i + 1} is not one that it offers.`)
  }
}
