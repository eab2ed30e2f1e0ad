/** The same for a screen reader, a dumb terminal or a log: lines that are never drawn again, and answers that are typed. */
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { createClient } from '#contract/client'
import { toFault } from '#contract/error'
import { contract } from '#contract/index'
import { PROTOCOL_VERSION } from '#contract/protocol'
import type { PermissionAnswer, SessionEvent } from '#contract/session-event'
import type { SessionState } from '#contract/session-fold'
import type { Ask } from '#contract/session-state'
import { visibleText } from '../../base/foreign-text.ts'
import { newId } from '../../base/id.ts'
import { type Opening, partsOf, sessionFor } from '../headless/conversation.ts'
import { readInput } from '../headless/stream-lines.ts'
import { type CommandHouse, commandIn } from './commands.ts'
import { createTalk } from './talk.ts'
import { countsOf, tailOf, targetOf, verdictOf } from './tool-words.ts'

export interface PlainRequest extends Omit<Opening, 'name'> {
  readonly input: Readable
  readonly output: Writable
  readonly folder: string
  readonly signal: AbortSignal
}

/** Answers when the input has ended or the person has left. */
export async function plain(request: PlainRequest): Promise<void> {
  const { connection, workspaceId, options, output, signal } = request
  const client = createClient(contract, connection)
  await client.link.hello({ protocol: PROTOCOL_VERSION, name: 'terminal', clientId: newId('terminal') })
  const sessionId = await sessionFor(client, workspaceId, options)
  const print = (words: string) => void output.write(`${visibleText(words)}\n`)
  const complain = (thrown: unknown) => print(`Error: ${toFault(thrown).message}`)
  const lines = createInterface({ input: request.input, terminal: false })
  /** Who takes the next line instead of the agent. */
  let taking: ((line: string) => void) | null = null
  let ended = false
  const question = (words: string): Promise<string> => {
    print(words)
    return ended
      ? Promise.resolve('')
      : new Promise(resolve => {
          taking = resolve
        })
  }

  const ask = async (each: Ask): Promise<void> => {
    if (each.kind === 'permission') {
      const answers: PermissionAnswer[] = []
      for (const { callId, tool, exact, where, reason, remember } of each.calls) {
        print(`Allow ${tool}? ${exact}\n${where} · ${reason}`)
        const word = (
          await question(`Answer: yes, ${remember.map(scope => `${scope}, `).join('')}no, or words why not.`)
        ).trim()
        const scope = remember.find(name => name === word.toLowerCase())
        if (/^y(es)?$/i.test(word)) answers.push({ callId, verdict: 'allow', remember: 'once' })
        else if (scope) answers.push({ callId, verdict: 'allow', remember: scope })
        else
          answers.push({
            callId,
            verdict: 'deny',
            remember: 'once',
            ...(/^(no?)?$/i.test(word) ? {} : { words: word }),
          })
      }
      await client.session.answerPermission({ sessionId: talk.sessionId, batchId: each.askId, answers })
    } else if (each.kind === 'question') {
      const answers = []
      for (const { text, choices } of each.questions) {
        const listed = choices.map(({ label }, at) => `${at + 1}. ${label}`)
        const word = (await question([text, ...listed, 'Answer with a number or words.'].join('\n'))).trim()
        const label = choices[Number(word) - 1]?.label
        answers.push(label === undefined ? { chosen: [], words: word } : { chosen: [label] })
      }
      await client.session.answerQuestion({ sessionId: talk.sessionId, askId: each.askId, answers })
    } else {
      const word = (await question(`${each.markdown}\nCarry it out? yes, or words why not.`)).trim()
      const approved = /^y(es)?$/i.test(word)
      const more = approved ? { mode: 'default' as const } : word === '' ? {} : { words: word }
      const decision = approved ? ('approved' as const) : ('rejected' as const)
      await client.session.decidePlan({ sessionId: talk.sessionId, askId: each.askId, decision, ...more })
    }
  }

  let leave = () => {}
  const left = new Promise<void>(resolve => {
    leave = resolve
  })
  /** Lines that are not dealt with yet. */
  let busy = 0
  /** What was asked for before the input ended is still answered. */
  const leaveWhenDone = () => void setImmediate(() => ended && busy === 0 && !isWorking() && leave())
  const isWorking = (): boolean => {
    const { steers, queue, queuePaused } = talk.state.facts
    return talk.running || steers.length > 0 || (queue.length > 0 && !queuePaused)
  }
  const tell = (event: SessionEvent, state: SessionState): void => {
    if (event.type === 'message.ended') print(event.text)
    if (event.type === 'status.changed' && event.code !== 'stopped') print(event.text)
    if (event.type === 'tool.ended') {
      const id = state.calls.get(event.callId)
      const item = id === undefined ? undefined : state.items.get(id)
      if (item?.kind !== 'tool') return
      const facts = [countsOf(item.files), verdictOf(item.lsp), item.state === 'done' ? '' : item.state].filter(Boolean)
      print([`${item.tool} ${targetOf(item.started ?? readInput(item.arguments))}`, ...facts].join(', '))
      if (item.state === 'failed') for (const line of tailOf(item, 10)) print(`  ${line}`)
    }
    if (event.type === 'turn.ended') {
      if (event.outcome !== 'done') print(event.error?.message ?? `The turn ended: ${event.outcome}.`)
      leaveWhenDone()
    }
    if (event.type === 'permission.asked' || event.type === 'question.asked' || event.type === 'plan.proposed') {
      const asked = state.asks.get('batchId' in event ? event.batchId : event.askId)
      if (asked) void ask(asked).catch(complain)
    }
  }
  const talk = await createTalk(client, sessionId, { opened: () => {}, event: tell, live: () => {} })
  const house: CommandHouse = {
    ...{ client, talk, say: print, draft: () => {}, leave: () => leave() },
    async begin() {
      await talk.open((await client.session.create({ workspaceId })).sessionId)
    },
    async choose(title, items) {
      const listed = items.map(({ label }, at) => `${at + 1}. ${label}`)
      const number = Number(
        await question([title, ...listed, 'Answer with a number; an empty line chooses none.'].join('\n')),
      )
      return items[number - 1]?.value ?? null
    },
    sessions: async () => (await client.session.list({ workspaceId })).sessions,
  }
  const submit = async (text: string): Promise<void> => {
    if (text.trim() === '') return
    busy += 1
    try {
      const found = commandIn(text)
      if (found) await found.command.run(house, found.rest)
      else await talk.say(partsOf(text))
    } catch (thrown) {
      complain(thrown)
    } finally {
      busy -= 1
      leaveWhenDone()
    }
  }

  print(`Belay in ${request.folder}. Write to the agent, or /help.`)
  lines.on('line', line => {
    const take = taking
    taking = null
    if (take) take(line)
    else void submit(line)
  })
  lines.on('close', () => {
    ended = true
    taking?.('')
    leaveWhenDone()
  })
  signal.addEventListener('abort', () => leave(), { once: true })
  connection.onClose(() => leave())
  for (const each of talk.asks) void ask(each).catch(complain)
  if (options.prompt) await submit(options.prompt)
  try {
    await left
  } finally {
    lines.close()
    await talk.close()
  }
}
