/** Asks as lines: one after the other, each answered with a word or a number; what somebody else answers is withdrawn. */
import type { Client } from '#contract/client'
import type { SessionId } from '#contract/id'
import type { BelayContract } from '#contract/index'
import type { AskedCall, PermissionAnswer, QuestionAnswer, SessionEvent } from '#contract/session-event'
import type { SessionState } from '#contract/session-fold'
import type { Ask } from '#contract/session-state'
import { createSerial } from '../../base/serial.ts'

export interface PlainAsks {
  show(ask: Ask): void
  /** After it was folded into `state`. */
  heard(event: SessionEvent, state: SessionState): void
}

export interface PlainAsksOptions {
  client: Client<BelayContract>
  sessionId(): SessionId
  /** The person's next line; null: nobody answers, or `withdraw` came first. */
  question(words: string): Promise<string | null>
  withdraw(): void
  complain(thrown: unknown): void
}

const isYes = (word: string): boolean => /^y(es)?$/i.test(word)
const isNo = (word: string): boolean => /^(no?)?$/i.test(word)

export function createPlainAsks({ client, sessionId, question, withdraw, complain }: PlainAsksOptions): PlainAsks {
  const serial = createSerial()
  const over = new Set<string>()
  let shown: string | null = null

  /** Null: withdrawn, so there is nothing to answer. */
  const words = async (askId: string, text: string): Promise<string | null> => {
    const line = await question(text)
    return over.has(askId) ? null : (line ?? '').trim()
  }
  const answerCalls = async ({ askId, calls }: Extract<Ask, { kind: 'permission' }>): Promise<void> => {
    const answers: PermissionAnswer[] = []
    for (const call of calls) {
      const word = await words(askId, wordsOf(call))
      if (word === null) return
      answers.push(verdictOf(call, word))
    }
    await client.session.answerPermission({ sessionId: sessionId(), batchId: askId, answers })
  }
  const answerQuestions = async ({ askId, questions }: Extract<Ask, { kind: 'question' }>): Promise<void> => {
    const answers: QuestionAnswer[] = []
    for (const { text, choices } of questions) {
      const listed = choices.map(({ label }, at) => `${at + 1}. ${label}`)
      const word = await words(askId, [text, ...listed, 'Answer with a number or words.'].join('\n'))
      if (word === null) return
      const label = choices[Number(word) - 1]?.label
      answers.push(label === undefined ? { chosen: [], words: word } : { chosen: [label] })
    }
    await client.session.answerQuestion({ sessionId: sessionId(), askId, answers })
  }
  const decide = async ({ askId, markdown }: Extract<Ask, { kind: 'plan' }>): Promise<void> => {
    const word = await words(askId, `${markdown}\nCarry it out? yes, or words why not.`)
    if (word === null) return
    const more = isYes(word) ? { mode: 'default' as const } : isNo(word) ? {} : { words: word }
    const decision = isYes(word) ? ('approved' as const) : ('rejected' as const)
    await client.session.decidePlan({ sessionId: sessionId(), askId, decision, ...more })
  }

  const show = (ask: Ask): void =>
    void serial(async () => {
      if (over.has(ask.askId)) return
      shown = ask.askId
      if (ask.kind === 'permission') await answerCalls(ask)
      else if (ask.kind === 'question') await answerQuestions(ask)
      else await decide(ask)
    })
      .catch(complain)
      .finally(() => {
        shown = null
      })

  return {
    show,
    heard(event, state) {
      if (event.type === 'permission.asked' || event.type === 'question.asked' || event.type === 'plan.proposed') {
        const ask = state.asks.get('batchId' in event ? event.batchId : event.askId)
        if (ask) show(ask)
      }
      if (event.type === 'permission.answered' || event.type === 'question.answered' || event.type === 'plan.decided') {
        const askId = 'batchId' in event ? event.batchId : event.askId
        over.add(askId)
        if (shown === askId) withdraw()
      }
    },
  }
}

function wordsOf({ tool, exact, where, reason, remember }: AskedCall): string {
  const scopes = remember.map(scope => `${scope}, `).join('')
  return `Allow ${tool}? ${exact}\n${where} · ${reason}\nAnswer: yes, ${scopes}no, or words why not.`
}

function verdictOf({ callId, remember }: AskedCall, word: string): PermissionAnswer {
  const scope = remember.find(name => name === word.toLowerCase())
  if (isYes(word) || scope) return { callId, verdict: 'allow', remember: scope ?? 'once' }
  return { callId, verdict: 'deny', remember: 'once', ...(isNo(word) ? {} : { words: word }) }
}
