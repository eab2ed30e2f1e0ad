/** `belay stream` over the loopback: turns in order, control beside them, asks on the wire, bad lines survived, one result a turn. */
import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nearest } from '../../base/nearest.ts'
import { connect, script, workspaceId } from '../headless/harness.case.ts'
import { parseOptions } from '../headless/options.ts'
import type { Line } from '../headless/stream-lines.ts'
import { readInput } from './input.ts'
import { inputLines, type RawLine } from './input-lines.ts'
import { stream } from './stream.ts'

type Said = Record<string, unknown> & { type: string }

async function begin(...args: string[]) {
  const parsed = parseOptions('stream', ['--model', 'scripted/default', ...args], nearest)
  if ('problem' in parsed) throw new Error(parsed.problem)
  const input = new PassThrough()
  const said: Said[] = []
  const lookers = new Set<() => void>()
  const stop = new AbortController()
  let behind = (_behind: boolean): void => {}
  const ended = stream({
    ...(await connect('stream')),
    ...{ workspaceId, options: parsed.options, input, signal: stop.signal },
    introduced: { cwd: '/project', version: '0' },
    onBehind: listener => {
      behind = listener
    },
    write(line: Line) {
      said.push(line as Said)
      for (const look of lookers) look()
    },
    interruptedBy: () => (stop.signal.aborted ? 'SIGTERM' : null),
  })
  return {
    said,
    ended,
    input,
    behind: (is: boolean) => behind(is),
    stop: () => stop.abort(),
    send: (...lines: unknown[]) =>
      input.write(lines.map(line => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')),
    until: (fits: (line: Said) => boolean) =>
      new Promise<Said>(resolve => {
        const look = () => {
          const found = said.find(fits)
          if (!found) return
          lookers.delete(look)
          resolve(found)
        }
        lookers.add(look)
        look()
      }),
  }
}

const user = (text: string) => ({ type: 'user', message: { role: 'user', content: [{ type: 'text', text }] } })
const control = (request_id: string, request: object) => ({ type: 'control_request', request_id, request })
const isResult = (line: Said) => line.type === 'result'

it('takes turns in order in one session, passes over what it does not understand, and ends with stdin', async () => {
  const { said, send, input, ended } = await begin('--replay-user-messages')
  const first = user(script([{ text: 'one' }]))
  send(
    '',
    first,
    'not json',
    { type: 'user' },
    { type: 'strange' },
    { type: 'result' },
    user(script([{ text: 'two' }])),
  )
  input.write(Buffer.from([0xff, 0xfe, 0x0a]))
  input.end(JSON.stringify(user('three')))
  expect(await ended).toBe(0)
  const kinds = said.map(({ type, subtype }) => [type, subtype].filter(Boolean).join('/'))
  expect(kinds.filter(kind => kind !== 'system/input_error')).toEqual([
    'system/init',
    ...['user', 'result/success', 'user', 'result/success', 'user', 'result/success'],
  ])
  expect(said.filter(isResult).map(({ result }) => result)).toEqual(['one', 'two', 'You said: three'])
  expect(new Set(said.filter(isResult).map(({ session_id }) => session_id)).size).toBe(1)
  expect(said.filter(({ type }) => type === 'user')[0]).toEqual(first)
  expect(said.filter(({ subtype }) => subtype === 'input_error').map(({ message }) => message)).toEqual([
    expect.stringContaining('it is not JSON'),
    expect.stringContaining('a message with role "user"'),
    expect.stringContaining('its type is “strange”'),
    expect.stringContaining('it is not UTF-8'),
  ])
})

it('hears an interrupt at once, behind any number of waiting prompts, and says when there is nothing to stop', async () => {
  const { said, send, input, ended, until } = await begin('--verbose')
  send(control('early', { subtype: 'interrupt' }))
  await until(({ type }) => type === 'control_response')
  send(user(script([{ text: 'half' }, { delayMs: 60_000 }])), ...Array.from({ length: 300 }, () => user('more')))
  await until(({ message }) => typeof message === 'string' && message.includes('256 wait already'))
  // The session must have begun to speak: before that there is nothing to stop.
  await until(({ type }) => type === 'system')
  send(control('now', { subtype: 'interrupt' }))
  const result = await until(isResult)
  expect(result).toMatchObject({ subtype: 'error_during_execution', is_error: true, interrupted: true })
  input.end()
  expect(await ended).toBe(0)
  expect(said.filter(({ type }) => type === 'control_response').map(({ response }) => response)).toEqual([
    { subtype: 'error', request_id: 'early', error: 'no turn in progress' },
    { subtype: 'success', request_id: 'now', response: {} },
  ])
  expect(said.filter(isResult)).toHaveLength(257)
})

it('begins no step while its reader is behind, and hears an interrupt all the same', async () => {
  const slow = await begin('--verbose', '--replay-user-messages')
  const begun = (count: number) =>
    slow.until(() => slow.said.filter(({ type, message }) => type === 'user' && message).length === count)
  await slow.until(({ type }) => type === 'system')
  slow.behind(true)
  slow.send(user(script([{ text: 'late' }])))
  // As long as another one takes for all of it.
  const quick = await begin()
  quick.send(user(script([{ call: 'look', arguments: { path: 'a' } }], [{ text: 'quick' }])))
  await quick.until(isResult)
  expect(slow.said.map(({ type }) => type)).toEqual(['system', 'user'])
  slow.behind(false)
  expect(await slow.until(isResult)).toMatchObject({ result: 'late' })

  slow.behind(true)
  slow.send(user(script([{ text: 'never' }])))
  await begun(2)
  slow.send(control('now', { subtype: 'interrupt' }))
  await slow.until(line => isResult(line) && line.interrupted === true)
  expect(slow.said.filter(isResult).map(({ result }) => result)).toEqual(['late', ''])
  for (const each of [slow, quick]) each.input.end()
  expect([await slow.ended, await quick.ended]).toEqual([1, 0])
})

it('changes mode and model, and refuses what only a command line may say', async () => {
  const { said, send, input, ended } = await begin()
  send(
    control('a', { subtype: 'set_permission_mode', mode: 'acceptEdits' }),
    control('b', { subtype: 'set_permission_mode', mode: 'bypassPermissions' }),
    control('c', { subtype: 'set_model', model: 'nothing' }),
    control('d', { subtype: 'fly' }),
    { type: 'control', request_id: 'e', subtype: 'set_permission_mode' },
  )
  input.end(`${JSON.stringify(user(script([{ call: 'change', arguments: { path: 'a' } }], [{ text: 'ok' }])))}\n`)
  expect(await ended).toBe(0)
  const answers = said.filter(({ type }) => type === 'control_response').map(({ response }) => response)
  expect(answers).toEqual(
    expect.arrayContaining([
      { subtype: 'success', request_id: 'a', response: { mode: 'acceptEdits' } },
      { subtype: 'error', request_id: 'b', error: expect.stringContaining('command line only') },
      { subtype: 'error', request_id: 'c', error: expect.stringContaining('is no model') },
      { subtype: 'error', request_id: 'd', error: 'unsupported control subtype: fly' },
      { subtype: 'error', request_id: 'e', error: expect.stringContaining('mode is one of') },
    ]),
  )
  expect(said.find(isResult)).toMatchObject({ result: 'ok', permission_denials: [] })
})

const change = script([{ call: 'change', arguments: { path: 'a' } }], [{ text: 'ok' }])
const isAsk = (line: Said) => line.type === 'control_request'
const reply = (request_id: unknown, response: object) => ({
  type: 'control_response',
  response: { subtype: 'success', request_id, response },
})

it('denies what asks, or asks on stdout where it is told to', async () => {
  const silent = await begin()
  silent.send(user(change))
  silent.input.end()
  expect(await silent.ended).toBe(0)
  expect(silent.said.find(isResult)).toMatchObject({
    permission_denials: [{ tool_name: 'change', reason: expect.stringContaining('--allowedTools change') }],
  })

  const asking = await begin('--permission-prompts', '--verbose')
  asking.send(user(change))
  const ask = await asking.until(isAsk)
  expect(ask.request).toMatchObject({ subtype: 'can_use_tool', tool_name: 'change', input: { path: 'a' } })
  asking.send(reply('nobody', { behavior: 'allow' }), reply(ask.request_id, { behavior: 'allow' }))
  expect(await asking.until(isResult)).toMatchObject({ result: 'ok', permission_denials: [] })
  expect(asking.said).toContainEqual(
    expect.objectContaining({
      subtype: 'input_error',
      message: expect.stringContaining('Nothing waits for an answer'),
    }),
  )
  // An answer that is none is a no; so is the end of stdin.
  asking.send(user(change))
  const asks = () => asking.said.filter(isAsk)
  await asking.until(() => asks().length === 2)
  asking.send(reply(asks()[1]?.request_id, { behavior: 'whatever' }))
  await asking.until(() => asking.said.filter(isResult).length === 2)
  asking.send(user(change))
  await asking.until(() => asks().length === 3)
  asking.input.end()
  expect(await asking.ended).toBe(0)
  expect(asking.said.filter(isResult).map(line => (line.permission_denials as unknown[]).length)).toEqual([0, 1, 1])
})

it('takes back what it asked when its turn is stopped', async () => {
  const { send, until, input, ended, said } = await begin('--permission-prompts')
  send(user(script([{ call: 'ask_user', arguments: { text: '?' } }], [{ text: 'on' }])))
  const ask = await until(isAsk)
  expect(ask.request).toMatchObject({ subtype: 'ask_user' })
  send(control('x', { subtype: 'interrupt' }))
  await until(isResult)
  expect(said).toContainEqual({ type: 'control_cancel_request', request_id: ask.request_id })
  input.end()
  await ended
})

it('ends at the budget with 4, and says what was not run', async () => {
  const { said, send, input, ended } = await begin('--max-budget-usd', '1')
  const dear = script([{ text: 'dear' }, { usage: { input: 1_200_000, output: 0 } }])
  send(user(dear), user('more'), user('and more'))
  input.end()
  expect(await ended).toBe(4)
  expect(said.filter(isResult).map(({ subtype }) => subtype)).toEqual(['success', 'error_max_budget_usd'])
  expect(said.at(-1)).toMatchObject({ subtype: 'budget_exceeded', budget_limit_usd: 1, not_run: 1 })
})

it('a signal ends the turn with its result, and the process with its code', async () => {
  const { said, send, stop, ended, until } = await begin('--verbose')
  send(user(script([{ text: 'half' }, { delayMs: 60_000 }])), user('never'))
  await until(({ type }) => type === 'system')
  stop()
  expect(await ended).toBe(143)
  expect(said.filter(isResult).length).toBeLessThanOrEqual(1)
})

it('lines are the same however they are cut', async () => {
  const texts = ['{"type":"user"}', '', 'héllo 🎉', '中文', 'x'.repeat(3000)]
  const bytes = Buffer.from(texts.join('\n'))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 20 }), async cuts => {
      const at = [0, ...[...new Set(cuts)].sort((a, b) => a - b), bytes.length]
      const pipe = new PassThrough()
      for (let i = 1; i < at.length; i++) pipe.write(bytes.subarray(at[i - 1], at[i]))
      pipe.end()
      const read: RawLine[] = []
      for await (const line of inputLines(pipe)) read.push(line)
      expect(read).toEqual(texts.map(text => ({ text })))
    }),
    { numRuns: 50 },
  )
})

it('no line of any kind throws', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), text => void readInput(text)))
  expect(readInput('{"type":"user","message":{"role":"assistant","content":"x"}}')).toMatchObject({ kind: 'bad' })
  expect(readInput('{"type":"user","message":{"role":"user","content":[{"type":"tool_result"}]}}')).toMatchObject({
    kind: 'bad',
  })
})
