/** What each mode makes of each kind of call, through every entry: one table, which none of them can read differently. */
import { describe, expect, it } from 'vitest'
import { Mode } from '../../sidecar/contract/session-event.ts'
import type { Item } from '../../sidecar/contract/session-state.ts'
import { newRequest, script, type TalkEntry } from './talk.case.ts'

/** By call: it runs, a person is asked, it is refused. Where nobody can be asked, `ask` is a refusal. */
type Row = readonly ('runs' | 'ask' | 'no')[]

const callsIn = (mode: Mode) => [
  // A file of its own: one that is there would have to be read first.
  { call: 'write', arguments: { path: `${mode}.txt`, content: 'x\n' } },
  { call: 'write', arguments: { path: '.vscode/x.json', content: '{}\n' } },
  { call: 'bash', arguments: { command: 'touch b.txt' } },
  { call: 'bash', arguments: { command: 'ls' } },
  { call: 'bash', arguments: { command: 'ls', unjailed: true } },
]
/** An edit, one of a protected place, a command, one that reads, one outside the jail. */
const table: Record<Mode, Row> = {
  plan: ['no', 'no', 'no', 'runs', 'no'],
  default: ['ask', 'ask', 'ask', 'runs', 'ask'],
  acceptEdits: ['runs', 'ask', 'ask', 'runs', 'ask'],
  auto: ['runs', 'ask', 'runs', 'runs', 'ask'],
  dontAsk: ['no', 'no', 'no', 'runs', 'no'],
  bypassPermissions: ['runs', 'runs', 'runs', 'runs', 'runs'],
}

export const promptIn = (mode: Mode) => script(callsIn(mode), [{ text: 'Over.' }])

/** Of the calls in their order. */
export const outcomesOf = (items: readonly Item[]): string[] =>
  items
    .flatMap(item => (item.kind === 'tool' ? [item.state] : []))
    .map(state => (state === 'done' ? 'runs' : state === 'denied' ? 'no' : state))

export const withNobodyToAsk = (mode: Mode): string[] => table[mode].map(word => (word === 'ask' ? 'no' : word))

export function modesCase(entries: readonly TalkEntry[]): void {
  describe('each mode', () => {
    for (const entry of entries.filter(({ skipped }) => skipped === null))
      it(`through ${entry.name}`, { timeout: 60_000 }, async () => {
        const opened = await entry.open()
        try {
          for (const mode of Mode.options) expect(await seen(opened, mode), mode).toEqual(shownIn(mode))
        } finally {
          await opened.dispose()
        }
      })
  })
}

/** Only a command line takes every rule away; a client's wish is refused. */
const shownIn = (mode: Mode): Row | 'refused' => (mode === 'bypassPermissions' ? 'refused' : table[mode])

async function seen({ workspaceId, connect }: Awaited<ReturnType<TalkEntry['open']>>, mode: Mode) {
  const client = await connect(`modes ${mode}`)
  const made = await client.session.create({ workspaceId, model: 'scripted/default', mode }).catch(fault => fault)
  if (!('sessionId' in made)) return made.code === 'denied' ? 'refused' : made
  const { sessionId } = made
  const asked = new Set<string>()
  const ended = new Promise<void>(resolve =>
    client.on('session/happened', ({ sessionId: of, events }) => {
      for (const event of of === sessionId ? events : []) {
        if (event.type === 'turn.ended') resolve()
        if (event.type !== 'permission.asked') continue
        for (const { callId } of event.calls) asked.add(callId)
        const answers = event.calls.map(({ callId }) => ({
          callId,
          verdict: 'deny' as const,
          remember: 'once' as const,
        }))
        void client.session.answerPermission({ sessionId, batchId: event.batchId, answers })
      }
    }),
  )
  await client.session.open({ sessionId })
  await client.session.prompt({ sessionId, requestId: newRequest(), parts: promptIn(mode) })
  await ended
  const { items } = await client.session.open({ sessionId })
  await client.session.close({ sessionId })
  const tools = items.flatMap(item => (item.kind === 'tool' ? [item] : []))
  return outcomesOf(items).map((word, at) => (asked.has(tools[at]?.callId ?? '') ? 'ask' : word))
}
