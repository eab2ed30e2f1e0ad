/** `belay run` over the loopback against the real conversations: answers, exit codes, denials that name their flag, signals. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type BelayContract, contract } from '#contract/index'
import { authorize, smallTools, workspaceId } from '../../agent/fixture.case.ts'
import { nearest } from '../../base/nearest.ts'
import { createScripted } from '../../model/scripted.ts'
import { type Service, serve } from '../../server/serve.ts'
import { createConversations } from '../../session/conversation.ts'
import { createSessionStore } from '../../session/store.ts'
import { connectOver } from '../../transport/connection.ts'
import { loopback } from '../../transport/loopback.ts'
import { parseArguments } from './arguments.ts'
import { print } from './print.ts'
import { MAX_STDIN_BYTES, readStdin } from './read-stdin.ts'
import { run } from './run.ts'

const log = () => {}
let folder: string
const ends: (() => unknown)[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'belay-run-'))
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  await rm(folder, { recursive: true, force: true })
})

function connect() {
  const store = createSessionStore({ folder, log, instanceId: 'run', describeInstance: 'run' })
  const talks = createConversations({
    store,
    model: createScripted(),
    tools: smallTools(),
    authorize,
    remember: async () => null,
    surroundings: async () => ({ roots: [], platform: '', shell: '', date: '', instructions: [], dirty: [] }),
    workspaceOf: () => ({ roots: ['/project'] }),
    workspaceIdOf: () => workspaceId,
    defaults: () => ({ mode: 'default', model: 'scripted/default', effort: 'auto', maxTurns: 20 }),
    consented: () => true,
    trusted: () => true,
    revert: async () => 'stale',
    epoch: 'epoch',
    log,
  })
  const service = {
    contract,
    handlers: { session: talks.handlers },
    attach: talks.attach,
  } as unknown as Service<BelayContract>
  const [near, far] = loopback()
  serve(service, far, { epoch: 'epoch', version: '0', log })
  const connection = connectOver(near)
  ends.push(
    () => store.dispose(),
    () => talks.dispose(),
    () => connection.dispose(),
  )
  return connection
}

async function belay(args: string[], more: { signal?: AbortSignal; context?: string } = {}) {
  const parsed = parseArguments(args, nearest)
  if ('problem' in parsed) throw new Error(parsed.problem)
  const given = parsed.arguments
  const { signal = new AbortController().signal, context = '' } = more
  const connection = connect()
  const result = await run({ connection, workspaceId, arguments: given, prompt: given.prompt ?? '', context, signal })
  return print(result, given.output, signal.aborted ? 'SIGINT' : null)
}
const script = (...steps: object[][]) => `script:${JSON.stringify(steps)}`
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
      result: 'hi',
      is_error: false,
      session_id: expect.stringMatching(/^ses_/),
      metrics: { total_tokens: 15, prompt_tokens: 10, completion_tokens: 5, duration_ms: expect.any(Number) },
      total_cost_usd: 15 / 1_000_000,
    },
    0,
  ])
  const failed = await belay([script([{ error: 'auth', message: 'The key was refused.' }]), '--output-format', 'json'])
  expect([JSON.parse(failed.stdout), failed.exit]).toMatchObject([{ is_error: true, error: 'The key was refused.' }, 1])
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
  expect(await readStdin(pipe, true)).toBe('words')
  expect(await readStdin(new PassThrough(), false)).toBe('')
  const flood = new PassThrough({ highWaterMark: MAX_STDIN_BYTES + 2 })
  flood.end(Buffer.alloc(MAX_STDIN_BYTES + 1))
  await expect(readStdin(flood, true)).rejects.toMatchObject({ code: 'too_large' })
})
