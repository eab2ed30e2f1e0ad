/** What the language benchmark stands on: a TypeScript project of many modules, the raw server in it, and Belay beside it. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node'
import { foldersOf } from '../sidecar/base/folders.ts'
import { capabilitiesFor } from '../sidecar/language/capabilities.ts'
import { createLanguage, type Language } from '../sidecar/language/language.ts'
import { findProgram } from '../sidecar/language/program.ts'
import { shippedServers } from '../sidecar/language/registry.ts'
import { createWorkspaces } from '../sidecar/workspace/service.ts'

export const MODULES = 150

const home = realpathSync(mkdtempSync(join(tmpdir(), 'belay-bench-language-')))
export const folder = join(home, 'project')

export const fileOf = (at: number): string => join(folder, 'src', `m${at}.ts`)
export const moduleText = (at: number): string =>
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

mkdirSync(join(folder, 'src'), { recursive: true })
writeFileSync(join(folder, 'tsconfig.json'), '{ "compilerOptions": { "strict": true, "module": "nodenext" } }')
for (let at = 0; at < MODULES; at++) writeFileSync(fileOf(at), moduleText(at))

const definition = shippedServers.find(({ id }) => id === 'typescript')
const program = definition ? findProgram(definition, process.env) : { missing: 'TypeScript is not known' }
if ('missing' in program) throw new Error(program.missing)
const [server, ...serverArguments] = program.command

export interface RawServer {
  /** That file has this text: opened, or changed whole. */
  tell(file: string, text: string): Promise<void>
  ask(method: string, file: string, params?: object): Promise<unknown>
  end(): Promise<void>
}

/** Nothing but the protocol. */
export async function rawServer(): Promise<RawServer> {
  // In a group of its own as Belay's, for on a busy machine each group gets a share of its own.
  const stdio = ['pipe', 'pipe', 'ignore'] as const
  const child = spawn(server, serverArguments, { cwd: folder, stdio: [...stdio], detached: true })
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  )
  connection.onRequest('workspace/configuration', (params: { items: unknown[] }) => params.items.map(() => ({})))
  connection.onRequest('client/registerCapability', () => null)
  connection.onRequest('workspace/diagnostic/refresh', () => null)
  connection.listen()
  const rootUri = pathToFileURL(folder).href
  const capabilities = capabilitiesFor({})
  await connection.sendRequest('initialize', { processId: process.pid, rootUri, capabilities })
  await connection.sendNotification('initialized', {})
  const versions = new Map<string, number>()
  return {
    async tell(file, text) {
      const uri = pathToFileURL(file).href
      const version = (versions.get(uri) ?? 0) + 1
      versions.set(uri, version)
      if (version === 1)
        await connection.sendNotification('textDocument/didOpen', {
          textDocument: { uri, languageId: 'typescript', version, text },
        })
      else
        await connection.sendNotification('textDocument/didChange', {
          textDocument: { uri, version },
          contentChanges: [{ text }],
        })
    },
    ask: (method, file, params = {}) =>
      connection.sendRequest(method, { textDocument: { uri: pathToFileURL(file).href }, ...params }),
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
export const workspace = await workspaces.open(folder, { trust: 'full' })
await workspace.ready

export const belayLanguage = (): Language =>
  createLanguage({
    workspace: () => workspace,
    environment: async () => process.env,
    log: () => {},
    enabled: () => true,
    servers: () => ({}),
    budgetMs: () => 30_000,
    epoch: 'bench',
  })

export async function endProject(): Promise<void> {
  await workspaces.dispose()
  rmSync(home, { recursive: true, force: true })
}

const sorted = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b)
export const median = (numbers: readonly number[]): number => sorted(numbers)[Math.floor(numbers.length / 2)] ?? 0
export const p95 = (numbers: readonly number[]): number => sorted(numbers)[Math.ceil(numbers.length * 0.95) - 1] ?? 0
export const met = (holds: boolean): string => (holds ? 'met' : 'MISSED')
