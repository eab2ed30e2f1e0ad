/**
 * The rooms that write files, tied as the core ties them but without a jail and without language servers, so that hundreds of
 * lives of a folder can be played in a test: documents, ledger, sessions, the agent, and what moves the head.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { SessionId, WorkspaceId } from '#contract/id'
import type { AnyPath } from '#contract/path'
import type { Tool, ToolContext, ToolOutcome } from './agent/ports.ts'
import { createCheckpoints } from './checkpoint/checkpoints.ts'
import { defaultLimits } from './checkpoint/prune.ts'
import { headPorts } from './core/head-ports.ts'
import { createScripted } from './model/scripted.ts'
import { createConversations } from './session/conversation.ts'
import { createHead } from './session/head/head.ts'
import { createSessionStore } from './session/store.ts'
import { createBackgrounds } from './tools/background.ts'
import type { WrittenBy } from './workspace/documents/told-write.ts'
import { createWorkspaces } from './workspace/service.ts'

const quiet = (): void => {}
const said = (text: string): ToolOutcome => ({ failed: false, text, files: [], lsp: [], detail: {} })
const authorOf = (by: WrittenBy) => {
  if (by === 'restore') return { by: 'person', via: 'restore' } as const
  return by ? ({ by: 'agent', via: 'tool', writer: by } as const) : ({ by: 'person', via: 'editor' } as const)
}

export interface Life {
  readonly workspaceId: WorkspaceId
  readonly head: ReturnType<typeof createHead>
  readonly talks: ReturnType<typeof createConversations>
  readonly ledger: ReturnType<ReturnType<typeof createCheckpoints>['of']>
  readonly documents: Awaited<ReturnType<ReturnType<typeof createWorkspaces>['open']>>['documents']
  readonly context: { clientId: string; signal: AbortSignal }
  wire(path: string): AnyPath
  begin(): Promise<SessionId>
  end(): Promise<void>
}

export interface LifeOptions {
  readonly home: string
  /** What the tool `person` does while a turn runs. */
  person?(act: unknown): Promise<void>
}

