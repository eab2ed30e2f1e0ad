/**
 * Two branches of one conversation, over the real core and a model server: what either tells its model never holds a word of the
 * other, whatever made it: answers, calls and results, attachments, to-do lists, notes, sub-agents, compactions.
 */
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ItemId } from '#contract/id'
import type { PromptPart } from '#contract/session'
import type { PlayedAnswer } from './model/server/script.case.ts'
import { type PlayedServer, startPlayedServer } from './model/server/server.case.ts'
import { createStage, type Stage, type Talk } from './rewind.case.ts'

let provider: PlayedServer
let stage: Stage
let talk: Talk
const next: PlayedAnswer[] = []
const marks = ['ALPHA', 'BRAVO', 'CHARLIE']
const marksIn = (body: string | undefined) => marks.filter(mark => body?.includes(mark))
beforeEach(async () => {
  // What asks without tools wants a title or a summary.
  const answer = ({ json, body }: { json: Readonly<Record<string, unknown>>; body: string }): PlayedAnswer => {
    const told = json.tools ? 'Nothing more.' : `summary ${marks.findLast(mark => body.includes(mark))}`
    return (json.tools ? next.shift() : null) ?? { said: [{ text: told }] }
  }
  provider = await startPlayedServer({ answer })
  const env = { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: provider.baseUrl('anthropic') }
  stage = await createStage({ env, model: 'anthropic/claude-sonnet-5' })
  await stage.client.model.consent({ provider: 'anthropic' })
  talk = await stage.session()
})
afterEach(async () => {
  await stage.end()
  await provider.close()
})

/** What was asked of the model since, by conversations that have tools. */
async function askedBy(work: () => Promise<unknown>): Promise<string[]> {
  const from = provider.asked.length
  await work()
  return provider.asked.slice(from).flatMap(({ json, body }) => (json.tools ? body : []))
}

/** A turn that leaves the mark wherever a turn can leave one. */
function everywhere(mark: string): Promise<unknown> {
  const note: PromptPart = {
    kind: 'bytes',
    name: `${mark}.txt`,
    mediaType: 'text/plain',
    base64: btoa(`attached ${mark}`),
  }
  const call = (tool: string, args: object): PlayedAnswer => ({ said: [{ call: tool, arguments: args }] })
  next.push(
    {
      said: [
        { thinking: `thought ${mark}`, signature: 'sig' },
        { text: `said ${mark}` },
        { call: 'todo', arguments: { items: [{ text: `todo ${mark}`, state: 'pending' }] } },
      ],
    },
    call('write', { path: `${mark}.md`, content: `written ${mark}\n` }),
    call('bash', { command: `echo printed ${mark}` }),
    call('task', { agent: 'explore', description: `described ${mark}`, prompt: `handed on ${mark}` }),
    { said: [{ text: `the sub-agent found ${mark}` }] },
    { said: [{ text: `answered ${mark}` }] },
  )
  return talk.turn(`words ${mark}`, [note])
}

it('neither of two branches ever tells the model a word of the other', { timeout: 60_000 }, async () => {
  const { sessionId } = talk
  const open = () => stage.client.session.open({ sessionId })
  await everywhere('ALPHA')
  const there = await askedBy(() => everywhere('BRAVO'))
  expect(there).toHaveLength(6)
  expect((await talk.facts()).todo).toMatchObject([{ text: 'todo BRAVO' }])
  expect(await stage.client.session.compact({ sessionId })).toEqual({ outcome: 'compacted' })
  const bravo = (await talk.facts()).head as ItemId

  await talk.rewind({ turns: 1 }, 'conversation')
  expect((await talk.facts()).todo).toMatchObject([{ text: 'todo ALPHA' }])
  const here = await askedBy(() => everywhere('CHARLIE'))
  expect(here).toHaveLength(6)
  const charlie = (await talk.facts()).head as ItemId

  const inBravo = await askedBy(async () => {
    await talk.rewind({ branch: bravo }, 'conversation')
    expect((await talk.facts()).todo).toMatchObject([{ text: 'todo BRAVO' }])
    await talk.turn('on in the first')
    // Continued without words, and answered anew: still this branch alone.
    await talk.until(() => stage.client.head.rerun({ sessionId, requestId: crypto.randomUUID() as never }))
  })
  const inCharlie = await askedBy(async () => {
    await talk.rewind({ branch: charlie }, 'conversation')
    await talk.turn('on in the second')
  })
  // The sub-agent knows what it was handed, and nothing else.
  expect(there.map(marksIn)).toEqual([...Array(4).fill(['ALPHA', 'BRAVO']), ['BRAVO'], ['ALPHA', 'BRAVO']])
  expect(here.map(marksIn)).toEqual([...Array(4).fill(['ALPHA', 'CHARLIE']), ['CHARLIE'], ['ALPHA', 'CHARLIE']])
  expect([inBravo, inCharlie].map(bodies => bodies.map(marksIn))).toEqual([
    [
      ['ALPHA', 'BRAVO'],
      ['ALPHA', 'BRAVO'],
    ],
    [['ALPHA', 'CHARLIE']],
  ])
  const everything = ['words', 'attached', 'said', 'written', 'printed', 'described', 'handed on', 'found']
  for (const what of everything) {
    expect(there.at(-1)).toContain(`${what} BRAVO`)
    expect(inCharlie[0]).toContain(`${what} CHARLIE`)
  }
  expect(inBravo[0]).toContain('summary BRAVO')
  expect(
    (await open()).items
      .filter(item => item.kind === 'message')
      .map(item => item.text)
      .join(),
  ).not.toContain('BRAVO')
})
