/** What a modern model says beside words and calls, as a person and the next request find it: sources, images, refusals, its provider's tools. */
import { afterEach, describe, expect, it } from 'vitest'
import type { MessageItem, ToolItem } from '#contract/session-state'
import type { ScriptInput } from '../model/scripted-script.ts'
import { createRig, type Rig, told } from './fixture.case.ts'

let rig: Rig
afterEach(() => rig.dispose())
async function turn(...script: ScriptInput & unknown[]): Promise<void> {
  rig = await createRig(script as ScriptInput)
  await (await rig.begin()).ended
}
const items = () => rig.session.state.path.map(id => rig.session.state.items.get(id))
const message = () => items().findLast(item => item?.kind === 'message') as MessageItem
const tool = () => items().find(item => item?.kind === 'tool') as ToolItem
const citation = { url: 'https://example.org/a', title: 'A', quote: 'said so' }

describe('sources', () => {
  it('stand with the text that they belong to, twice where they are named twice', async () => {
    await turn([
      { text: 'It is so.' },
      { event: { type: 'CITATION', citation } },
      { event: { type: 'CITATION', citation } },
    ])
    expect(message()).toMatchObject({ text: 'It is so.', ended: true, sources: [citation, citation] })
  })
  it('of a search without a tool are sources too', async () => {
    const searchResult = { url: 'https://example.org/b', title: 'B', snippet: null }
    await turn([{ text: 'x' }, { event: { type: 'SEARCH_RESULT', searchResult } }])
    expect(message().sources).toEqual([{ url: 'https://example.org/b', title: 'B', quote: null }])
  })
})

describe('images', () => {
  it('are kept by hash and stand with the answer', async () => {
    const media = { mediaType: 'image/png', base64: Buffer.from('not really').toString('base64'), url: null }
    await turn([{ event: { type: 'MEDIA_DONE', media } }])
    const [kept] = message().media ?? []
    expect(kept).toMatchObject({ kind: 'image', mediaType: 'image/png', bytes: 10 })
    expect(kept?.blobId && Buffer.from((await rig.session.readBlob(kept.blobId)) ?? []).toString()).toBe('not really')
  })
})

describe('a refusal', () => {
  it('is text that says it is one, and the turn says so', async () => {
    await turn([{ refusal: ['I will ', 'not.'] }, { finish: 'refusal' }])
    expect(message()).toMatchObject({ text: 'I will not.', refusal: true })
    expect(told(rig.events).at(-1)).toBe('turn.ended error content_filter')
  })
})

describe('a tool of the provider', () => {
  const search = {
    serverTool: 'web_search',
    arguments: { query: 'belay' },
    results: [{ url: 'https://example.org', title: 'Belay', snippet: null }],
    result: 'Belay is a rope.',
  }
  it('is a card that Belay never starts, with what it found', async () => {
    await turn([search, { text: 'It is a rope.' }])
    expect(told(rig.events).filter(line => line.startsWith('tool.'))).toEqual([
      'tool.requested web_search',
      'tool.ended done Belay is a rope.',
    ])
    expect(tool()).toMatchObject({
      server: true,
      arguments: '{"query":"belay"}',
      startedAt: null,
      detail: { results: search.results },
      opaque: { provider: 'scripted', data: { scripted: 'Belay is a rope.' } },
    })
  })
  it('goes back whole with the next request, and is no call that wants a result', async () => {
    await turn([search, { call: 'look', arguments: { path: 'a' } }], [{ text: 'ok' }])
    const messages = rig.model.requests.at(-1)?.messages ?? []
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    expect(messages[1]).toMatchObject({
      parts: [
        { kind: 'server', tool: 'web_search', opaque: { data: { scripted: 'Belay is a rope.' } } },
        { kind: 'call' },
      ],
    })
  })
  it('that failed says so; one that never answered was stopped', async () => {
    await turn([{ ...search, failed: true }])
    expect(tool().state).toBe('failed')
    await rig.dispose()
    const begun = { type: 'SERVER_TOOL_START', subType: 'web_search', blockId: 'w' } as const
    await turn([{ event: begun }, { truncate: true }])
    expect(tool()).toMatchObject({ state: 'stopped', tool: 'web_search' })
  })
})

describe('hidden reasoning', () => {
  it('stands before the call that it led to', async () => {
    await turn(
      [
        { event: { type: 'THINKING_REDACTED', opaque: { redacted: 'abc' } } },
        { call: 'look', arguments: { path: 'a' } },
      ],
      [],
    )
    const parts = rig.model.requests.at(-1)?.messages[1]
    expect(parts).toMatchObject({ parts: [{ kind: 'reasoning', redacted: true }, { kind: 'call' }] })
  })
})

describe('words of the service', () => {
  it('are notices of the turn; a status without words is not for a person', async () => {
    await turn([
      { event: { type: 'STATUS', subType: 'queued', text: 'The service queues this request.' } },
      { event: { type: 'STATUS', subType: 'started' } },
      { text: 'x' },
    ])
    const turns = [...rig.session.state.turns.values()]
    expect(turns[0]?.notices.map(({ code, text }) => [code, text])).toEqual([
      ['model.queued', 'The service queues this request.'],
    ])
  })
})
