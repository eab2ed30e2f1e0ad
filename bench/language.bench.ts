/**
 * The verdict after a write beside the raw server in the same run: a TypeScript project of 150 modules, cold and warm. Bars: warm
 * <= raw + 20 ms and < 50 ms in all; cold < 700 ms from nothing to the first verdict.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node'
import { foldersOf } from '../sidecar/base/folders.ts'
import { capabilitiesFor } from '../sidecar/language/capabilities.ts'
import { createLanguage } from '../sidecar/language/language.ts'
import { findProgram } from '../sidecar/language/program.ts'
import { shippedServers } from '../sidecar/language/registry.ts'
import { createWorkspaces } from '../sidecar/workspace/service.ts'

const MODULES = 150
const ROUNDS = 40
const COLD_ROUNDS = 5

const home = realpathSync(mkdtempSync(join(tmpdir(), 'belay-bench-language-')))
const folder = join(home, 'project')
mkdirSync(join(folder, 'src'), { recursive: true })
writeFileSync(join(folder, 'tsconfig.json'), '{ "compilerOptions": { "strict": true, "module": "nodenext" } }')
const moduleText = (at: number): string =>
  [
    ...(at > 0 ? [`import { type Item${at - 1}, make${at - 1} } from './m${at - 1}.js'`] : []),
    `export interface Item${at} { id: number; name: string; tags: readonly string[]${at > 0 ? `; before: Item${at - 1}` : ''} }`,
    `export function make${at}(id: number): Item${at} {`,
    `  return { id, name: \`item \${id}\`, tags: ['a', 'b']${at > 0 ? `, before: make${at - 1}(id)` : ''} }`,
    '}',
    ...Array.from(
      { length: 20 },
      (_, line) => `export const f${line} = (x: number): number => x * ${line} + make${at}(x).id`,
    ),
  ].join('\n')
for (let at = 0; at < MODULES; at++) writeFileSync(join(folder, 'src', `m${at}.ts`), moduleText(at))
const file = join(folder, 'src', `m${MODULES - 1}.ts`)
const base = moduleText(MODULES - 1)
/** Right and wrong in turns, never the same text twice. */
const textOf = (round: number): string =>
  `${base}\nexport const r: number = ${round % 2 === 0 ? round : `'${round}'`}\n`

const definition = shippedServers.find(({ id }) => id === 'typescript')
const program = definition ? findProgram(definition, process.env) : { missing: 'TypeScript is not known' }
if ('missing' in program) throw new Error(program.missing)
const [server, ...serverArguments] = program.command

interface Checker {
  verdict(round: number): Promise<number>
  end(): Promise<void>
}

/** Nothing but the protocol: a change, and a question. */
async function raw(): Promise<Checker> {
  const child = spawn(server, serverArguments, { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] })
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  )
  connection.onRequest('workspace/configuration', (params: { items: unknown[] }) => params.items.map(() => ({})))
  connection.onRequest('client/registerCapability', () => null)
  connection.listen()
  const uri = pathToFileURL(file).href
  const rootUri = pathToFileURL(folder).href
  await connection.sendRequest('initialize', { processId: process.pid, rootUri, capabilities: capabilitiesFor({}) })
  await connection.sendNotification('initialized', {})
  let version = 0
  return {
    async verdict(round) {
      const text = textOf(round)
      version += 1
      if (version === 1)
        await connection.sendNotification('textDocument/didOpen', {
          textDocument: { uri, languageId: 'typescript', version, text },
        })
      else
        await connection.sendNotification('textDocument/didChange', {
          textDocument: { uri, version },
          contentChanges: [{ text }],
        })
      const { items } = (await connection.sendRequest('textDocument/diagnostic', { textDocument: { uri } })) as {
        items: unknown[]
      }
      return items.length
    },
    async end() {
      connection.dispose()
      child.kill()
      await new Promise(done => child.once('exit', done))
    },
  }
}

const workspaces = createWorkspaces({
  folders: foldersOf({ BELAY_HOME: join(home, 'belay') }),
  log: () => {},
  env: process.env,
})
const workspace = await workspaces.open(folder, { trust: 'full' })
await workspace.ready
const path = workspace.paths.toWire(file)
if (!path) throw new Error('the file is outside')
const never = new AbortController().signal

function ours(): Checker {
  const language = createLanguage({
    workspace: () => workspace,
    environment: async () => process.env,
    log: () => {},
    enabled: () => true,
    servers: () => ({}),
    budgetMs: () => 30_000,
    epoch: 'bench',
  })
  return {
    async verdict() {
      const { lsp } = await language.check(workspace.info.workspaceId, [path as NonNullable<typeof path>], never)
      return lsp[0]?.errorCount ?? -1
    },
    end: () => language.dispose(),
  }
}

const median = (numbers: number[]): number => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
const timed = async (work: () => Promise<number>, expected: number): Promise<number> => {
  const began = performance.now()
  const found = await work()
  const took = performance.now() - began
  if (found !== expected) throw new Error(`found ${found} errors instead of ${expected}`)
  return took
}

try {
  const cold = { raw: [] as number[], ours: [] as number[] }
  const warm = { raw: [] as number[], ours: [] as number[] }
  let round = 0
  for (let at = 0; at < COLD_ROUNDS; at++)
    for (const kind of ['raw', 'ours'] as const) {
      writeFileSync(file, textOf(++round))
      let checker: Checker | undefined
      cold[kind].push(
        await timed(async () => {
          checker = kind === 'raw' ? await raw() : ours()
          return checker.verdict(round)
        }, round % 2),
      )
      await checker?.end()
    }
  const both = { raw: await raw(), ours: ours() }
  for (const kind of ['raw', 'ours'] as const) await both[kind].verdict(round)
  for (let at = 0; at < ROUNDS; at++) {
    writeFileSync(file, textOf(++round))
    for (const kind of ['raw', 'ours'] as const)
      warm[kind].push(await timed(() => both[kind].verdict(round), round % 2))
  }
  await Promise.all([both.raw.end(), both.ours.end()])
  const [rawCold, ourCold, rawWarm, ourWarm] = [cold.raw, cold.ours, warm.raw, warm.ours].map(median) as [
    number,
    number,
    number,
    number,
  ]
  const met = (holds: boolean) => (holds ? 'met' : 'MISSED')
  console.log(`${MODULES} modules, medians; raw server beside Belay`)
  console.log(
    `warm verdict: ${rawWarm.toFixed(1)} ms, ${ourWarm.toFixed(1)} ms (bar raw + 20: ${met(ourWarm <= rawWarm + 20)}; bar 50: ${met(ourWarm < 50)})`,
  )
  console.log(`cold verdict: ${rawCold.toFixed(0)} ms, ${ourCold.toFixed(0)} ms (bar 700: ${met(ourCold < 700)})`)
} finally {
  await workspaces.dispose()
  rmSync(home, { recursive: true, force: true })
}
