/** What the tests of tools stand on: a real folder, a real workspace, and a context that keeps what it is told. */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { BlobId, CallId, SessionId, TurnId } from '#contract/id'
import type { Action, Tool, ToolContext, ToolOutcome } from '../agent/ports.ts'
import { newId } from '../base/id.ts'
import { createCheckpoints } from '../checkpoint/checkpoints.ts'
import { defaultLimits } from '../checkpoint/prune.ts'
import { secretPart } from '../permission/places.ts'
import { createJail } from '../sandbox/jail.ts'
import { createWorkspaces } from '../workspace/service.ts'
import { createBackgrounds } from './background.ts'
import { commandEnvironment, commandShell } from './command.ts'
import { createTools } from './tools.ts'

export interface Rig {
  readonly folder: string
  readonly tools: readonly Tool[]
  readonly backgrounds: ReturnType<typeof createBackgrounds>
  readonly live: string[]
  readonly context: ToolContext
  readonly workspace: Awaited<ReturnType<ReturnType<typeof createWorkspaces>['open']>>
  /** Another folder beside the first, made and added. */
  addFolder(name: string, readOnly?: boolean): Promise<string>
  put(path: string, content: string | Uint8Array): Promise<string>
  /** Parses like the loop does, describes, runs; a rejection is a failed outcome with its words. */
  call(tool: string, args: unknown, context?: Partial<ToolContext>): Promise<ToolOutcome & { action: Action | null }>
  end(): Promise<void>
}

export async function createRig(): Promise<Rig> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'belay-tools-')))
  const folder = join(home, 'work')
  await mkdir(folder)
  const under = (name: string) => join(home, name)
  const folders = { config: under('config'), data: under('data'), state: under('state'), cache: under('cache') }
  const workspaces = createWorkspaces({ folders, log: () => {}, env: process.env })
  const workspace = await workspaces.open(folder)
  const backgrounds = createBackgrounds()
  const jail = createJail({ folders, log: () => {}, env: process.env, writableFolders: () => [] })
  const ledger = { add: () => {}, remove: () => {} }
  const checkpoints = createCheckpoints({
    ...{ folder: join(folders.data, 'checkpoints'), data: folders.data, instanceId: 'test', log: () => {} },
    leftOut: () => ({ allow: [], extra: [] }),
    limits: () => defaultLimits,
    workspace: id => ({ roots: workspaces.get(id).info.roots, trusted: true }),
  })
  const setup = () => ({
    shell: commandShell(process.platform, true),
    environment: async () => commandEnvironment(process.env),
    ledger,
    jail,
    watchWrites: ({ workspaceId, sessionId, turnId, callId }: ToolContext) =>
      checkpoints.of(workspaceId).bracket({ by: 'agent', via: 'command', writer: { sessionId, turnId, callId } }),
  })
  const tools = createTools({
    ...{ workspaceOf: workspaces.get, jail, children: ledger, setup, backgrounds },
    isSecret: path => secretPart(path) !== null,
  })
  const blobs = new Map<string, Uint8Array>()
  const live: string[] = []
  const context: ToolContext = {
    workspaceId: workspace.info.workspaceId,
    sessionId: SessionId.parse(newId('ses')),
    turnId: TurnId.parse(newId('trn')),
    callId: CallId.parse(newId('call')),
    signal: new AbortController().signal,
    output: text => void live.push(text),
    blob: async bytes => {
      const id = BlobId.parse(`blb_${createHash('sha256').update(bytes).digest('hex')}`)
      blobs.set(id, bytes)
      return id
    },
    readBlob: async id => blobs.get(id) ?? null,
    todo: async () => {},
    askQuestions: async () => null,
    reach: async () => false,
    ruled: async () => null,
    approve: async () => ({ allowed: true, why: '' }),
    mode: () => 'default',
    wrote: async () => {},
    atTurnEnd: () => {},
    untold: ids => [...ids],
    persona: null,
    proposePlan: async () => ({ approved: false, mode: null, words: null }),
  }
  return {
    folder,
    async addFolder(name, readOnly = false) {
      const added = join(home, name)
      await mkdir(added, { recursive: true })
      const { workspaceId } = workspace.info
      const wanted = { workspaceId, folder: added, kind: 'files' as const, alias: null, readOnly, trust: true }
      await workspaces.handlers.workspace.addRoot(wanted, { clientId: 'rig', signal: context.signal })
      return added
    },
    tools,
    backgrounds,
    live,
    context,
    workspace,
    async put(path, content) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), content)
      return join(folder, path)
    },
    async call(name, args, changes = {}) {
      const tool = tools.find(each => each.name === name)
      if (!tool) throw new Error(`no tool ${name}`)
      let action: Action | null = null
      try {
        const parsed = tool.parameters.parse(args)
        const own = { ...context, ...changes }
        action = await tool.describe(parsed, own)
        return { action, ...(await tool.run(parsed, own)) }
      } catch (fault) {
        return { action, failed: true, text: (fault as Error).message, files: [], lsp: [], detail: {} }
      }
    },
    async end() {
      await backgrounds.dispose()
      await checkpoints.dispose()
      await workspaces.dispose()
      await jail.dispose()
      await rm(home, { recursive: true, force: true })
    },
  }
}
