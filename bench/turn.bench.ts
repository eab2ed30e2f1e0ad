/**
 * What an agent costs beside its model: a turn of two steps (model, tool, model) against a model server on this machine that
 * does not think. Prints wall time, time to the first request, memory, and bytes sent; `--peers` compares with other agents in the same run.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Asked, startPlayedServer } from '../sidecar/model/server/server.case.ts'
import { type Agent, belayAgent, peerAgents, type Where } from './turn-agents.ts'

const RUNS = 5
const PREFIX_BAR_PERCENT = 99
const PROMPT = 'What is in a.txt?'
const ANSWER = 'Two lines.'
/** The bundle of this file stands in .cache/bundles/<name>/. */
const root = resolve(import.meta.dirname, '../../..')

interface Measured {
  readonly wallMs: number
  readonly firstRequestMs: number
  readonly pssMb: number | null
  readonly prefixPercent: number
  readonly requestBytes: number
  /** Of all requests. */
  readonly bytes: number
  readonly requests: number
}

const built = spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], { stdio: 'inherit', timeout: 600_000 })
if (built.status !== 0) process.exit(1)
const home = await mkdtemp(join(tmpdir(), 'belay-bench-turn-'))
const folder = join(home, 'project')
await mkdir(folder)
await writeFile(join(folder, 'a.txt'), 'one\ntwo\n')
try {
  const agents = [belayAgent(root), ...(process.argv.includes('--peers') ? await peerAgents(root) : [])]
  const runs = new Map<Agent, Measured[]>(agents.map(agent => [agent, []]))
  // In turn, so that what disturbs the machine disturbs each; the first round warms up.
  for (let round = 0; round <= RUNS; round++)
    for (const agent of agents) {
      const measured = await measure(agent)
      if (round > 0 || agents.length === 1) runs.get(agent)?.push(measured)
    }
  const floor = nodeFloorMs()
  for (const [{ name }, measured] of runs) print(name, measured, floor)
  const prefix = Math.min(...(runs.get(agents[0] as Agent) ?? []).map(run => run.prefixPercent))
  console.log(`kept byte for byte from request to request: ${prefix.toFixed(1)} % (bar ${PREFIX_BAR_PERCENT} %)`)
  process.exitCode = prefix >= PREFIX_BAR_PERCENT ? 0 : 1
} finally {
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
}

function print(name: string, runs: readonly Measured[], floor: number): void {
  const median = (read: (run: Measured) => number) => runs.map(read).sort((a, b) => a - b)[runs.length >> 1] ?? 0
  const wall = median(run => run.wallMs)
  const pss = runs[0]?.pssMb == null ? 'not measured on this system' : `${median(run => run.pssMb ?? 0).toFixed(0)} MB`
  console.log(`${name}: a two-step turn in ${wall.toFixed(0)} ms (${(wall / floor).toFixed(1)} x \`node -e 0\`)`)
  console.log(`  first model request after ${median(run => run.firstRequestMs).toFixed(0)} ms (bar for belay: 300 ms)`)
  console.log(`  memory at the second request, PSS of the process tree: ${pss}`)
  console.log(
    `  ${median(run => run.requestBytes)} bytes in the first request, ${median(run => run.bytes)} in all ${median(run => run.requests)}`,
  )
}

function nodeFloorMs(): number {
  const times = [1, 2, 3].map(() => {
    const began = performance.now()
    spawnSync(process.execPath, ['-e', '0'])
    return performance.now() - began
  })
  return Math.min(...times)
}

async function measure(agent: Agent): Promise<Measured> {
  const turn: string[] = []
  let firstRequestMs = 0
  let pssMb: number | null = null
  let began = 0
  let pid = 0
  const answer = async ({ json, body }: Asked) => {
    // Titles and the like are asked without tools; they are counted, and answered in a word.
    if (!Array.isArray(json.tools) || json.tools.length === 0) return { said: [{ text: 'A title' }] }
    if (turn.push(body) === 1) {
      firstRequestMs = performance.now() - began
      return { said: [{ call: agent.call.tool, arguments: agent.call.arguments(folder) }] }
    }
    if (turn.length === 2) pssMb = await pssOf(pid)
    return { said: [{ text: ANSWER }] }
  }
  const server = await startPlayedServer({ answer, models: ['bench'] })
  const where: Where = { url: server.url, home, folder }
  await agent.prepare?.(where)
  const [command = '', ...args] = agent.command(where, PROMPT)
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: tmpdir(), LANG: 'C.UTF-8', ...agent.env(where) }
  began = performance.now()
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 })
  pid = child.pid ?? 0
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', piece => {
      said += piece
    })
  const [code] = await once(child, 'close')
  const wallMs = performance.now() - began
  const bytes = server.asked.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0)
  await server.close()
  if (code !== 0 || !said.includes(ANSWER) || turn.length < 2)
    throw new Error(`${agent.name} ended with ${code} after ${turn.length} requests: ${said}`)
  const [first = '', second = ''] = turn
  return {
    ...{ wallMs, firstRequestMs, pssMb, bytes, requests: server.asked.length },
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
