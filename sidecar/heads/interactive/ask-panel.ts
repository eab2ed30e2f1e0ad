/** What waits for a person, above the field: one ask at a time, one key for each answer. Words go through a field of their own. */
import {
  type Component,
  Input,
  matchesKey,
  SelectList,
  truncateToWidth,
  wrapTextWithAnsi,
} from '@earendil-works/pi-tui'
import type { Client } from '#contract/client'
import { toFault } from '#contract/error'
import type { SessionId } from '#contract/id'
import type { BelayContract } from '#contract/index'
import type { AskedCall, PermissionAnswer, QuestionAnswer } from '#contract/session-event'
import type { Ask } from '#contract/session-state'
import { visibleText } from '../../base/foreign-text.ts'
import type { Theme } from './theme.ts'

/** Lines of the exact thing that is asked for; the rest is said in a count. */
const MOST_EXACT = 16

export interface AskPanel extends Component {
  /** The first that waits is shown; none: nothing is. */
  show(sessionId: SessionId, asks: readonly Ask[]): void
  readonly asking: boolean
  handleInput(data: string): void
}

export interface AskPanelOptions {
  client: Client<BelayContract>
  theme: Theme
  /** Something else is to be drawn. */
  changed(): void
  /** An answer was not taken, in words. */
  complain(words: string): void
}

interface Choice {
  key: string
  words: string
  take(): void
}

