/** Taking a conversation and its files back, over the real core, its tools, ledger, log and disk. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ItemId } from '#contract/id'
import { undoableMove } from '#contract/session-moves'
import { bash, createStage, newRequest, read, type Stage, script, type Talk, write } from './rewind.case.ts'

let stage: Stage
let talk: Talk
beforeEach(async () => {
  stage = await createStage({ 'a.txt': 'one\n', 'mine.txt': 'mine\n' })
  talk = await stage.session()
})
afterEach(() => stage.end())

describe('rewind', () => {
  it('takes back the conversation and what the agent wrote, by tools and by commands; Undo brings all of it back', async () => {
    await talk.turn(script([read('a.txt'), write('a.txt', 'two\n')], 'first'))
    const second = await talk.turn(
      script([
        write('a.txt', 'three\n'),
        write('b.txt', 'new\n'),
        bash('mkdir d && echo made > d/c.txt && rm mine.txt'),
      ]),
    )
    const before = { head: (await talk.facts()).head, said: await talk.said() }
    const preview = await stage.client.head.preview({ sessionId: talk.sessionId, to: { turns: 1 } })
    expect(preview).toMatchObject({
      leaves: { turns: 1, messages: 2 },
      running: false,
      files: { unavailable: null, more: 0 },
      commands: [{ command: expect.stringContaining('mkdir d'), exitCode: 0, running: false, movesRefs: false }],
      refs: [],
    })
    expect(preview.files.lines.map(({ path, action, added, removed }) => [path.path, action, added, removed])).toEqual([
      ['a.txt', 'restore', 1, 1],
      ['b.txt', 'remove', 0, 1],
      ['d/c.txt', 'remove', 0, 1],
      ['mine.txt', 'restore', 1, 0],
    ])
    const moved = await talk.rewind({ before: second })
    expect(moved).toMatchObject({ moved: true, prompt: { text: expect.stringContaining('script:'), attachments: [] } })
    expect(moved.files.map(({ action }) => action)).toEqual(['restore', 'remove', 'remove', 'restore'])
    expect(await Promise.all(['a.txt', 'b.txt', 'd/c.txt', 'mine.txt'].map(stage.onDisk))).toEqual([
      'two\n',
      null,
      null,
      'mine\n',
    ])
    expect(await talk.said()).toEqual(['script', 'first'])

    await stage.restart()
    expect(undoableMove(await talk.facts())).toMatchObject({ reason: 'rewind' })
    expect(await talk.undo()).toMatchObject({ moved: true })
    expect(await Promise.all(['a.txt', 'b.txt', 'd/c.txt', 'mine.txt'].map(stage.onDisk))).toEqual([
      'three\n',
      'new\n',
      'made\n',
      null,
    ])
    expect({ head: (await talk.facts()).head, said: await talk.said() }).toEqual(before)
  })

  it('twice with the same id is once', async () => {
    const first = await talk.turn(script([read('a.txt'), write('a.txt', 'two\n')]))
    const again = {
      sessionId: talk.sessionId,
      requestId: newRequest(),
      to: { before: first as ItemId },
      what: 'both' as const,
    }
    const both = [await stage.client.head.rewind(again), await stage.client.head.rewind(again)]
    expect(both).toMatchObject([
      { moved: true, prompt: {} },
      { moved: false, prompt: {} },
    ])
    expect((await talk.facts()).moves).toHaveLength(1)
  })
})

describe('review', () => {
  it('counts what was taken back as nobody’s work, and what is brought again as the agent’s', async () => {
    const list = async () => {
      const scope = { kind: 'session' as const, sessionId: talk.sessionId }
      const { files } = await stage.client.review.list({ workspaceId: stage.workspaceId, scope })
      return files.map(({ path, change, added, removed, by }) => [path.path, change, added, removed, by])
    }
    await talk.turn(script([read('a.txt'), write('a.txt', 'two\n')]))
    const first = [['a.txt', 'changed', 1, 1, 'agent']]
    expect(await list()).toEqual(first)
    await talk.turn(script([read('a.txt'), write('a.txt', 'two\nthree\n'), write('b.txt', 'new\n')]))
    const both = [
      ['a.txt', 'changed', 2, 1, 'agent'],
      ['b.txt', 'created', 1, 0, 'agent'],
    ]
    expect(await list()).toEqual(both)
    await talk.rewind({ turns: 1 }, 'files')
    expect(await list()).toEqual(first)
    await talk.undo()
    expect(await list()).toEqual(both)
    await talk.rewind({ turns: 9 })
    expect(await list()).toEqual([])
  })
})
