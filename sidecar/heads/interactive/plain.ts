/** The same for a screen reader, a dumb terminal or a log: lines that are never drawn again, and answers that are typed. */
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { toFault } from '#contract/error'
import type { SessionEvent } from '#contract/session-event'
import type { SessionState } from '#contract/session-fold'
import { visibleText } from '../../base/foreign-text.ts'
import { type Opening, partsOf, sessionFor } from '../headless/conversation.ts'
import { readInput } from '../headless/stream-lines.ts'
import { consentFor } from '../headless/verbs.ts'
import { type CommandHouse, commandIn } from './commands.ts'
import { createPlainAsks } from './plain-asks.ts'
import { createTalk } from './talk.ts'
import { countsOf, tailOf, targetOf, verdictOf } from './tool-words.ts'

export interface PlainRequest extends Opening {
  readonly input: Readable
  readonly output: Writable
  readonly folder: string
  readonly signal: AbortSignal
}

/** Answers when the input has ended or the person has left. */
export async function plain(request: PlainRequest): Promise<void> {
  const { client, workspaceId, options, output, signal } = request
  const sessionId = await sessionFor(client, workspaceId, options)
  const print = (words: string) => void output.write(`${visibleText(words)}\n`)
  const complain = (thrown: unknown) => print(`Error: ${toFault(thrown).message}`)
  /** Who takes the next line instead of the agent; null to it: nobody answers any more. */
  let taking: ((line: string | null) => void) | null = null
  let ended = false
  const take = (line: string | null): boolean => {
    const taker = taking
    taking = null
    taker?.(line)
    return taker !== null
  }
  const question = (words: string): Promise<string | null> => {
    print(words)
    return new Promise(resolve => {
      taking = resolve
      if (ended) take(null)
    })
  }
  const asks = createPlainAsks({
    ...{ client, question, complain },
    sessionId: () => talk.sessionId,
    withdraw() {
      if (take(null)) print('It was answered elsewhere.')
    },
  })

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
    asks.heard(event, state)
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
  const agreed = async (): Promise<boolean> => {
    const consent = await consentFor(client, talk.state.facts.producer?.model ?? '', options.model)
    if (!consent) return true
    if (!/^y(es)?$/i.test((await question(`${consent.question} Answer: yes, for always, or no.`))?.trim() ?? ''))
      return false
    await consent.give()
    return true
  }
  const submit = async (text: string): Promise<void> => {
    if (text.trim() === '') return
    busy += 1
    try {
      const found = commandIn(text)
      if (found) await found.command.run(house, found.rest)
      else if (await agreed()) await talk.say(partsOf(text))
      else print('Nothing was sent.')
    } catch (thrown) {
      complain(thrown)
    } finally {
      busy -= 1
      leaveWhenDone()
    }
  }

  print(`Belay in ${request.folder}. Write to the agent, or /help.`)
  // Not before: what came in earlier would be lost, its end too.
  const lines = createInterface({ input: request.input, terminal: false })
  lines.on('line', line => {
    if (!take(line)) void submit(line)
  })
  lines.on('close', () => {
    ended = true
    take(null)
    leaveWhenDone()
  })
  signal.addEventListener('abort', () => leave(), { once: true })
  request.onClose(() => leave())
  for (const each of talk.asks) asks.show(each)
  if (options.prompt) await submit(options.prompt)
  try {
    await left
  } finally {
    lines.close()
    await talk.close()
  }
}
