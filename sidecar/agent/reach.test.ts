import { expect, it } from 'vitest'
import { z } from 'zod'
import { createRig } from './fixture.case.ts'
import type { Authorize, Settled, Tool } from './ports.ts'

/** Connects to each host twice at once, and once more afterwards; says what it was let. */
const connects = (hosts: string[]) =>
  ({
    name: 'connect',
    description: 'connect',
    parameters: z.object({}),
    parallel: false,
    describe: async () => ({ kind: 'none' }),
    async run(_args, context) {
      const once = await Promise.all([...hosts, ...hosts].map(host => context.reach(host, 443)))
      const again = await Promise.all(hosts.map(host => context.reach(host, 443)))
      return { failed: false, text: [...once, ...again].join(' '), files: [], lsp: [], detail: {} }
    },
  }) as Tool

const authorize: Authorize = async requests =>
  requests.map(({ callId, tool, action }) => {
    if (action.kind !== 'network') return { verdict: 'allow', by: 'mode', rule: null, reason: '' }
    const exact = `${action.host}:${action.port}`
    const call = { callId, tool, kind: 'network' as const, exact, where: '', reason: '', rule: null }
    return { verdict: 'ask', by: 'mode', call: { ...call, remember: [], dirty: [] }, firm: false }
  })

it('one ask for each host however often it is reached at once, and the answers are on record', async () => {
  const settled: Settled[] = []
  const record = (each: Settled) => settled.push(each)
  const rig = await createRig([[{ call: 'connect' }], [{ text: 'done' }]], {
    deps: { tools: [connects(['a.example', 'b.example'])], authorize, record },
  })
  const { ended } = await rig.begin()
  const asks = () => rig.events.flatMap(event => (event.type === 'permission.asked' ? [event] : []))
  await expect.poll(() => asks().length).toBe(2)
  for (const { batchId, calls } of asks()) {
    const verdict = calls[0]?.exact === 'a.example:443' ? ('allow' as const) : ('deny' as const)
    const answers = calls.map(({ callId }) => ({ callId, verdict, remember: 'once' as const }))
    await rig.gate.answerPermission({ session: rig.session, askId: batchId, by: 'window', answers })
  }
  await ended
  expect(asks()).toHaveLength(2)
  expect(rig.events.find(({ type }) => type === 'tool.ended')).toMatchObject({
    preview: { text: 'true false true false true false' },
  })
  const answered = settled.filter(({ kind }) => kind === 'answer')
  expect(answered.map(({ by, verdict, request }) => `${by} ${verdict} ${JSON.stringify(request.action)}`)).toEqual([
    'person allow {"kind":"network","host":"a.example","port":443}',
    'person deny {"kind":"network","host":"b.example","port":443}',
  ])
  await rig.dispose()
})

it('no answer in time is a no, which closes the ask; the turn goes on', async () => {
  const tools = [connects(['a.example'])]
  const rig = await createRig([[{ call: 'connect' }], [{ text: 'done' }]], { deps: { tools, authorize, reachMs: 40 } })
  await (await rig.begin()).ended
  expect(rig.events.find(({ type }) => type === 'tool.ended')).toMatchObject({
    outcome: 'done',
    preview: { text: 'false false false' },
  })
  const asked = rig.events.flatMap(event => (event.type === 'permission.asked' ? event.batchId : []))
  const closed = rig.events.flatMap(event => (event.type === 'permission.answered' ? event : []))
  expect(closed.map(({ batchId, answers }) => `${batchId} ${answers[0]?.verdict}`)).toEqual(
    asked.map(batchId => `${batchId} deny`),
  )
  expect(rig.events.at(-1)).toMatchObject({ type: 'turn.ended', outcome: 'done' })
  await rig.dispose()
})

it('a stop is a no, and closes the ask', async () => {
  const rig = await createRig([[{ call: 'connect' }]], { deps: { tools: [connects(['a.example'])], authorize } })
  const turn = await rig.begin()
  await rig.until('permission.asked')
  await turn.stop()
  expect(rig.events.find(({ type }) => type === 'permission.answered')).toMatchObject({ by: 'stop' })
  await rig.dispose()
})
