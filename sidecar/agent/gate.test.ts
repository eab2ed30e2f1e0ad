import { expect, it } from 'vitest'
import { CallId, TurnId } from '#contract/id'
import type { AskedCall, PermissionAnswer } from '#contract/session-event'
import { createRig } from './fixture.case.ts'
import { createGate } from './gate.ts'

const call = (name: string): AskedCall => ({
  callId: CallId.parse(`call_${name}`),
  tool: 'network',
  kind: 'network',
  exact: `${name}:443`,
  where: '',
  reason: '',
  rule: null,
  remember: ['here'],
  dirty: [],
})

it('an ask that comes while another is being answered leaves that one alone', async () => {
  const rig = await createRig([[{ text: 'unused' }]])
  let kept = () => {}
  // Writing a rule takes its time.
  const gate = createGate({ remember: () => new Promise(resolve => (kept = () => resolve(null))) })
  const asking = { session: rig.session, turnId: TurnId.parse('trn_1'), signal: new AbortController().signal }
  const first = gate.askPermission({ ...asking, calls: [call('a')] })
  const { batchId } = await rig.until('permission.asked')
  const answers: PermissionAnswer[] = [{ callId: call('a').callId, verdict: 'allow', remember: 'here' }]
  const answered = gate.answerPermission({ session: rig.session, askId: batchId, by: 'window', answers })
  await expect.poll(() => kept.toString()).toContain('resolve')
  const stop = new AbortController()
  const second = gate.askPermission({ ...asking, signal: stop.signal, calls: [call('b')] })
  await expect.poll(() => rig.events.filter(({ type }) => type === 'permission.asked').length).toBe(2)
  kept()
  expect(await answered).toEqual({ won: true })
  expect(await first).toEqual(answers)
  const said = rig.events.flatMap(event => (event.type === 'permission.answered' ? [event.by] : []))
  expect(said).toEqual(['window'])
  stop.abort()
  expect(await second).toBeNull()
  await rig.dispose()
})
