/** `belay run` over the loopback against the real conversations: answers, exit codes, denials that name their flag, signals. */
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { nearest } from '../../base/nearest.ts'
import { connect, script, workspaceId } from '../headless/harness.case.ts'
import { parseOptions } from '../headless/options.ts'
import { MAX_STDIN_BYTES, readStdin } from '../headless/read-stdin.ts'
import type { Line } from '../headless/stream-lines.ts'
import { print } from './print.ts'
import { run } from './run.ts'

async function belay(args: string[], more: { signal?: AbortSignal; context?: string } = {}) {
  const parsed = parseOptions('run', args, nearest)
  if ('problem' in parsed) throw new Error(parsed.problem)
  const { options } = parsed
  const { signal = new AbortController().signal, context = '' } = more
  const lines: Line[] = []
  const outcome = await run({
    ...(await connect('run')),
    ...{ workspaceId, options, context, signal },
    prompt: options.prompt ?? '',
    introduced: { cwd: '/project', version: '0' },
    line: line => void lines.push(line),
    interruptedBy: () => (signal.aborted ? 'SIGINT' : null),
  })
  const printed = print(outcome, options.output)
  return { ...printed, stdout: `${lines.map(line => `${JSON.stringify(line)}\n`).join('')}${printed.stdout}` }
}
const change = { call: 'change', arguments: { path: 'a' } }

it('gives the answer after the last call on stdout', async () => {
  const steps = script([{ text: 'Looking.' }, { call: 'look', arguments: { path: 'a' } }], [{ text: ['The ', 'end.'] }])
  expect(await belay([steps])).toEqual({ stdout: 'The end.\n', stderr: '', exit: 0 })
})

it('denies what asks, naming the flag; with the flag it runs', async () => {
  const steps = script([change], [{ text: 'ok' }])
  expect(await belay([steps])).toEqual({
    stdout: 'ok\n',
    stderr: expect.stringMatching(
      /denied, nobody to ask: change a \(It would run with --allowedTools change or --permission-mode acceptEdits/,
    ),
    exit: 0,
  })
  expect(await belay([steps, '--allowedTools', 'change'])).toEqual({ stdout: 'ok\n', stderr: '', exit: 0 })
  expect(await belay([steps, '--permission-mode', 'acceptEdits'])).toEqual({ stdout: 'ok\n', stderr: '', exit: 0 })
})

it('says in JSON what it cost and what went wrong', async () => {
  const { stdout, exit } = await belay([
    script([{ text: 'hi' }, { usage: { input: 10, output: 5 } }]),
    '--output-format',
    'json',
  ])
  expect([JSON.parse(stdout), exit]).toEqual([
    {
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'hi',
      session_id: expect.stringMatching(/^ses_/),
      num_turns: 1,
      duration_ms: expect.any(Number),
      metrics: { total_tokens: 15, prompt_tokens: 10, completion_tokens: 5, duration_ms: expect.any(Number) },
      usage: { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
      total_cost_usd: 15 / 1_000_000,
      permission_denials: [],
    },
    0,
  ])
  const failed = await belay([script([{ error: 'auth', message: 'The key was refused.' }]), '--output-format', 'json'])
  expect([JSON.parse(failed.stdout), failed.exit]).toMatchObject([
    { subtype: 'error_during_execution', is_error: true, error: 'The key was refused.' },
    1,
  ])
  const denied = await belay([script([change], [{ text: 'ok' }]), '--output-format', 'json'])
  expect(JSON.parse(denied.stdout).permission_denials).toEqual([
    {
      tool_name: 'change',
      tool_use_id: expect.stringMatching(/^call_/),
      tool_input: { path: 'a' },
      reason: expect.stringContaining('--allowedTools change'),
    },
  ])
})

const lines = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))

it('tells everything line by line as stream-json with --verbose, and begin and end without', async () => {
  const steps = script(
    [{ reasoning: 'Hm.' }, { text: 'Looking.' }, { call: 'look', arguments: { path: 'a' } }],
    [{ text: 'The end.' }],
  )
  const { stdout, exit } = await belay([steps, '--output-format', 'stream-json', '--verbose'])
  const session_id = expect.stringMatching(/^ses_/)
  const said = (content: unknown) => ({
    type: 'assistant',
    message: {
      id: expect.stringMatching(/^itm_/),
      type: 'message',
      role: 'assistant',
      model: 'scripted/default',
      content: [content],
      stop_reason: null,
    },
    parent_tool_use_id: null,
    session_id,
  })
  expect(lines(stdout)).toEqual([
    {
      type: 'system',
      subtype: 'init',
      session_id,
      cwd: '/project',
      model: 'scripted/default',
      permissionMode: 'default',
      tools: expect.arrayContaining(['look', 'change']),
      mcp_servers: [],
      mcp_server_errors: [],
      slash_commands: [],
      capabilities: [],
      version: '0',
    },
    said({ type: 'thinking', thinking: 'Hm.' }),
    said({ type: 'text', text: 'Looking.' }),
    said({ type: 'tool_use', id: expect.stringMatching(/^call_/), name: 'look', input: { path: 'a' } }),
    {
      type: 'user',
      message: {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: expect.stringMatching(/^call_/),
            content: expect.any(String),
            is_error: false,
          },
        ],
      },
      parent_tool_use_id: null,
      session_id,
    },
    said({ type: 'text', text: 'The end.' }),
    expect.objectContaining({ type: 'result', subtype: 'success', is_error: false, result: 'The end.', num_turns: 2 }),
  ])
  expect(exit).toBe(0)
  const short = await belay([steps, '--output-format', 'stream-json'])
  expect(lines(short.stdout).map(({ type }) => type)).toEqual(['system', 'result'])
})

