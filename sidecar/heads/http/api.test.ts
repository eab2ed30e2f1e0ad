/** The HTTP face over a real server and stand-in processes: what is let in, what each exit becomes, and what ends with whom. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, expect, it } from 'vitest'
import { createHttpApi, type StartedRun } from './api.ts'
import { argumentsOf, RunOptions } from './body.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})
const audited: unknown[][] = []

/** `program`: JavaScript that runs in place of `belay run`; its arguments are in `process.argv`. */
async function serve(program: string) {
  const started: { args: readonly string[]; run: StartedRun }[] = []
  audited.length = 0
  const api = createHttpApi({
    ...{ token: 'secret', version: '1', folder: '/project' },
    workspaces: async () => [{ id: 'wsp_1', name: 'other', folder: '/other' }],
    start(args, stdin) {
      const child = spawn(process.execPath, ['-e', program, '--', ...args], { stdio: 'pipe', timeout: 20_000 })
      child.stdin.on('error', () => {})
      child.stdin.end(stdin)
      const exit = once(child, 'close').then(([code]) => code as number | null)
      const run = { stdout: child.stdout, stderr: child.stderr, exit, end: () => void child.kill('SIGKILL') }
      started.push({ args, run })
      return run
    },
    audit: (...line) => void audited.push(line),
  })
  const server = createServer((request, response) => {
    if (!api.handle(request, response)) response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => {
    api.close()
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      method: 'POST',
      headers: { Authorization: 'Bearer secret', 'Content-Type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  return { url, post, started }
}
const result = (more: object, exit: number) =>
  `process.stdout.write(JSON.stringify({ type: 'result', ...${JSON.stringify(more)} }) + '\\n'); process.exitCode = ${exit}`

it('lets in who has the token, and no web page', async () => {
  const { url, post } = await serve(result({ result: 'ok' }, 0))
  expect((await fetch(`${url}/health`)).status).toBe(200)
  expect((await fetch(`${url}/openapi.json`)).status).toBe(401)
  const wrong = await post('/run', { prompt: 'x' }, { Authorization: 'Bearer wrong!' })
  expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="belay"'])
  expect((await post('/run', { prompt: 'x' }, { Origin: url })).status).toBe(403)
  expect((await fetch(`${url}/run`, { headers: { Authorization: 'Bearer secret' } })).status).toBe(405)
  expect((await fetch(`${url}/else`)).status).toBe(404)
})

it.each([
  [{}, 400, /prompt/],
  [{ prompt: ' ' }, 400, /prompt is empty/],
  ['not json', 400, /no JSON object/],
  [{ prompt: 'x', strange: 1 }, 400, /Unrecognized key/],
  [{ prompt: 'x', options: { max_turns: 0 } }, 400, /options\.max_turns/],
  [{ prompt: 'x', options: { temperature: 1 } }, 400, /temperature/],
  [{ prompt: 'x', options: { permission_mode: 'bypassPermissions' } }, 403, /command line only/],
  [{ prompt: 'x', workspace: 'nowhere' }, 404, /no workspace nowhere/],
])('%j is %i', async (body, status, words) => {
  const { post, started } = await serve(result({}, 0))
  const answer = await post('/run', body)
  expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([
    status,
    expect.stringMatching(words),
  ])
  expect(started).toEqual([])
})

it.each([
  [0, 200],
  [1, 500],
  [2, 200],
  [3, 400],
  [4, 200],
])('exit %i is status %i, with the object and what was sent along', async (exit, status) => {
  const { post } = await serve(result({ result: 'r', is_error: exit !== 0, session_id: 'ses_1' }, exit))
  const answer = await post('/run', { prompt: 'x', metadata: { ticket: 7 } })
  expect(answer.status).toBe(status)
  expect(await answer.json()).toMatchObject({ result: 'r', session_id: 'ses_1', metadata: { ticket: 7 } })
})

it('streams lines as events as they come, and says so where there is no result', async () => {
  const { post, started } = await serve(`console.log('{"type":"system"}'); ${result({ result: 'r' }, 0)}`)
  const answer = await post('/run', { prompt: 'x', options: { output_format: 'stream-json' }, metadata: { a: 1 } })
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  expect(await answer.text()).toBe(
    'event: message\ndata: {"type":"system"}\n\nevent: message\ndata: {"type":"result","result":"r","metadata":{"a":1}}\n\n',
  )
  expect(started[0]?.args).toEqual(['--output-format=stream-json', '--cwd=/project', '--verbose'])
  const broken = await serve(`console.error('it broke'); process.exitCode = 1`)
  const told = await (await broken.post('/run', { prompt: 'x', options: { output_format: 'stream-json' } })).text()
  expect(told).toContain('"type":"error","code":"ERR_RUN","message":"it broke"')
})

it('one run a session; another is refused, an interrupt ends it, and so does who goes away', async () => {
  const { post, started } = await serve('setInterval(() => {}, 1000)')
  const going = post('/run', { prompt: 'secret words', options: { session_id: 'abc' } })
  await expect.poll(() => started.length).toBe(1)
  expect((await post('/run', { prompt: 'y', options: { resume: 'ses_abc' } })).status).toBe(409)
  expect((await post('/run/interrupt', {})).status).toBe(400)
  expect((await post('/run/interrupt', { session_id: 'other' })).status).toBe(404)
  expect((await post('/run/interrupt', { session_id: 'abc' })).status).toBe(202)
  expect((await going).status).toBe(500)
  expect(JSON.stringify(audited)).not.toContain('secret words')

  const leaving = new AbortController()
  const left = fetch((await serveLeaving()).url, { signal: leaving.signal, ...request }).catch(() => null)
  await expect.poll(() => leavingStarted.length).toBe(1)
  leaving.abort()
  await left
  expect(await leavingStarted[0]?.run.exit).toBeNull()
})
const request = { method: 'POST', headers: { Authorization: 'Bearer secret' }, body: JSON.stringify({ prompt: 'x' }) }
let leavingStarted: { run: StartedRun }[] = []
async function serveLeaving() {
  const { url, started } = await serve('setInterval(() => {}, 1000)')
  leavingStarted = started
  return { url: `${url}/run` }
}

it('describes itself from the schemas it reads with: what fits there is taken, what does not is refused', async () => {
  const { url, post } = await serve(result({}, 0))
  const answer = await fetch(`${url}/openapi.json`, { headers: { Authorization: 'Bearer secret' } })
  const described = (await answer.json()) as {
    openapi: string
    paths: Record<
      string,
      Record<
        string,
        {
          requestBody?: { content: Record<string, { schema: { properties: object; additionalProperties: boolean } }> }
          responses: Record<string, object>
        }
      >
    >
  }
  expect(Object.keys(described.paths)).toEqual(['/run', '/run/interrupt', '/health', '/openapi.json'])
  const { schema } = described.paths['/run']?.post?.requestBody?.content['application/json'] ?? {}
  expect(schema).toMatchObject({ additionalProperties: false, required: ['prompt'] })
  expect(Object.keys(schema?.properties ?? {})).toEqual(['prompt', 'options', 'workspace', 'metadata'])
  const fits = new Ajv2020({ strict: false }).compile(schema as object)
  const good = {
    output_format: 'text',
    model: 'a/b',
    max_turns: 2,
    allowed_tools: ['read'],
    json_schema: {},
    bare: true,
  }
  const bodies: [object, boolean][] = [
    [{ prompt: 'x' }, true],
    [{ prompt: 'x', options: good, metadata: { a: [1] } }, true],
    [{}, false],
    [{ prompt: 1 }, false],
    [{ prompt: 'x', strange: 1 }, false],
    [{ prompt: 'x', options: { max_turns: 0 } }, false],
    [{ prompt: 'x', options: { outputFormat: 'text' } }, false],
    [{ prompt: 'x', options: { output_format: 'xml' } }, false],
    [{ prompt: 'x', options: { add_dirs: '/x' } }, false],
  ]
  for (const [body, right] of bodies) {
    const taken = (await post('/run', body)).status !== 400
    expect({ body, fits: fits(body), taken }).toEqual({ body, fits: right, taken: right })
  }
  // Each way it describes is one that it goes: no other method, and no answer that is not named.
  for (const [path, methods] of Object.entries(described.paths))
    for (const [method, { responses }] of Object.entries(methods)) {
      const headers = { Authorization: 'Bearer secret' }
      const { status } = await fetch(url + path, { method: method.toUpperCase(), headers })
      expect(Object.keys(responses), `${method} ${path}`).toContain(`${status}`)
      expect((await fetch(url + path, { method: 'DELETE', headers })).status).toBe(405)
    }
})

it('options become those of belay run', () => {
  const options = RunOptions.parse({
    ...{ output_format: 'text', model: 'a/b', max_turns: 3, max_budget_usd: 0.5, continue: true, bare: true },
    ...{ allowed_tools: ['bash(a, b)', 'read'], json_schema: { type: 'object' }, add_dirs: ['/x'] },
  })
  expect(argumentsOf(options, '/p')).toEqual([
    ...[
      '--output-format=text',
      '--model=a/b',
      '--max-turns=3',
      '--max-budget-usd=0.5',
      '--json-schema={"type":"object"}',
    ],
    ...['--cwd=/p', '--allowedTools=bash(a, b)', '--allowedTools=read', '--add-dir=/x', '--continue', '--bare'],
  ])
})
