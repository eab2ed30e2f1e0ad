/**
 * Belay in a terminal: the conversation above, a field below, one key for each answer. It draws what has changed and nothing
 * else. Ctrl+C stops the turn, and leaves where none runs and it comes twice.
 */
import {
  type Component,
  Container,
  Editor,
  matchesKey,
  SelectList,
  type Terminal,
  Text,
  TUI,
} from '@earendil-works/pi-tui'
import { toFault } from '#contract/error'
import type { ModelInfo } from '#contract/model'
import { type Opening, partsOf, sessionFor } from '../headless/conversation.ts'
import { consentFor } from '../headless/verbs.ts'
import { createAskPanel } from './ask-panel.ts'
import { type CommandHouse, commandIn } from './commands.ts'
import { createCompletion } from './completion.ts'
import { createStatusLine } from './status-line.ts'
import { createTalk } from './talk.ts'
import { themeOf } from './theme.ts'
import { createTranscript } from './transcript.ts'

export interface InteractiveRequest extends Opening {
  readonly terminal: Terminal
  readonly colours: boolean
  readonly folder: string
  /** A signal: everything is left in order. */
  readonly signal: AbortSignal
}

/** How long a first Ctrl+C waits for a second one. */
const TWICE_MS = 2000

/** Answers when the person has left. Rejects where no session could be opened. */
export async function interactive(request: InteractiveRequest): Promise<void> {
  const { client, workspaceId, options, terminal, signal } = request
  const sessionId = await sessionFor(client, workspaceId, options)
  const theme = themeOf(request.colours)
  const tui = new TUI(terminal)
  const transcript = createTranscript(theme)
  const draw = () => tui.requestRender()
  let models: ModelInfo[] = []
  let jailed = false
  let hint: string | null = null
  let leave = () => {}
  const left = new Promise<void>(resolve => {
    leave = resolve
  })

  const note = (words: string, kind?: 'dim' | 'warn' | 'bad') => {
    transcript.note(words, kind)
    draw()
  }
  const complain = (thrown: unknown) => note(toFault(thrown).message, 'bad')
  const asks = createAskPanel({ client, theme, changed: draw, complain: words => note(words, 'warn') })
  const talk = await createTalk(client, sessionId, {
    opened(state) {
      transcript.show(state)
      draw()
    },
    event(event, state) {
      transcript.event(event, state)
      refreshAsks()
      draw()
    },
    live(itemId, kind, whole) {
      transcript.live(itemId, kind, whole)
      draw()
    },
  })
  const refreshAsks = () => {
    asks.show(talk.sessionId, talk.asks)
    tui.setFocus(asks.asking ? asks : picker.children.length > 0 ? (picker.children[1] ?? editor) : editor)
  }

  const editor = new Editor(tui, theme.editor, { paddingX: 1 })
  editor.setAutocompleteProvider(createCompletion(client, workspaceId))
  const picker = new Container()
  const status = createStatusLine(theme, () => ({
    state: talk.state,
    window: models.find(({ model }) => model === talk.state.facts.producer?.model)?.contextTokens ?? null,
    jailed,
    hint,
  }))

  const choose: CommandHouse['choose'] = (title, items) =>
    new Promise(resolve => {
      const done = (value: string | null) => {
        picker.clear()
        tui.setFocus(editor)
        draw()
        resolve(value)
      }
      if (items.length === 0) {
        note('There is nothing to choose from.')
        return resolve(null)
      }
      const list = new SelectList([...items], 10, theme.list)
      list.onSelect = ({ value }) => done(value)
      list.onCancel = () => done(null)
      picker.addChild(new Text(theme.bold(title), 1, 0))
      picker.addChild(list)
      tui.setFocus(list)
      draw()
    })
  const house: CommandHouse = {
    ...{ client, talk, choose, leave: () => leave() },
    say: words => note(words),
    async begin() {
      const { mode, model } = options
      const made = await client.session.create({ workspaceId, mode: mode ?? undefined, model: model ?? undefined })
      await talk.open(made.sessionId)
    },
    draft(text) {
      if (editor.getText() === '') editor.setText(text)
    },
    sessions: async () => (await client.session.list({ workspaceId })).sessions,
  }

  const agreed = async (): Promise<boolean> => {
    const consent = await consentFor(client, talk.state.facts.producer?.model ?? '', options.model)
    if (!consent) return true
    const answer = await choose(consent.question, [
      { value: 'no', label: 'No, keep them here' },
      { value: 'yes', label: 'Yes, always' },
    ])
    if (answer === 'yes') await consent.give()
    return answer === 'yes'
  }
  const submit = async (text: string): Promise<void> => {
    const words = text.trim()
    if (words === '') return
    try {
      const found = commandIn(words)
      if (found) return await found.command.run(house, found.rest)
      if (!(await agreed())) return house.draft(text)
      await talk.say(partsOf(words))
    } catch (thrown) {
      house.draft(text)
      complain(thrown)
    }
  }
  editor.onSubmit = text => {
    if (text.trim() !== '') editor.addToHistory(text)
    editor.setText('')
    void submit(text)
  }

  const interrupt = (): void => {
    if (hint !== null) {
      leave()
      return
    }
    hint = talk.running
      ? 'Stopping… Ctrl+C again leaves. The session stays.'
      : 'Ctrl+C again leaves. The session stays.'
    if (talk.running) void talk.stop().catch(complain)
    else editor.setText('')
    draw()
    setTimeout(() => {
      hint = null
      draw()
    }, TWICE_MS).unref()
  }
  tui.addInputListener(data => {
    if (matchesKey(data, 'ctrl+c')) interrupt()
    else if (matchesKey(data, 'ctrl+d') && editor.getText() === '') leave()
    else if (matchesKey(data, 'ctrl+o')) {
      transcript.toggleDetails()
      draw()
    } else return undefined
    return { consume: true }
  })
  signal.addEventListener('abort', () => leave(), { once: true })
  request.onClose(() => leave())

  const greeting: Component = new Text(theme.dim(`Belay in ${request.folder}. /help says what one can do.`), 0, 0)
  for (const each of [greeting, transcript, asks, picker, new Text('', 0, 0), editor, status]) tui.addChild(each)
  tui.setFocus(editor)
  tui.start()
  refreshAsks()
  void client.model.list({ refresh: false }).then(
    list => {
      models = list.models
      draw()
    },
    () => {},
  )
  void client.sandbox.status({}).then(
    ({ state }) => {
      jailed = state === 'holds'
      draw()
    },
    () => {},
  )
  if (options.prompt) void submit(options.prompt)
  try {
    await left
  } finally {
    await talk.close()
    tui.stop()
  }
}
