/** Turns by script: each told as the list of its events, which is all that anybody ever sees of it. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { RequestId } from '#contract/id'
import type { ScriptInput } from '../model/scripted-script.ts'
import { createRig, type Rig, told } from './fixture.case.ts'

let rig: Rig
afterEach(() => rig.dispose())

const before = ['turn.started', 'message.added user user go']
async function turn(script: ScriptInput, options: Parameters<typeof createRig>[1] = {}): Promise<string[]> {
  rig = await createRig(script, options)
  await (await rig.begin()).ended
  return told(rig.events)
}

describe('a turn', () => {
  it('of words only', async () => {
    expect(await turn([[{ reasoning: ['hm', 'm'] }, { text: ['He', 'llo'] }]])).toEqual([
      ...before,
      'reasoning.added',
      'reasoning.ended hmm',
      'message.added assistant model',
      'message.ended Hello',
      'turn.ended done',
    ])
    expect(rig.session.state.facts).toMatchObject({ running: null, cost: 110 / 1_000_000, contextTokens: 100 })
    expect(rig.session.state.live.size).toBe(0)
  })

  it('with two reads side by side, and sums its usage', async () => {
    const look = (path: string) => ({ call: 'look', arguments: { path } })
    const script: ScriptInput = [
      [{ text: 'I look.' }, look('a'), look('b'), { usage: { input: 5, output: 7, cacheRead: 3 } }],
      [{ text: 'Seen.' }, { usage: { input: 1, output: 1 } }],
    ]
    expect(await turn(script)).toEqual([
      ...before,
      'message.added assistant model',
      'message.ended I look.',
      'tool.requested look',
      'tool.requested look',
      'tool.started {"path":"a"}',
      'tool.started {"path":"b"}',
      'tool.ended done text of a',
      'tool.ended done text of b',
      'message.added assistant model',
      'message.ended Seen.',
      'turn.ended done',
    ])
    expect(rig.session.state.facts.usage).toMatchObject({ input: 6, output: 8, cacheRead: 3, known: true })
  })

  it('keeps the request the same in front of what is new', async () => {
    const look = [{ call: 'look', arguments: { path: 'a' } }]
    await turn([look, look, [{ text: 'x' }, ...look], [{ text: 'end' }]])
    const [, ...later] = rig.model.requests
    for (const [i, request] of later.entries()) {
      const earlier = rig.model.requests[i]
      expect(request.messages.slice(0, earlier?.messages.length)).toEqual(earlier?.messages)
      expect([request.system, request.tools]).toEqual([earlier?.system, earlier?.tools])
    }
    expect(
      rig.model.requests
        .at(-1)
        ?.messages.map(message => message.role)
        .join(' '),
    ).toBe('user assistant tool assistant tool assistant tool')
  })

  it('says once in a session what the model cannot be sent, and every time what the service is at', async () => {
    const status = (subType: string, text: string) => ({ event: { type: 'STATUS', subType, text } }) as const
    const lacking = [status('dropped', 'It takes no pdf.'), status('queued', 'In the queue.')]
    const look = { call: 'look', arguments: { path: 'a' } }
    rig = await createRig([
      [...lacking, look],
      [...lacking, look],
      [...lacking, { text: 'end' }],
    ])
    for (let i = 0; i < 2; i++) await (await rig.begin()).ended
    const notices = [...rig.session.state.turns.values()].map(turn => turn.notices.map(({ text }) => text))
    const queued = Array(3).fill('In the queue.')
    expect(notices).toEqual([['It takes no pdf.', ...queued], queued])
  })

  it('offers the tools of the provider only where the person switched them on', async () => {
    await turn([[{ text: 'x' }]])
    expect(rig.model.requests[0]?.serverTools).toEqual([])
    await rig.dispose()
    await turn([[{ text: 'x' }]], { serverTools: ['web_search'] })
    expect(rig.model.requests[0]?.serverTools).toEqual(['web_search'])
  })

  it('ends at its limit of model calls', async () => {
    const look = [{ call: 'look', arguments: { path: 'a' } }]
    expect((await turn([look, look, look], { maxTurns: 2 })).at(-1)).toBe('turn.ended limit max_turns')
    expect(rig.model.requests.length).toBe(2)
  })
})

describe('calls that cannot run', () => {
  const last = async (act: object): Promise<string> => {
    await turn([[act as { text: string }], [{ text: 'ok' }]])
    const ended = rig.events.find(event => event.type === 'tool.ended')
    expect(rig.events.filter(event => event.type === 'tool.started')).toEqual([])
    expect(rig.events.at(-1)).toMatchObject({ type: 'turn.ended', outcome: 'done' })
    return ended?.type === 'tool.ended' ? `${ended.outcome}: ${ended.preview.text}` : ''
  }

  it('an unknown name', async () => {
    expect(await last({ call: 'Look', arguments: {} })).toMatch(/^failed: There is no tool "Look".*Did you mean "look"/)
  })
  it('broken JSON, which the next request carries as a valid object', async () => {
    expect(await last({ call: 'look', arguments: '{"path": ' })).toMatch(/^failed: .*not valid JSON.*"path": string/)
    const sent = rig.model.requests.at(-1)?.messages.find(message => message.role === 'assistant')
    expect(sent).toMatchObject({ parts: [{ arguments: '{"not_valid":"{\\"path\\": "}' }] })
  })
  it('wrong types', async () => {
    expect(await last({ call: 'look', arguments: { path: 7 } })).toMatch(/^failed: The arguments do not fit.*path/s)
  })
  it('more than a million characters, of which the log keeps little', async () => {
    expect(await last({ call: 'look', argumentBytes: 1_200_000 })).toMatch(
      /^failed: .*1,200,\d+ characters.*smaller calls/,
    )
    expect(JSON.stringify(rig.events).length).toBeLessThan(20_000)
  })
  it('what its tool says cannot be done', async () => {
    expect(await last({ call: 'change', arguments: { path: 'nowhere' } })).toMatch(/^failed: nowhere is outside/)
  })
})

describe('tools', () => {
  it('that throw fail, and the turn goes on', async () => {
    const lines = await turn([[{ call: 'breaks' }], [{ text: 'Oh.' }]])
    expect(lines).toContain('tool.ended failed the disk is on fire')
    expect(lines.at(-1)).toBe('turn.ended done')
  })

  it('with much to say are kept whole beside the log, and shown in part while they run', async () => {
    await turn([[{ call: 'burst', arguments: { chars: 600_000 } }], [{ text: 'ok' }]])
    const ended = rig.events.find(event => event.type === 'tool.ended')
    if (ended?.type !== 'tool.ended') throw new Error('no end')
    const { preview } = ended
    expect(preview).toMatchObject({ truncated: true, bytes: 600_000 })
    expect(preview.text.length).toBeLessThan(17_000)
    const blob = preview.blobId && (await rig.session.readBlob(preview.blobId))
    expect(blob?.length).toBe(600_000)
  })
})

describe('asks', () => {
  const change = (path: string) => ({ call: 'change', arguments: { path } })
  const answer = async (verdict: 'allow' | 'deny', words?: string, remember: 'once' | 'session' = 'once') => {
    const { batchId, calls } = await rig.until('permission.asked')
    const answers = calls.map(({ callId }) => ({ callId, verdict, remember, words }))
    return rig.gate.answerPermission({ session: rig.session, askId: batchId, by: 'window', answers })
  }

  it('once for a whole batch, and nothing of it runs before', async () => {
    rig = await createRig([[{ call: 'look', arguments: { path: 'a' } }, change('a'), change('b')], [{ text: 'Done.' }]])
    const running = await rig.begin()
    await rig.until('permission.asked')
    expect(rig.ran).toEqual([])
    expect(await answer('allow', undefined, 'session')).toEqual({ won: true })
    expect(await answer('deny')).toEqual({ won: false })
    expect(await running.ended).toBe('done')
    expect(rig.ran).toEqual(['look a', 'change a', 'change b'])
    expect(rig.remembered).toEqual(['allow change session', 'allow change session'])
    expect(told(rig.events).slice(5, -3)).toEqual([
      'permission.asked change a, change b',
      'mode.changed acceptEdits by person',
      'permission.answered allow, allow by window change: allow\nchange: allow',
      'tool.started {"path":"a"}',
      'tool.ended done text of a',
      'tool.started {"path":"a","text":""}',
      'tool.ended done changed a',
      'tool.started {"path":"b","text":""}',
      'tool.ended done changed b',
    ])
  })

  it('for this session: later edits run, what is protected still asks, and another mode takes it back', async () => {
    rig = await createRig([[change('a')], [change('b')], [change('secret')], [{ text: 'Done.' }]])
    const running = await rig.begin()
    await answer('allow', undefined, 'session')
    await vi.waitFor(() => expect(rig.events.filter(({ type }) => type === 'permission.asked')).toHaveLength(2))
    expect(rig.ran).toEqual(['change a', 'change b'])
    expect(rig.session.state.facts.mode).toBe('acceptEdits')
    await running.stop()
  })

  it('a no for a whole session is refused, and the ask still waits', async () => {
    rig = await createRig([[change('a')], [{ text: 'ok' }]])
    const running = await rig.begin()
    await expect(answer('deny', undefined, 'session')).rejects.toThrow(/not for a session/)
    expect(await answer('deny')).toEqual({ won: true })
    expect(await running.ended).toBe('done')
    expect(rig.session.state.facts.mode).toBe('default')
  })

  it('denied with words, which the model reads', async () => {
    rig = await createRig([[change('a')], [{ text: 'I see.' }]])
    const running = await rig.begin()
    await answer('deny', 'use b instead')
    expect(await running.ended).toBe('done')
    expect(rig.ran).toEqual([])
    expect(rig.model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      failed: true,
      text: expect.stringMatching(/denied.*They say: use b instead/),
    })
  })

  it('answered in part are refused, and still wait', async () => {
    rig = await createRig([[change('a'), change('b')], [{ text: 'ok' }]])
    const running = await rig.begin()
    const { batchId, calls } = await rig.until('permission.asked')
    const half = calls
      .slice(0, 1)
      .map(({ callId }) => ({ callId, verdict: 'allow' as const, remember: 'once' as const }))
    const reply = { session: rig.session, askId: batchId, by: 'window', answers: half }
    await expect(rig.gate.answerPermission(reply)).rejects.toMatchObject({ code: 'invalid' })
    const here = calls.map(({ callId }) => ({ callId, verdict: 'allow' as const, remember: 'here' as const }))
    await expect(rig.gate.answerPermission({ ...reply, answers: here })).rejects.toMatchObject({ code: 'invalid' })
    expect(await answer('allow')).toEqual({ won: true })
    expect(await running.ended).toBe('done')
  })

  it('become denials where the mode or the flags say so, and run where they allow', async () => {
    const script: ScriptInput = [[change('a'), change('secret')], [{ text: 'ok' }]]
    const plan = await turn(script, { mode: 'plan' })
    expect(plan.filter(line => line.startsWith('tool.ended'))[0]).toMatch(/^tool.ended denied Denied: plan mode/)
    await rig.dispose()
    const quiet = await turn(script, { mode: 'dontAsk', flags: { allowedTools: ['change(a*)', 'change(s*)'] } })
    expect(quiet.filter(line => line.startsWith('tool.ended'))).toEqual([
      expect.stringMatching(/^tool.ended denied Denied: it would have to be asked/),
      'tool.ended done changed a',
    ])
    await rig.dispose()
    const other = await turn(script, { mode: 'auto', flags: { allowedTools: ['look'], disallowedTools: [] } })
    expect(other.filter(line => line.startsWith('tool.ended'))).toEqual([
      expect.stringMatching(/denied Denied: it is not on --allowedTools/),
      expect.stringMatching(/denied Denied: it is not on --allowedTools/),
    ])
  })

  it('questions carry the answers back', async () => {
    rig = await createRig([[{ call: 'ask_user', arguments: { text: 'Tabs?' } }], [{ text: 'ok' }]])
    const running = await rig.begin()
    const { askId } = await rig.until('question.asked')
    const wrong = rig.gate.answerQuestions({ session: rig.session, askId, by: 'w', answers: [{ chosen: ['emacs'] }] })
    await expect(wrong).rejects.toMatchObject({ code: 'invalid' })
    const right = { session: rig.session, askId, by: 'w', answers: [{ chosen: ['tabs'] }] }
    expect(await rig.gate.answerQuestions(right)).toEqual({ won: true })
    await running.ended
    expect(told(rig.events).slice(2, -3)).toEqual([
      'tool.requested ask_user',
      'tool.started {"text":"Tabs?"}',
      'question.asked',
      'question.answered [{"chosen":["tabs"]}] by w',
      'tool.ended done [{"chosen":["tabs"]}]',
    ])
  })

  it('an approved plan switches the mode for the rest of the turn', async () => {
    const script: ScriptInput = [
      [{ call: 'propose_plan', arguments: { markdown: '# P' } }],
      [change('a')],
      [{ text: 'ok' }],
    ]
    rig = await createRig(script, { mode: 'plan' })
    const running = await rig.begin()
    const { askId } = await rig.until('plan.proposed')
    const decision = { decision: 'approved' as const, mode: 'acceptEdits' as const, words: null }
    await rig.gate.decidePlan({ session: rig.session, askId, by: 'w', ...decision })
    expect(await running.ended).toBe('done')
    expect(told(rig.events).slice(4, 8)).toEqual([
      'plan.proposed',
      'plan.decided approved acceptEdits by w',
      'mode.changed acceptEdits by plan',
      'tool.ended done {"approved":true,"mode":"acceptEdits","words":null}',
    ])
    expect(rig.ran).toEqual(['change a'])
  })
})

describe('stop', () => {
  const stopAt = async (script: ScriptInput, moment: Parameters<Rig['until']>[0]) => {
    rig = await createRig(script)
    const running = await rig.begin()
    await rig.until(moment)
    const from = performance.now()
    await running.stop()
    expect(performance.now() - from).toBeLessThan(1000)
    return told(rig.events).slice(2)
  }

  it('while it streams keeps what was said', async () => {
    expect(await stopAt([[{ text: 'Half a' }, { delayMs: 60_000 }, { text: 'word' }]], 'message.ended')).toEqual([
      'message.added assistant model',
      'message.ended Half a',
      'status.changed stopped',
      'turn.ended stopped',
    ])
  })

  it('while a tool runs', async () => {
    const script: ScriptInput = [[{ call: 'slow' }, { call: 'change', arguments: { path: 'a' } }]]
    rig = await createRig(script, { mode: 'auto' })
    const running = await rig.begin()
    await rig.until('tool.started')
    await running.stop()
    expect(told(rig.events).slice(4)).toEqual([
      'tool.started {"deaf":false}',
      'tool.ended stopped The person stopped this while it ran. What it had done until then stay',
      'tool.ended stopped The person stopped the turn before this ran. Nothing of it was done.',
      'status.changed stopped',
      'turn.ended stopped',
    ])
    expect(rig.session.state.turns.get(running.turnId)?.notices[0]?.text).toBe(
      'Stopped. 0 of 2 tool calls were done; no file was changed; ended in the middle: slow.',
    )
  })

  it('does not wait for a tool that does not hear', async () => {
    const lines = await stopAt([[{ call: 'slow', arguments: { deaf: true } }]], 'tool.started')
    expect(lines.at(-1)).toBe('turn.ended stopped')
  })

  it('while it asks withdraws the ask', async () => {
    const script: ScriptInput = [[{ call: 'change', arguments: { path: 'a' } }]]
    expect((await stopAt(script, 'permission.asked')).slice(2)).toEqual([
      'permission.answered deny by stop',
      'tool.ended stopped The person stopped the turn before this ran. Nothing of it was done.',
      'status.changed stopped',
      'turn.ended stopped',
    ])
  })
})

describe('a model that fails', () => {
  it.each(['auth', 'bad_request', 'context_too_long', 'content_filter', 'internal', 'protocol'] as const)(
    'with %s ends the turn with its words',
    async code => {
      const lines = await turn([[{ error: code, message: 'No.' }]])
      expect(lines).toEqual([...before, `turn.ended error ${code}`])
      expect(rig.events.at(-1)).toMatchObject({ error: { code, message: 'No.' } })
    },
  )

  it.each(['rate_limit', 'overloaded', 'network'] as const)('with %s is tried again', async code => {
    expect(await turn([[{ error: code, times: 2, retryAfterMs: 1 }, { text: 'ok' }]])).toEqual([
      ...before,
      `status.changed retry.${code}`,
      `status.changed retry.${code}`,
      'message.added assistant model',
      'message.ended ok',
      'turn.ended done',
    ])
  })

  it('for ever is given up after four tries', async () => {
    const lines = await turn([[{ error: 'overloaded', retryAfterMs: 1 }]])
    expect(lines.filter(line => line.startsWith('status.changed'))).toHaveLength(4)
    expect(lines.at(-1)).toBe('turn.ended error overloaded')
  })

  it('after its first word is not tried again, and its calls do not run', async () => {
    expect(await turn([[{ text: 'I' }, { call: 'look', arguments: { path: 'a' } }, { error: 'network' }]])).toEqual([
      ...before,
      'message.added assistant model',
      'message.ended I',
      'tool.requested look',
      'tool.ended stopped The answer broke off before this ran. Nothing of it was done.',
      'turn.ended error network',
    ])
  })

  it('by stopping short says so', async () => {
    expect((await turn([[{ text: 'a' }, { truncate: true }]])).at(-1)).toBe('turn.ended error truncated')
    await rig.dispose()
    expect((await turn([[{ text: 'a' }, { abort: true }]])).at(-1)).toBe('turn.ended error truncated')
    await rig.dispose()
    expect((await turn([[{ text: 'a' }, { finish: 'length' }]])).at(-1)).toBe('turn.ended error truncated')
  })
})

describe('words that come in between', () => {
  const steer = (text: string) => ({ requestId: crypto.randomUUID() as RequestId, text })

  it('reach the model after the results of the step', async () => {
    rig = await createRig([[{ call: 'change', arguments: { path: 'a' } }], [{ text: 'ok' }]])
    const running = await rig.begin()
    const { batchId, calls } = await rig.until('permission.asked')
    expect(await rig.steers.offer(steer('and b'))).toBe(null)
    const answers = calls.map(({ callId }) => ({ callId, verdict: 'allow' as const, remember: 'once' as const }))
    await rig.gate.answerPermission({ session: rig.session, askId: batchId, by: 'w', answers })
    await running.ended
    expect(told(rig.events).slice(3)).toEqual([
      'permission.asked change a',
      'steer.offered',
      'permission.answered allow by w',
      'tool.started {"path":"a","text":""}',
      'tool.ended done changed a',
      'message.added user steer and b',
      'steer.delivered',
      'message.added assistant model',
      'message.ended ok',
      'turn.ended done',
    ])
    expect(rig.model.requests[1]?.messages.map(message => message.role)).toEqual(['user', 'assistant', 'tool', 'user'])
    expect(await rig.steers.offer(steer('late'))).toBe('closed')
  })

  it('too late for a step wait in the queue', async () => {
    rig = await createRig([[{ text: 'a' }, { delayMs: 50 }, { text: 'b' }]])
    const running = await rig.begin()
    await rig.until('message.added')
    await rig.steers.offer(steer('too late'))
    await running.ended
    expect(told(rig.events).slice(-3)).toEqual(['steer.demoted', 'queue.changed too late', 'turn.ended done'])
  })
})

it('a session that cannot be written ends the turn instead of throwing', async () => {
  rig = await createRig([[{ call: 'look', arguments: { path: 'a' } }], [{ text: 'never' }]])
  const append = rig.session.append
  rig.session.append = async (...drafts) => {
    if (drafts.some(draft => draft.type === 'tool.started'))
      throw Object.assign(new Error('full'), { code: 'disk_full' })
    return append(...drafts)
  }
  const running = await rig.begin()
  expect(await running.ended).toBe('error')
  expect(told(rig.events).slice(2)).toEqual([
    'tool.requested look',
    'tool.ended stopped The turn broke off before this ran. Nothing of it was done.',
    'turn.ended error disk_full',
  ])
  expect(rig.ran).toEqual([])
})
