/**
 * What the agent costs beside its model: `belay run` of two steps (model, tool, model) against a model server on this
 * machine that does not think. Prints wall time, time to the first request, memory, and how much of each request was sent before.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const RUNS = 5
const PREFIX_BAR_PERCENT = 99
/** The bundle of this file stands in .cache/bundles/<name>/. */
const root = resolve(import.meta.dirname, '../../..')
const belay = join(root, 'out/main/belay.js')

const chunk = (delta: object, finish: string | null = null) => ({
  id: 'bench',
  object: 'chat.completion.chunk',
  model: 'bench',
  choices: [{ index: 0, delta, finish_reason: finish }],
})
const usage = { ...chunk({}), choices: [], usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } }
const call = { index: 0, id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a.txt"}' } }
const callFrames = [chunk({ role: 'assistant', tool_calls: [call] }), chunk({}, 'tool_calls'), usage]
const textFrames = [chunk({ role: 'assistant', content: 'Two lines.' }), chunk({}, 'stop'), usage]

interface Measured {
  wallMs: number
  firstRequestMs: number
  pssMb: number | null
  prefixPercent: number
  requestBytes: number
}

const built = spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], { stdio: 'inherit', timeout: 600_000 })
if (built.status !== 0) process.exit(1)
const home = await mkdtemp(join(tmpdir(), 'belay-bench-turn-'))
const folder = join(home, 'project')
await mkdir(folder)
await writeFile(join(folder, 'a.txt'), 'one\ntwo\n')
try {
  const runs: Measured[] = []
  for (let i = 0; i < RUNS; i++) runs.push(await measure())
  const floor = nodeFloorMs()
  const best = (read: (run: Measured) => number) => Math.min(...runs.map(read))
  const median = (read: (run: Measured) => number) => runs.map(read).sort((a, b) => a - b)[RUNS >> 1] ?? 0
  const prefix = best(run => run.prefixPercent)
  console.log(
    `two-step turn: ${median(run => run.wallMs).toFixed(0)} ms wall (best ${best(run => run.wallMs).toFixed(0)})`,
  )
  console.log(
    `  of which \`node -e 0\` takes ${floor.toFixed(0)} ms: ${(median(run => run.wallMs) / floor).toFixed(1)} x`,
  )
  console.log(`first model request after ${median(run => run.firstRequestMs).toFixed(0)} ms (bar 300 ms)`)
  const pss = runs[0]?.pssMb == null ? 'not measured on this system' : `${median(run => run.pssMb ?? 0).toFixed(0)} MB`
  console.log(`memory at the second request, PSS of the process tree: ${pss}`)
  console.log(`first request: ${median(run => run.requestBytes)} bytes`)
  console.log(`kept byte for byte from request to request: ${prefix.toFixed(1)} % (bar ${PREFIX_BAR_PERCENT} %)`)
  process.exitCode = prefix >= PREFIX_BAR_PERCENT ? 0 : 1
} finally {
  await rm(home, { recursive: true, force: true })
}

function nodeFloorMs(): number {
  const times = [1, 2, 3].map(() => {
    const began = performance.now()
    spawnSync(process.execPath, ['-e', '0'])
    return performance.now() - began
  })
  return Math.min(...times)
}

async function measure(): Promise<Measured> {
  const bodies: string[] = []
  let firstRequestMs = 0
  let pssMb: number | null = null
  let began = 0
  let pid = 0
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(404).end()
    if (bodies.length === 0) firstRequestMs = performance.now() - began
    let body = ''
    request.on('data', piece => {
      body += piece
    })
    request.on('end', async () => {
      bodies.push(body)
      if (bodies.length === 2) pssMb = await pssOf(pid)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const frame of bodies.length === 1 ? callFrames : textFrames)
        response.write(`data: ${JSON.stringify(frame)}\n\n`)
      response.end('data: [DONE]\n\n')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    BELAY_HOME: join(home, 'belay'),
    OPENAI_API_KEY: 'bench',
    OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
  }
  began = performance.now()
  const child = spawn(
    process.execPath,
    [belay, 'run', 'What is in a.txt?', '--model', 'openai/bench', '--cwd', folder],
    {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 30_000,
    },
  )
  pid = child.pid ?? 0
  let answer = ''
  child.stdout.on('data', piece => {
    answer += piece
  })
  const [code] = await once(child, 'exit')
  const wallMs = performance.now() - began
  server.closeAllConnections()
  server.close()
  if (code !== 0 || answer.trim() !== 'Two lines.') throw new Error(`belay run ended with ${code}: ${answer}`)
  const [first = '', second = ''] = bodies
  return {
    wallMs,
    firstRequestMs,
    pssMb,
    prefixPercent: keptPercent(first, second),
    requestBytes: Buffer.byteLength(first),
  }
}

/** Of the first request's messages, tools and system prompt: what the second repeats in place. Its closing brackets are not content. */
function keptPercent(first: string, second: string): number {
  const kept = (key: string): [number, number] => {
    const [a, b] = [first, second].map(body => JSON.stringify((JSON.parse(body) as Record<string, unknown>)[key] ?? ''))
    const before = (a ?? '').replace(/\]$/, '')
    let same = 0
    while (same < before.length && before[same] === b?.[same]) same++
    return [same, before.length]
  }
  const parts = ['messages', 'tools', 'system'].map(kept)
  const sum = (at: 0 | 1) => parts.reduce((total, part) => total + part[at], 0)
  return (100 * sum(0)) / sum(1)
}

/** Megabytes of the process and everything it started; null where the system does not say. */
async function pssOf(pid: number): Promise<number | null> {
  if (process.platform !== 'linux') return null
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    const stat = /^\d+$/.test(name) ? await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '') : ''
    const parent = /\) \S (\d+) /.exec(stat)?.[1]
    if (parent) parents.set(Number(name), Number(parent))
  }
  const tree = [pid]
  for (const id of tree) for (const [child, parent] of parents) if (parent === id) tree.push(child)
  let kb = 0
  for (const id of tree) {
    const rollup = await readFile(`/proc/${id}/smaps_rollup`, 'utf8').catch(() => '')
    kb += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0)
  }
  return kb / 1024
}
