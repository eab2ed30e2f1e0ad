/**
 * `POST /run` and its kin: one prompt over HTTP, with the options, results and exit codes of `belay run`. Promise: nothing without
 * the token, one run a session, and no run outlives the request it answers.
 */
import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { toFault } from '#contract/error'
import type { Log } from '../../base/log.ts'
import { argumentsOf, InterruptBody, lockOf, RunBody } from './body.ts'
import { openApi } from './open-api.ts'

/** A `belay run` that was started for a request. */
export interface StartedRun {
  readonly stdout: Readable
  readonly stderr: Readable
  /** Null: a signal ended it. */
  readonly exit: Promise<number | null>
  /** Ends it and all it started. */
  end(): void
}

export interface HttpApiOptions {
  readonly token: string
  readonly version: string
  /** Where it works when no workspace is named; null: one has to be. */
  readonly folder: string | null
  /** All that Belay knows. */
  workspaces(): Promise<readonly { id: string; name: string; folder: string }[]>
  start(args: readonly string[], stdin: string): StartedRun
  /** Who did what when; never what was said. */
  readonly audit: Log
}

export interface HttpApi {
  /** False: not one of its paths. */
  handle(request: IncomingMessage, response: ServerResponse): boolean
  /** Ends every run. */
  close(): void
}

interface Active {
  readonly runId: string
  readonly lock: string | null
  run: StartedRun | null
  interrupted: boolean
}

const MOST_BODY_BYTES = 12 * 1024 * 1024
const MOST_TAIL = 2000

export function createHttpApi(options: HttpApiOptions): HttpApi {
  const active = new Set<Active>()

  const run = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request, RunBody)
    if ('problem' in body) return send(response, 400, { is_error: true, error: body.problem })
    const { prompt, options: given, workspace, metadata } = body.value
    if (prompt.trim() === '') return send(response, 400, { is_error: true, error: 'prompt is empty.' })
    if (given.permission_mode === 'bypassPermissions')
      return send(response, 403, {
        is_error: true,
        error: 'bypassPermissions skips every rule; it is set on a command line only.',
      })
    const folder = await folderOf(workspace)
    if (folder === null)
      return send(response, 404, { is_error: true, error: `There is no workspace ${workspace ?? ''}.` })
    const lock = lockOf(given, folder)
    if (lock !== null && [...active].some(each => each.lock === lock))
      return send(response, 409, { is_error: true, error: 'A run of this session is under way.' })
    const one: Active = { runId: crypto.randomUUID(), lock, run: null, interrupted: false }
    active.add(one)
    options.audit('info', 'run', { run: one.runId, folder, promptChars: prompt.length, session: lock })
    try {
      one.run = options.start(argumentsOf(given, folder), prompt)
      if (one.interrupted) one.run.end()
      // Whoever asked has gone: nobody is there to answer.
      response.on('close', () => one.run?.end())
      response.setHeader('X-Run-Id', one.runId)
      const exit = await (given.output_format === 'stream-json'
        ? streamed(one.run, response, metadata)
        : whole(one.run, response, { format: given.output_format, metadata }))
      options.audit('info', 'run ended', { run: one.runId, exit })
    } finally {
      active.delete(one)
    }
  }

  const folderOf = async (wanted: string | undefined): Promise<string | null> => {
    if (wanted === undefined) return options.folder
    const known = await options.workspaces()
    return known.find(({ id, name, folder }) => [id, folder, name].includes(wanted))?.folder ?? null
  }

  const interrupt = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request, InterruptBody)
    if ('problem' in body) return send(response, 400, { is_error: true, error: body.problem })
    const { session_id: session, run_id: runId } = body.value
    if (!session && !runId) return send(response, 400, { is_error: true, error: 'Name a session_id or a run_id.' })
    const lock = session?.replace(/^ses_/, '')
    const found = [...active].find(each => (runId ? each.runId === runId : each.lock === lock))
    if (!found) return send(response, 404, { is_error: true, error: 'No such run is under way.' })
    found.interrupted = true
    found.run?.end()
    options.audit('info', 'run interrupted', { run: found.runId })
    send(response, 202, { interrupted: true, run_id: found.runId })
  }

  const routes: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<void>>> = {
    'POST /run': run,
    'POST /run/interrupt': interrupt,
    'GET /health': async (_request, response) => send(response, 200, { ok: true, version: options.version }),
    'GET /openapi.json': async (_request, response) => send(response, 200, openApi(options.version)),
  }
  const paths = new Set(Object.keys(routes).map(route => route.split(' ')[1]))

  return {
    handle(request, response) {
      const path = new URL(request.url ?? '/', 'http://localhost').pathname
      if (!paths.has(path)) return false
      const route = routes[`${request.method} ${path}`]
      // A page of a browser has no business here, whatever it knows.
      if (request.headers.origin !== undefined) send(response, 403, { is_error: true, error: 'Not for web pages.' })
      else if (!route) send(response, 405, { is_error: true, error: `${path} does not take ${request.method}.` })
      else if (path !== '/health' && !isTrusted(request, options.token))
        send(
          response,
          401,
          { is_error: true, error: 'A bearer token is needed.' },
          { 'WWW-Authenticate': 'Bearer realm="belay"' },
        )
      else
        route(request, response).catch(thrown => {
          options.audit('error', 'a request failed', { path, fault: toFault(thrown).message })
          if (response.headersSent) response.destroy()
          else send(response, 500, { is_error: true, error: toFault(thrown).message })
        })
      return true
    },
    close() {
      for (const { run: started } of active) started?.end()
    },
  }
}