export function createAskPanel({ client, theme, changed, complain }: AskPanelOptions): AskPanel {
  let session: SessionId | null = null
  let ask: Ask | null = null
  /** Answers to the calls of a batch, in order; it goes out when all are there. */
  let given: PermissionAnswer[] = []
  let answered: QuestionAnswer[] = []
  let field: { input: Input; title: string } | null = null
  let list: SelectList | null = null

  const sent = (answering: Promise<unknown>): void => {
    const of = ask
    ask = null
    field = null
    list = null
    changed()
    answering.catch(thrown => {
      ask = of
      complain(toFault(thrown).message)
      changed()
    })
  }
  const giveVerdict = (answer: Omit<PermissionAnswer, 'callId'>): void => {
    if (ask?.kind !== 'permission' || session === null) return
    const call = ask.calls[given.length]
    if (call) given.push({ callId: call.callId, ...answer })
    field = null
    if (given.length < ask.calls.length) {
      changed()
      return
    }
    const answers = given
    given = []
    sent(client.session.answerPermission({ sessionId: session, batchId: ask.askId, answers }))
  }
  const askWords = (title: string, take: (words: string) => void): void => {
    const input = new Input()
    input.focused = true
    input.onSubmit = take
    input.onEscape = () => {
      field = null
      changed()
    }
    field = { input, title }
    changed()
  }
  const answerQuestion = (answer: QuestionAnswer | null): void => {
    if (ask?.kind !== 'question' || session === null) return
    const { askId, questions } = ask
    list = null
    field = null
    if (answer) answered.push(answer)
    if (answer && answered.length < questions.length) {
      begin()
      return
    }
    const answers = answer ? answered : null
    answered = []
    sent(client.session.answerQuestion({ sessionId: session, askId, answers }))
  }
  const decide = (
    decision: 'approved' | 'rejected',
    more: { mode?: 'acceptEdits' | 'default'; words?: string },
  ): void => {
    if (ask?.kind !== 'plan' || session === null) return
    sent(client.session.decidePlan({ sessionId: session, askId: ask.askId, decision, ...more }))
  }

  const choices = (): Choice[] => {
    if (ask?.kind === 'permission') {
      const call = ask.calls[given.length]
      return call ? callChoices(call) : []
    }
    if (ask?.kind === 'plan')
      return [
        { key: 'y', words: 'carry it out, asking for each edit', take: () => decide('approved', { mode: 'default' }) },
        { key: 'a', words: 'carry it out, edits run', take: () => decide('approved', { mode: 'acceptEdits' }) },
        { key: 'n', words: 'no', take: () => decide('rejected', {}) },
        {
          key: 'w',
          words: 'no, with words',
          take: () => askWords('What should be different?', words => decide('rejected', { words })),
        },
      ]
    return []
  }
  const callChoices = ({ remember, patterns }: AskedCall): Choice[] => {
    const wide = patterns?.[0] ? ` (${patterns[0]})` : ''
    const allow = (scope: PermissionAnswer['remember']) => () => giveVerdict({ verdict: 'allow', remember: scope })
    const all: (Choice | false)[] = [
      { key: 'y', words: 'yes, once', take: allow('once') },
      remember.includes('session') && { key: 's', words: 'yes, in this session', take: allow('session') },
      remember.includes('here') && { key: 'a', words: `always here${wide}`, take: allow('here') },
      { key: 'n', words: 'no', take: () => giveVerdict({ verdict: 'deny', remember: 'once' }) },
      remember.includes('here') && {
        ...{ key: 'N', words: 'never here' },
        take: () => giveVerdict({ verdict: 'deny', remember: 'here' }),
      },
      {
        ...{ key: 'w', words: 'no, with words' },
        take: () =>
          askWords('What should it do instead?', words => giveVerdict({ verdict: 'deny', remember: 'once', words })),
      },
    ]
    return all.filter(each => each !== false)
  }

  /** Of a question: a list to choose from, or a field for several and for words. */
  const begin = (): void => {
    if (ask?.kind !== 'question') return
    const question = ask.questions[answered.length]
    if (!question) return
    if (question.choices.length === 0 || question.multiple) {
      const how = question.multiple ? 'Numbers with commas, or words' : 'Your answer'
      askWords(how, words => answerQuestion(readAnswer(words, question)))
      return
    }
    const items = question.choices.map(({ label, description }) => ({
      value: label,
      label: visibleText(label),
      ...(description ? { description: visibleText(description) } : {}),
    }))
    const own = question.free ? [{ value: '', label: 'Something else…' }] : []
    list = new SelectList([...items, ...own], 8, theme.list)
    list.onSelect = ({ value }) =>
      value === ''
        ? askWords('Your answer', words => answerQuestion({ chosen: [], words }))
        : answerQuestion({ chosen: [value] })
    list.onCancel = () => answerQuestion(null)
    changed()
  }

  const lines = (width: number): string[] => {
    if (!ask) return []
    const { bold, dim, warn } = theme
    const wrapped = (text: string) => wrapTextWithAnsi(text, Math.max(1, width - 2)).map(line => `  ${line}`)
    const head = (text: string) => ['', warn(truncateToWidth(`▌ ${text}`, width))]
    if (ask.kind === 'permission') {
      const call = ask.calls[given.length]
      if (!call) return []
      const of = ask.calls.length > 1 ? ` (${given.length + 1} of ${ask.calls.length})` : ''
      const exact = visibleText(call.exact).split('\n')
      const more = exact.length > MOST_EXACT ? [dim(`  … ${exact.length - MOST_EXACT} more lines; v shows all`)] : []
      return [
        ...head(`${call.agent ? `${call.agent}: ` : ''}${call.tool}${of}`),
        ...exact.slice(0, MOST_EXACT).flatMap(line => wrapped(bold(line))),
        ...more,
        ...wrapped(dim(visibleText([call.where, call.reason].filter(Boolean).join(' · ')))),
        ...(call.dirty.length > 0 ? wrapped(warn(`Not saved: ${call.dirty.map(({ path }) => path).join(', ')}`)) : []),
      ]
    }
    if (ask.kind === 'plan') return [...head('A plan'), ...visibleText(ask.markdown).split('\n').flatMap(wrapped)]
    const question = ask.questions[answered.length]
    if (!question) return []
    const numbered = question.multiple
      ? question.choices.flatMap(({ label }, at) => wrapped(`${at + 1}  ${visibleText(label)}`))
      : []
    return [...head('A question'), ...wrapped(bold(visibleText(question.text))), ...numbered]
  }

  return {
    get asking() {
      return ask !== null
    },
    show(sessionId, asks) {
      session = sessionId
      const next = asks[0] ?? null
      if (next?.askId === ask?.askId) return
      ask = next
      given = []
      answered = []
      field = null
      list = null
      begin()
      changed()
    },
    render(width) {
      const keys = field || list ? [] : choices().map(({ key, words }) => `${theme.accent(key)} ${words}`)
      const below = field
        ? [truncateToWidth(`  ${theme.dim(`${field.title} (Esc: back)`)}`, width), ...field.input.render(width)]
        : (list?.render(width) ?? [])
      const foot =
        keys.length > 0 ? wrapTextWithAnsi(keys.join('   '), Math.max(1, width - 2)).map(line => `  ${line}`) : []
      return [...lines(width), ...below, ...foot]
    },
    invalidate() {
      list?.invalidate()
    },
    handleInput(data) {
      if (field) field.input.handleInput(data)
      else if (list) list.handleInput(data)
      else if (data === 'v' && ask?.kind === 'permission') complain(ask.calls[given.length]?.exact ?? '')
      else if (matchesKey(data, 'escape')) return
      else
        choices()
          .find(({ key }) => key === data)
          ?.take()
      changed()
    },
  }
}

function readAnswer(words: string, question: { choices: readonly { label: string }[] }): QuestionAnswer {
  const numbers = words.split(/[\s,]+/).filter(Boolean)
  const chosen = numbers.map(text => question.choices[Number(text) - 1]?.label)
  if (numbers.length > 0 && chosen.every(label => label !== undefined)) return { chosen: chosen as string[] }
  return { chosen: [], words }
}