const schema = ['--json-schema', '{"type":"object","required":["n"],"properties":{"n":{"type":"number"}}}']

it('checks an answer that must be data, asks once more, and says what is wrong in the end', async () => {
  const fits = await belay([script([{ text: 'Here: {"n": 1}' }]), ...schema, '--output-format', 'json'])
  expect([JSON.parse(fits.stdout), fits.exit]).toMatchObject([{ structured_output: { n: 1 } }, 0])
  // The scripted model answers what it is asked a second time with the words it was asked with.
  const broken = await belay([script([{ text: '{"n": "one"}' }]), ...schema, '--output-format', 'json'])
  expect([JSON.parse(broken.stdout), broken.exit]).toMatchObject([
    { subtype: 'error_structured_output', is_error: true, structured_error: expect.any(String), num_turns: 2 },
    1,
  ])
  const text = await belay([script([{ text: '```json\n{"n": 2}\n```' }]), ...schema])
  expect(text).toEqual({ stdout: '{\n  "n": 2\n}\n', stderr: '', exit: 0 })
  const odd = await belay(['hi', '--json-schema', '{"type":"nothing"}'])
  expect([odd.stderr, odd.exit]).toEqual([expect.stringMatching(/--json-schema is no JSON Schema/), 1])
})

it('begins no model call above the budget, and ends with 4', async () => {
  const look = [{ call: 'look', arguments: { path: 'a' } }, { usage: { input: 600_000, output: 0 } }]
  const { stdout, exit } = await belay([script(look, look, look), '--max-budget-usd', '1', '--output-format', 'json'])
  expect([JSON.parse(stdout), exit]).toMatchObject([
    {
      subtype: 'error_max_budget_usd',
      budget_exceeded: true,
      budget_limit_usd: 1,
      num_turns: 2,
      error: expect.stringContaining('The budget of $1 is used up'),
    },
    4,
  ])
})

it('says where no price is known, and counts tokens in its place', async () => {
  const args = [script([{ text: 'hi' }, { usage: { input: 10, output: 5 } }]), '--max-budget-usd', '1']
  const parsed = parseOptions('run', args, nearest)
  if ('problem' in parsed) throw new Error(parsed.problem)
  const outcome = await run({
    ...(await connect('run')),
    ...{ workspaceId, options: parsed.options, context: '', prompt: parsed.options.prompt ?? '' },
    introduced: { cwd: '/project', version: '0' },
    signal: new AbortController().signal,
    line: () => {},
    interruptedBy: () => null,
  })
  const unpriced = { ...outcome, spent: null, turn: { ...outcome.turn, cost: null } }
  expect(print(unpriced, 'text')).toEqual({
    stdout: 'hi\n',
    stderr: expect.stringMatching(/no price is known.*it took 10 tokens in and 5 out/),
    exit: 0,
  })
  expect(JSON.parse(print(unpriced, 'json').stdout)).toMatchObject({
    total_cost_usd: null,
    session_cost_usd: null,
    metrics: { total_tokens: 15 },
  })
})

it('ends with 2 at the limit of model calls', async () => {
  const look = [{ call: 'look', arguments: { path: 'a' } }]
  const { exit, stderr } = await belay([script(look, look, look), '--max-turns', '2'])
  expect([exit, stderr]).toEqual([2, expect.stringContaining('limit of 2 model calls')])
})

it('leaves questions and plans unanswered', async () => {
  const steps = script(
    [{ call: 'ask_user', arguments: { text: '?' } }],
    [{ call: 'propose_plan', arguments: { markdown: '# P' } }],
    [{ text: 'The plan: P' }],
  )
  expect(await belay([steps, '--permission-mode', 'plan'])).toEqual({ stdout: 'The plan: P\n', stderr: '', exit: 0 })
})

it('stops on a signal, tells what there was, and ends with 130', async () => {
  const stop = new AbortController()
  const going = belay([script([{ text: 'half' }, { delayMs: 60_000 }])], { signal: stop.signal })
  setTimeout(() => stop.abort(), 100)
  expect(await going).toEqual({ stdout: 'half\n', stderr: expect.stringContaining('interrupted by SIGINT'), exit: 130 })
})

it('hands over what came on stdin beside the prompt', async () => {
  const { stdout } = await belay(['hello'], { context: 'from the pipe' })
  expect(stdout).toContain('You said: hello\n\n[Attached: stdin]\n```\nfrom the pipe\n```')
})

it('reads stdin to its end, waits for no silent pipe, and refuses too much', async () => {
  const pipe = new PassThrough()
  pipe.end('words')
  expect(await readStdin(pipe, true)).toEqual({ text: 'words', utf8: true })
  expect(await readStdin(new PassThrough(), false)).toEqual({ text: '', utf8: true })
  const odd = new PassThrough()
  odd.end(Buffer.from([0x63, 0x61, 0x66, 0xe9]))
  expect(await readStdin(odd, true)).toEqual({ text: 'caf\ufffd', utf8: false })
  const flood = new PassThrough({ highWaterMark: MAX_STDIN_BYTES + 2 })
  flood.end(Buffer.alloc(MAX_STDIN_BYTES + 1))
  await expect(readStdin(flood, true)).rejects.toMatchObject({ code: 'too_large' })
})
