import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { ItemId } from '#contract/id'
import type { SessionEventOf } from '#contract/session-event'
import { historyOf } from './context.ts'
import { createRig, type Rig } from './fixture.case.ts'
import type { Surroundings, Tool } from './ports.ts'

/** Says the same thing to whoever comes: as withFolderAdvice does. */
const near: Tool = {
  name: 'near',
  description: 'near',
  parameters: z.object({
    id: z.string().default('one'),
    long: z.boolean().default(false),
    fail: z.boolean().default(false),
  }),
  parallel: true,
  describe: async () => ({ kind: 'none' }),
  async run(args, context) {
    const { id, long, fail } = args as { id: string; long: boolean; fail: boolean }
    const advice = context
      .untold([id])
      .map(each => ({ id: each, path: `${each}/AGENTS.md`, text: `advice of ${each}` }))
    if (fail) throw new Error('broken')
    return {
      failed: false,
      text: long ? 'x'.repeat(100_000) : 'result',
      files: [],
      lsp: [],
      detail: { lines: 1 },
      advice,
    }
  },
}
let rig: Rig
afterEach(() => rig.dispose())
const call = (args: object = {}) => ({ call: 'near', arguments: { ...args } })
const ends = () => rig.events.filter((event): event is SessionEventOf<'tool.ended'> => event.type === 'tool.ended')
const told = () => ends().map(({ preview }) => preview.text.includes('advice of'))

describe('advice of the folder', () => {
  it('is told once, whole behind a long output, also by calls that run at once and after one that failed', async () => {
    rig = await createRig(
      [[call({ fail: true })], [call({ long: true }), call(), call({ id: 'two' })], [call()], [{ text: 'done' }]],
      { deps: { tools: [near] } },
    )
    await (await rig.begin()).ended
    // Calls that run at once end as they like.
    expect(told().filter(Boolean)).toHaveLength(2)
    expect([told()[0], told()[4]]).toEqual([false, false])
    const long = ends().find(({ preview }) => preview.truncated)
    expect(long?.preview).toMatchObject({
      truncated: true,
      bytes: 100_000,
      text: expect.stringMatching(/xxx\n\nadvice of one$/),
    })
    expect(long?.detail).toEqual({
      lines: 1,
      toldChars: '\n\nadvice of one'.length,
      advice: [{ id: 'one', path: 'one/AGENTS.md' }],
    })
    expect(JSON.stringify(await historyOf(rig.session.state, async () => null))).toContain('advice of one')
  })

  it('is told again when the result that told it was rewound', async () => {
    rig = await createRig([[call()], [{ text: 'done' }]], { deps: { tools: [near] } })
    const turn = await rig.begin()
    await turn.ended
    await (await rig.begin()).ended
    expect(told()).toEqual([true, false])
    const from = rig.session.state.facts.head
    await rig.session.append({
      type: 'head.moved',
      from,
      to: null as ItemId | null,
      reason: 'rewind',
      checkpoint: null,
    })
    await (await rig.begin()).ended
    expect(told()).toEqual([true, false, true])
  })

  it('of the roots is shown to the person once, and again when other files speak', async () => {
    const place = (...paths: string[]): Surroundings => ({
      ...{ roots: [], platform: '', shell: '', date: '', dirty: [] },
      instructions: paths.map(path => ({ path, text: 'Use tabs.' })),
    })
    const places = [place(), place('AGENTS.md'), place('AGENTS.md'), place('AGENTS.md', 'b: AGENTS.md'), place()]
    rig = await createRig([[{ text: 'done' }]], { deps: { surroundings: async () => places.shift() ?? place() } })
    for (let i = 0; i < 5; i++) await (await rig.begin()).ended
    const notices = rig.events.flatMap(event => (event.type === 'status.changed' ? event.text : []))
    expect(notices).toEqual([
      'Advice of the folder that was read: AGENTS.md',
      'Advice of the folder that was read: AGENTS.md, b: AGENTS.md',
      'No advice of the folder.',
    ])
  })
})
