/** A second thing that one call does: an answer that came back is put to the person where a rule says so, and nowhere else. */
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createRig } from './fixture.case.ts'
import type { Authorize, Settled, Tool } from './ports.ts'

const fetching = {
  name: 'fetch',
  description: 'fetch',
  parameters: z.object({}),
  parallel: false,
  describe: async () => ({ kind: 'none' }),
  async run(_args, context) {
    const answer = { kind: 'fetch' as const, url: 'https://docs.example/x', exact: '200, Buy now' }
    const { allowed, why } = await context.approve('webfetch.response', answer)
    return { failed: !allowed, text: `${allowed} ${why}`.trim(), files: [], lsp: [], detail: {} }
  },
} as Tool

/** `by` says whether a rule speaks of the answer, or only the mode. */
const judging =
  (verdict: 'allow' | 'ask' | 'deny', by: 'rule' | 'mode'): Authorize =>
  async requests =>
    requests.map(({ callId, tool, action }) => {
      if (tool !== 'webfetch.response') return { verdict: 'allow', by: 'mode', rule: null, reason: '' }
      if (verdict !== 'ask') return { verdict, by, rule: null, reason: 'Because.' }
      const exact = action.kind === 'fetch' ? action.exact : ''
      const call = { callId, tool, kind: 'fetch' as const, exact, where: '', reason: '', rule: null }
      return { verdict, by, call: { ...call, remember: [], dirty: [] }, firm: false }
    })

it.each([
  ['allow', 'rule', 'true Because.'],
  ['deny', 'rule', 'false Because.'],
  ['ask', 'mode', 'true'],
  ['deny', 'mode', 'true'],
] as const)('%s by a %s: nobody is asked', async (verdict, by, text) => {
  const deps = { tools: [fetching], authorize: judging(verdict, by) }
  const rig = await createRig([[{ call: 'fetch' }], [{ text: 'done' }]], { deps })
  await (await rig.begin()).ended
  expect(rig.events.some(({ type }) => type === 'permission.asked')).toBe(false)
  expect(rig.events.find(({ type }) => type === 'tool.ended')).toMatchObject({ preview: { text } })
  await rig.dispose()
})

it('ask by a rule: the person sees what came back, and their words are the reason', async () => {
  const settled: Settled[] = []
  const deps = { tools: [fetching], authorize: judging('ask', 'rule'), record: (each: Settled) => settled.push(each) }
  const rig = await createRig([[{ call: 'fetch' }], [{ text: 'done' }]], { deps })
  const { ended } = await rig.begin()
  const { batchId, calls } = await rig.until('permission.asked')
  expect(calls).toMatchObject([{ tool: 'webfetch.response', exact: '200, Buy now' }])
  const answers = calls.map(({ callId }) => ({
    ...{ callId, verdict: 'deny' as const, remember: 'once' as const },
    words: 'It is an advertisement.',
  }))
  await rig.gate.answerPermission({ session: rig.session, askId: batchId, by: 'window', answers })
  await ended
  expect(rig.events.find(({ type }) => type === 'tool.ended')).toMatchObject({
    outcome: 'failed',
    preview: { text: 'false It is an advertisement.' },
  })
  expect(settled.filter(({ kind }) => kind === 'answer')).toMatchObject([
    { by: 'person', verdict: 'deny', request: { tool: 'webfetch.response' } },
  ])
  await rig.dispose()
})
