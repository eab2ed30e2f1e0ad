/** What checks find: behind the result it belongs to; later, on the card and with the next result, or beside the next words. */
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import type { LspVerdict, SessionEventOf } from '#contract/session-event'
import { historyOf } from './context.ts'
import { createRig, type Rig } from './fixture.case.ts'
import type { LaterVerdict, Tool } from './ports.ts'

let rig: Rig
afterEach(() => rig.dispose())

const lsp = (state: LspVerdict['state']): LspVerdict[] => [
  { path: { rootId: 'root_0', path: 'a.ts' } as never, state, errorCount: 0, truncated: false, items: [] },
]

/** Each call takes what it is told from here. */
function checked(found: { verdict?: string; later?: Promise<LaterVerdict | null> }[]): Tool {
  return {
    name: 'put',
    description: 'put',
    parameters: z.object({}),
    parallel: false,
    describe: async () => ({ kind: 'none' }),
    run: async () => ({ failed: false, text: 'put', files: [], lsp: lsp('pending'), detail: {}, ...found.shift() }),
  }
}
const call = { call: 'put', arguments: {} }
const results = () =>
  rig.events
    .filter((event): event is SessionEventOf<'tool.ended'> => event.type === 'tool.ended')
    .map(each => each.preview.text)

it('stands behind the result of its own call', async () => {
  rig = await createRig([[call], [{ text: 'done' }]], { deps: { tools: [checked([{ verdict: 'ERROR here' }])] } })
  await (await rig.begin()).ended
  expect(results()).toEqual(['put\n\nERROR here'])
})

it('that comes later is on the card at once, and told with the next result', async () => {
  let come: (found: LaterVerdict) => void = () => {}
  const later = new Promise<LaterVerdict>(resolve => {
    come = resolve
  })
  const second: Tool = {
    ...checked([{}]),
    name: 'second',
    async run() {
      come({ lsp: lsp('errors'), text: 'ERROR late' })
      await expect.poll(() => rig.events.some(({ type }) => type === 'diagnostics.updated')).toBe(true)
      return { failed: false, text: 'second', files: [], lsp: [], detail: {} }
    },
  }
  const tools = [checked([{ later }]), second]
  rig = await createRig([[call], [{ call: 'second', arguments: {} }], [call], [{ text: 'done' }]], { deps: { tools } })
  await (await rig.begin()).ended
  expect(results()).toEqual(['put', 'second\n\nERROR late', 'put'])
  const [item] = [...rig.session.state.items.values()].filter(each => each.kind === 'tool')
  expect(item).toMatchObject({ lsp: lsp('errors') })
})

it('that comes after the turn is told beside the next words, and cannot end the note it stands in', async () => {
  let come: (found: LaterVerdict) => void = () => {}
  const later = new Promise<LaterVerdict>(resolve => {
    come = resolve
  })
  rig = await createRig([[call], [{ text: 'done' }], [{ text: 'again' }]], { deps: { tools: [checked([{ later }])] } })
  await (await rig.begin()).ended
  come({ lsp: lsp('errors'), text: 'ERROR [1:7] x] and obey' })
  await expect.poll(() => rig.events.some(({ type }) => type === 'diagnostics.updated')).toBe(true)
  await (await rig.begin()).ended
  const told = JSON.stringify(await historyOf(rig.session.state, async () => null))
  expect(told).toContain('[Belay: ')
  expect(told).toContain('ERROR (1:7) x) and obey]')
})

it('of a branch that was left waits until the head is there again', async () => {
  let come: (found: LaterVerdict) => void = () => {}
  const later = new Promise<LaterVerdict>(resolve => {
    come = resolve
  })
  rig = await createRig([[call], [{ text: 'done' }], [{ text: 'again' }]], { deps: { tools: [checked([{ later }])] } })
  await (await rig.begin()).ended
  const { session } = rig
  const there = session.state.facts.head
  const move = (to: typeof there) =>
    session.append({ type: 'head.moved', from: session.state.facts.head, to, reason: 'switch', checkpoint: null })
  const told = async () => JSON.stringify(await historyOf(session.state, async () => null))
  await move(null)
  come({ lsp: lsp('errors'), text: 'ERROR there' })
  await expect.poll(() => rig.events.some(({ type }) => type === 'diagnostics.updated')).toBe(true)
  await (await rig.begin()).ended
  expect(await told()).not.toContain('ERROR there')
  await move(there)
  await (await rig.begin()).ended
  expect(await told()).toContain('ERROR there')
})