/** One life of a core over `home`: its folder is `home/root`. */
export async function startLife({ home, person = async () => {} }: LifeOptions): Promise<Life> {
  const root = join(home, 'root')
  const under = (name: string) => join(home, 'belay', name)
  const folders = { config: under('config'), data: under('data'), state: under('state'), cache: under('cache') }
  const workspaces = createWorkspaces({
    ...{ folders, log: quiet, env: process.env },
    onWriting: (id, absolute, by) => checkpoints.of(id).writing(absolute, authorOf(by)),
    onTouched: (id, absolutes) => {
      for (const each of absolutes) checkpoints.of(id).wrote(each, { by: 'person', via: 'explorer' })
    },
  })
  const checkpoints = createCheckpoints({
    ...{ folder: join(folders.data, 'checkpoints'), data: folders.data, instanceId: 'ins_test', log: quiet },
    leftOut: () => ({ allow: [], extra: [] }),
    limits: () => defaultLimits,
    workspace: id => workspaces.get(id).info,
  })
  const workspace = await workspaces.open(root, { trust: 'full' })
  const { workspaceId, roots } = workspace.info
  const ledger = checkpoints.of(workspaceId)
  const store = createSessionStore({
    ...{ folder: join(folders.data, 'sessions'), log: quiet },
    ...{ instanceId: 'ins_test', describeInstance: 'test' },
  })
  const byWhom = ({ sessionId, turnId, callId }: ToolContext) => ({ sessionId, turnId, callId })
  const tools = [
    define('put', z.object({ path: z.string(), text: z.string() }), async ({ path, text }, context) => {
      const resolved = await workspace.paths.resolve(join(root, path))
      await workspace.documents.agentEdit({ path: resolved, expect: 'any', make: () => text, writer: byWhom(context) })
    }),
    define(
      'shell',
      z.object({
        writes: z.array(z.object({ path: z.string(), text: z.string().nullable() })),
        person: z.unknown().optional(),
      }),
      async ({ writes, person: act }, context) => {
        const bracket = await ledger.bracket({ by: 'agent', via: 'command', writer: byWhom(context) })
        for (const { path, text } of writes) await onDisk(join(root, path), text)
        if (act) await person(act)
        await bracket.end()
      },
    ),
    define('person', z.object({ act: z.unknown() }), ({ act }) => person(act)),
  ]
  const talks = createConversations({
    ...{ store, model: createScripted(), tools, log: quiet, epoch: 'epoch' },
    authorize: async requests =>
      requests.map(() => ({ verdict: 'allow' as const, rule: null, reason: '', by: 'mode' as const })),
    remember: async () => null,
    surroundings: async () => ({ roots: [], platform: '', shell: '', date: '', instructions: [], dirty: [] }),
    checkpoint: {
      take: async () => (await ledger.take())?.checkpointId ?? null,
      notices: async () => [],
    },
    workspaceOf: () => ({ roots: [root] }),
    workspaceIdOf: () => workspaceId,
    defaults: () => ({ mode: 'default', model: 'scripted/default', effort: 'auto', maxTurns: 20 }),
    consented: () => true,
    trusted: () => true,
    mend: room => head.mend(room),
    revert: async () => 'stale',
  })
  const backgrounds = createBackgrounds()
  const head = createHead(
    headPorts({
      ...{ conversations: talks, store, workspaces, checkpoints, backgrounds },
      ...{ nameOf: id => id, log: quiet },
    }),
  )
  const context = { clientId: 'window', signal: new AbortController().signal }
  return {
    ...{ workspaceId, head, talks, ledger, context, documents: workspace.documents },
    wire: path => ({ rootId: roots[0]?.rootId as never, path }),
    begin: async () => (await talks.handlers.create({ workspaceId }, context)).sessionId as SessionId,
    async end() {
      await talks.dispose()
      await store.dispose()
      await checkpoints.dispose()
      await workspaces.dispose()
    },
  }
}

function define<S extends z.ZodType>(
  name: string,
  parameters: S,
  run: (args: z.output<S>, context: ToolContext) => Promise<void>,
): Tool {
  const describe = async () =>
    name === 'person' ? { kind: 'none' as const } : { kind: 'write' as const, path: 'x', creates: false, exact: '' }
  const made = { name, description: name, parameters, parallel: name === 'person', describe }
  return { ...made, run: async (args, context) => run(args as z.output<S>, context).then(() => said('done')) } as Tool
}

/** As a program outside does it; null deletes. */
export async function onDisk(absolute: string, text: string | null): Promise<void> {
  if (text === null) return rm(absolute, { force: true })
  await mkdir(dirname(absolute), { recursive: true })
  await writeFile(absolute, text)
}

/** A turn to its end. */
export async function turnOf(life: Life, sessionId: SessionId, script: object[][]): Promise<string> {
  const { talks, context } = life
  const ended = new Promise<void>(resolve => {
    const forget = talks.happened.on(({ sessionId: id, events }) => {
      if (id !== sessionId || !events.some(({ type }) => type === 'turn.ended')) return
      forget()
      resolve()
    })
  })
  const text = `script:${JSON.stringify([...script, [{ text: 'done' }]])}`
  const requestId = crypto.randomUUID() as never
  const parts = [{ kind: 'text' as const, text }]
  const { itemId } = await talks.handlers.prompt({ sessionId, requestId, parts, whenRunning: 'steer' }, context)
  await ended
  // A turn that has ended is let go of a moment later.
  await talks.within(sessionId, ({ talk, open }) =>
    talk.still(async () => {
      for (const item of open.state.items.values())
        if (item.kind === 'tool' && item.state !== 'done') throw new Error(`${item.tool}: ${item.preview?.text}`)
    }),
  )
  return itemId as string
}

export const textAt = (home: string, path: string): Promise<string | null> =>
  readFile(join(home, 'root', path), 'utf8').catch(() => null)
