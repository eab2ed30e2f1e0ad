/** The history a model gets: one message per model call, the same bytes again, and every unusual end told in words. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BlobId, CallId, ItemId, RequestId, SessionId, TurnId } from '#contract/id'
import type { SessionEvent, SessionEventDraft } from '#contract/session-event'
import { emptySession, foldSession, noUsage, type SessionState } from '#contract/session-fold'
import { historyOf, notesOf } from './context.ts'

const turnId = TurnId.parse('trn_1')
const itm = (n: number) => ItemId.parse(`itm_${n}`)
const noBlob = async () => null

function fold(drafts: SessionEventDraft[]): SessionState {
  const state = emptySession(SessionId.parse('ses_1'))
  for (const [i, draft] of drafts.entries()) foldSession(state, { ...draft, seq: i + 1, at: 0 } as SessionEvent)
  return state
}
const begun = (text: string, turn = turnId, id = 0, parent: number | null = null): SessionEventDraft[] => [
  {
    type: 'turn.started',
    turnId: turn,
    mode: 'default',
    producer: { engine: '', model: 'a/b', account: null, effort: 'auto' },
  },
  {
    type: 'message.added',
    id: itm(id),
    parentId: parent === null ? null : itm(parent),
    turnId: turn,
    role: 'user',
    origin: 'user',
    text,
    attachments: [],
    requestId: RequestId.parse('00000000-0000-4000-8000-000000000000'),
  },
]
const endedTool = (n: number, text: string): SessionEventDraft => ({
  type: 'tool.ended',
  callId: CallId.parse(`call_${n}`),
  outcome: 'done',
  preview: { text, bytes: text.length, truncated: false, blobId: null },
  files: [],
  lsp: [],
  durationMs: 1,
  detail: {},
})

/** A step as the loop writes it: words, then calls; and the calls' ends. */
const steps = fc.array(fc.record({ text: fc.string(), calls: fc.integer({ min: 0, max: 3 }) }), { maxLength: 8 })

it('grows only at its end, with one assistant message per model call', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async plan => {
      const drafts = begun('go')
      let id = 0
      let before = JSON.stringify(await historyOf(fold(drafts), noBlob)).slice(0, -1)
      let spoken = 0
      for (const [step, { text, calls }] of plan.entries()) {
        const next = (): { id: ItemId; parentId: ItemId; turnId: TurnId; step: number } => {
          id += 1
          return { id: itm(id), parentId: itm(id - 1), turnId, step }
        }
        const said = { role: 'assistant', origin: 'model', text: '', attachments: [], requestId: null } as const
        drafts.push({ type: 'message.added', ...next(), ...said, attachments: [] })
        drafts.push({ type: 'message.ended', id: itm(id), text, opaque: null })
        const first = id + 1
        for (let call = 0; call < calls; call++) {
          const callId = CallId.parse(`call_${id + 1}`)
          drafts.push({ type: 'tool.requested', ...next(), callId, parentCallId: null, tool: 't', arguments: '{}' })
        }
        for (let call = 0; call < calls; call++) drafts.push(endedTool(first + call, `r${call}`))
        spoken += Number(text.trim() !== '' || calls > 0)
        const history = await historyOf(fold(drafts), noBlob)
        const now = JSON.stringify(history)
        expect(now.startsWith(before)).toBe(true)
        expect(history.filter(message => message.role === 'assistant')).toHaveLength(spoken)
        before = now.slice(0, -1)
      }
    }),
    { numRuns: 100 },
  )
})

it('tells the model what became of an unfinished turn and of attachments', async () => {
  const second = TurnId.parse('trn_2')
  const drafts = [
    ...begun('one'),
    { type: 'turn.ended', turnId, outcome: 'stopped', usage: noUsage, cost: null, error: null },
    ...begun('two', second, 1, 0),
  ] as SessionEventDraft[]
  const last = drafts.at(-1)
  drafts.push({ type: 'turn.noted', turnId: second, text: 'Unsaved: a.ts' })
  if (last?.type !== 'message.added') throw new Error('no message')
  const blobId = BlobId.parse(`blb_${'0'.repeat(64)}`)
  last.attachments = [
    { kind: 'text', name: 'gone.txt', mediaType: 'text/plain', bytes: 1, blobId, path: null },
    {
      kind: 'file',
      name: 'b',
      mediaType: '',
      bytes: 0,
      blobId: null,
      path: { rootId: 'root_1' as never, path: 'a/b' },
    },
  ]
  expect(await historyOf(fold(drafts), noBlob)).toEqual([
    { role: 'user', text: 'one', images: [] },
    {
      role: 'user',
      text: [
        'two',
        '[Attached: gone.txt (its content is no longer kept)]',
        '[Attached: a/b]',
        '[Belay: the person stopped the turn before this message.]',
        '[Belay: Unsaved: a.ts]',
      ].join('\n\n'),
      images: [],
    },
  ])
})

it('a note that was rewound is told no more', () => {
  const second = TurnId.parse('trn_2')
  const first = [...begun('one'), { type: 'turn.noted', turnId, text: 'Today is Monday.' }] as SessionEventDraft[]
  expect(notesOf(fold(first))).toEqual(['Today is Monday.'])
  const away = { type: 'head.moved', from: null, to: null, reason: 'rewind', checkpoint: null }
  const again = [...first, away, ...begun('two', second, 1)] as SessionEventDraft[]
  expect(notesOf(fold(again))).toEqual([])
})