/** Lines as they come, each an event; the last one carries what was sent along. */
async function streamed(
  run: StartedRun,
  response: ServerResponse,
  metadata: RunBody['metadata'],
): Promise<number | null> {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  })
  const tail = tailOf(run.stderr)
  let told = false
  const write = async (line: string) => {
    if (response.write(`event: message\ndata: ${line}\n\n`) || response.destroyed) return
    const settled = new AbortController()
    const { signal } = settled
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]).catch(() => {})
    settled.abort()
  }
  for await (const line of createInterface({ input: run.stdout })) {
    const isResult = line.startsWith('{"type":"result"')
    told ||= isResult
    await write(isResult && metadata ? JSON.stringify({ ...(JSON.parse(line) as object), metadata }) : line)
  }
  const exit = await run.exit
  if (!told)
    await write(
      JSON.stringify({
        type: 'error',
        code: 'ERR_RUN',
        message: tail() || 'The run ended without a result.',
        metadata,
      }),
    )
  response.end()
  return exit
}

const statuses: Readonly<Record<number, number>> = { 0: 200, 2: 200, 4: 200, 3: 400 }

async function whole(
  run: StartedRun,
  response: ServerResponse,
  { format, metadata }: { format: 'text' | 'json'; metadata: RunBody['metadata'] },
): Promise<number | null> {
  const tail = tailOf(run.stderr)
  const chunks: Buffer[] = []
  for await (const chunk of run.stdout) chunks.push(Buffer.from(chunk as Buffer))
  const exit = await run.exit
  const output = Buffer.concat(chunks).toString('utf8')
  const status = statuses[exit ?? -1] ?? 500
  const result = format === 'json' ? objectIn(output) : null
  if (status !== 200)
    send(response, status, {
      ...{ is_error: true, error: tail() || 'The run failed.', ...result, metadata },
      error_detail: { code: 'ERR_RUN', exit, output_tail: (tail() || output).slice(-MOST_TAIL) },
    })
  else if (result) send(response, 200, { ...result, ...(metadata ? { metadata } : {}) })
  else {
    response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' })
    response.end(output)
  }
  return exit
}

function objectIn(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

/** The end of what it complained of. */
function tailOf(stream: Readable): () => string {
  let text = ''
  stream.on('data', piece => {
    text = (text + String(piece)).slice(-MOST_TAIL)
  })
  return () => text.trim()
}

function isTrusted(request: IncomingMessage, token: string): boolean {
  const given = Buffer.from(/^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '')
  const wanted = Buffer.from(token)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

async function readBody<T>(
  request: IncomingMessage,
  schema: {
    safeParse(
      value: unknown,
    ): { success: true; data: T } | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } }
  },
): Promise<{ value: T } | { problem: string }> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length
    if (bytes > MOST_BODY_BYTES) return { problem: 'The body is larger than 12 MB.' }
    chunks.push(chunk as Buffer)
  }
  const value = objectIn(Buffer.concat(chunks).toString('utf8'))
  if (value === null) return { problem: 'The body is no JSON object.' }
  const read = schema.safeParse(value)
  if (read.success) return { value: read.data }
  const [first] = read.error.issues
  return { problem: `${first?.path.join('.') || 'body'}: ${first?.message ?? 'not understood'}` }
}

function send(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  const text = JSON.stringify(body)
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers })
  response.end(text)
}
