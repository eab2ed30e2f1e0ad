/** Slash commands of the terminal: each one line of help and one thing to do. A word that is none is said, with the nearest. */
import type { Client } from '#contract/client'
import type { ItemId, SessionId } from '#contract/id'
import type { BelayContract } from '#contract/index'
import { Mode } from '#contract/session-event'
import { nearest } from '../../base/nearest.ts'
import { compact, newRequest, previewRewind, rewind, turnsIn, undo, wordsOfPreview } from '../headless/verbs.ts'
import type { Talk } from './talk.ts'

export interface CommandHouse {
  readonly client: Client<BelayContract>
  readonly talk: Talk
  say(words: string): void
  /** Makes a session and shows it. */
  begin(): Promise<void>
  /** One of a list, chosen by the person; null: none. */
  choose(
    title: string,
    items: readonly { value: string; label: string; description?: string }[],
  ): Promise<string | null>
  /** Words into the field, where it is empty. */
  draft(text: string): void
  sessions(): Promise<readonly { sessionId: SessionId; title: string; turns: number }[]>
  leave(): void
}

export interface Command {
  readonly name: string
  readonly takes?: string
  readonly help: string
  /** Throws words for the person. */
  run(house: CommandHouse, rest: string): Promise<void> | void
}

export const commands: readonly Command[] = [
  {
    name: 'help',
    help: 'what one can do here',
    run: ({ say }) =>
      say(
        [
          ...commands.map(({ name, takes, help }) => `/${name}${takes ? ` ${takes}` : ''}  ${help}`),
          '',
          'Enter sends; while the agent works it steers. Alt+Enter: a new line. Ctrl+O: details. Ctrl+C: stop, twice: leave.',
        ].join('\n'),
      ),
  },
  { name: 'new', help: 'a new session', run: ({ begin }) => begin() },
  {
    name: 'resume',
    help: 'go on with another session of this folder',
    async run({ sessions, choose, talk }) {
      const items = (await sessions()).map(({ sessionId, title, turns }) => ({
        value: sessionId,
        label: title,
        description: `${turns} ${turns === 1 ? 'turn' : 'turns'}`,
      }))
      const chosen = await choose('Which session?', items)
      if (chosen) await talk.open(chosen as SessionId)
    },
  },
  {
    name: 'mode',
    takes: Mode.options.filter(mode => mode !== 'bypassPermissions').join('|'),
    help: 'who is asked about what',
    async run({ client, talk, choose }, rest) {
      const modes = Mode.options.filter(mode => mode !== 'bypassPermissions')
      const chosen =
        rest ||
        (await choose(
          'Which mode?',
          modes.map(value => ({ value, label: value })),
        ))
      if (!chosen) return
      const mode = Mode.safeParse(chosen)
      if (!mode.success) throw new Error(`${chosen} is no mode. They are: ${modes.join(', ')}.`)
      await client.session.setMode({ sessionId: talk.sessionId, mode: mode.data })
    },
  },
  {
    name: 'model',
    takes: '[provider/model]',
    help: 'which model answers',
    async run({ client, talk, choose }, rest) {
      const { models } = await client.model.list({ refresh: false })
      const items = models.map(({ model, label }) => ({ value: model, label, description: model }))
      const model = rest || (await choose('Which model?', items))
      if (model) await client.session.setModel({ sessionId: talk.sessionId, model, effort: 'auto' })
    },
  },
  {
    name: 'rewind',
    takes: '[n]',
    help: 'takes back the last n turns, files included',
    async run({ client, talk: { sessionId }, choose, say, draft }, rest) {
      const turns = turnsIn(rest)
      say(wordsOfPreview(await previewRewind({ client, sessionId }, turns)))
      const what = await choose('Take back what?', [
        { value: 'both', label: 'The conversation and the files' },
        { value: 'conversation', label: 'The conversation alone' },
        { value: 'files', label: 'The files alone' },
      ])
      if (what !== 'both' && what !== 'conversation' && what !== 'files') return
      const words = await rewind({ client, sessionId }, turns, what)
      if (words !== null) draft(words)
      say('Taken back. /undo brings it again.')
    },
  },
  {
    name: 'undo',
    help: 'takes the last rewind back',
    run: async ({ client, talk: { sessionId, state }, say }) => say(await undo({ client, sessionId }, state.facts)),
  },
  {
    name: 'compact',
    takes: '[focus]',
    help: 'makes earlier parts shorter for the model; all of it can still be read',
    run: async ({ client, talk: { sessionId }, say }, rest) => say(await compact({ client, sessionId }, rest)),
  },
  {
    name: 'rerun',
    help: 'answers the last request once more; the earlier answer is kept',
    run: async ({ client, talk }) =>
      void (await client.head.rerun({ sessionId: talk.sessionId, requestId: newRequest() })),
  },
  {
    name: 'continue',
    help: 'goes on with a turn that stopped early',
    run: async ({ client, talk }) =>
      void (await client.head.continue({ sessionId: talk.sessionId, requestId: newRequest() })),
  },
  {
    name: 'fork',
    help: 'a branch from here, and shows it',
    async run({ client, talk }) {
      const atItemId: ItemId | null = talk.state.facts.head
      const { sessionId } = await client.session.fork({ sessionId: talk.sessionId, atItemId, requestId: newRequest() })
      await talk.open(sessionId)
    },
  },
  {
    name: 'queue',
    takes: 'words',
    help: 'words that are sent when the turn is over',
    async run({ talk }, rest) {
      if (rest === '') throw new Error('Write what is to wait: /queue and words.')
      await talk.say([{ kind: 'text', text: rest }], 'queue')
    },
  },
  { name: 'stop', help: 'stops the turn', run: ({ talk }) => talk.stop() },
  { name: 'exit', help: 'leaves; the session stays', run: ({ leave }) => leave() },
]

/** Null: it is a prompt. Throws words for a command that there is not. */
export function commandIn(text: string): { command: Command; rest: string } | null {
  const [, name, rest = ''] = /^\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? []
  if (name === undefined) return null
  const command = commands.find(each => each.name === name)
  if (command) return { command, rest: rest.trim() }
  const meant = nearest(
    name,
    commands.map(each => each.name),
  )
  throw new Error(`There is no /${name}.${meant ? ` Did you mean /${meant}?` : ''} /help lists what there is.`)
}
