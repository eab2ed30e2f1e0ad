/** A core on a folder of its own with one conversation after another, for tests of what takes them back. */
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '#contract/client'
import type { RewindPart, RewindTarget } from '#contract/head'
import type { ItemId, RequestId, RootId, SessionId, WorkspaceId } from '#contract/id'
import type { BelayContract } from '#contract/index'
import type { PromptPart } from '#contract/session'
import type { SessionEvent, SessionEventOf } from '#contract/session-event'
import { openWindow, startCore } from './core.case.ts'
import type { Core } from './core.ts'

export type Act =
  | { call: string; arguments: Record<string, unknown> }
  | { text: string }
  | { delayMs: number }
  | { error: 'bad_request'; times: number }
export const write = (path: string, content: string): Act => ({ call: 'write', arguments: { path, content } })
export const bash = (command: string, more: object = {}): Act => ({ call: 'bash', arguments: { command, ...more } })
export const read = (path: string): Act => ({ call: 'read', arguments: { path } })
/** One step for each act, and a last one with words. */
export const script = (acts: readonly (Act | Act[])[], answer = 'done'): string =>
  `script:${JSON.stringify([...acts.map(act => [act].flat()), [{ text: answer }]])}`

export const newRequest = (): RequestId => crypto.randomUUID() as RequestId

export interface Stage {
  readonly home: string
  readonly folder: string
  readonly core: Core
  readonly client: Client<BelayContract>
  readonly workspaceId: WorkspaceId
  readonly rootId: RootId
  readonly at: (path: string) => { rootId: RootId; path: string }
  readonly put: (path: string, text: string | Uint8Array) => Promise<void>
  /** Null where nothing is. */
  readonly onDisk: (path: string) => Promise<string | null>
  /** Another core over the same data. */
  restart(): Promise<void>
  session(mode?: 'acceptEdits' | 'default' | 'auto'): Promise<Talk>
  end(): Promise<void>
}

export interface StageOptions {
  readonly files?: Record<string, string>
  /** Besides PATH and HOME. */
  readonly env?: Record<string, string>
  /** That conversations speak with. */
  readonly model?: string
}

export async function createStage({ files = {}, env, model = 'scripted/default' }: StageOptions = {}): Promise<Stage> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'belay-rewind-')))
  const folder = join(home, 'project')
  await mkdir(folder)
  await mkdir(join(home, 'belay/data'), { recursive: true })
  await writeFile(join(home, 'belay/data/trust.json'), JSON.stringify({ folders: [folder] }))
  const put = (path: string, text: string | Uint8Array) => writeFile(join(folder, path), text)
  for (const [path, text] of Object.entries(files)) await put(path, text)
  let now = await open(home, folder, env)
  const stage: Stage = {
    home,
    folder,
    put,
    get core() {
      return now.core
    },
    get client() {
      return now.client
    },
    get workspaceId() {
      return now.workspaceId
    },
    get rootId() {
      return now.rootId
    },
    at: path => ({ rootId: now.rootId, path }),
    onDisk: path => readFile(join(folder, path), 'utf8').catch(() => null),
    async restart() {
      await now.core.dispose()
      now = await open(home, folder, env)
    },
    async session(mode = 'acceptEdits') {
      const { workspaceId, client } = now
      const { sessionId } = await client.session.create({ workspaceId, mode, model })
      return talkIn(stage, sessionId)
    },
    async end() {
      await now.core.dispose()
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  return stage
}

async function open(home: string, folder: string, env: Record<string, string> | undefined) {
  const core = await startCore(home, home, env)
  const client = await openWindow(core)
  const info = await client.workspace.open({ folder })
  return { core, client, workspaceId: info.workspaceId, rootId: info.roots[0]?.rootId as RootId }
}

export interface Talk {
  readonly sessionId: SessionId
  /** A turn to its end; commands are allowed as they are asked for. */
  turn(words: string, more?: PromptPart[]): Promise<ItemId>
  /** What `begin` starts, to its end. */
  until<T>(begin: () => Promise<T>, ended?: (event: SessionEvent) => boolean): Promise<T>
  rewind(to: RewindTarget, what?: RewindPart): ReturnType<Client<BelayContract>['head']['rewind']>
  undo(): ReturnType<Client<BelayContract>['head']['undo']>
  facts(): Promise<Awaited<ReturnType<Client<BelayContract>['session']['open']>>['facts']>
  /** What is said on the path, a line for each message. */
  said(): Promise<string[]>
  /** The person's messages on the path. */
  prompts(): Promise<ItemId[]>
}

export function talkIn(stage: Stage, sessionId: SessionId): Talk {
  const open = () => stage.client.session.open({ sessionId })
  const messages = async () => (await open()).items.flatMap(item => (item.kind === 'message' ? [item] : []))
  const allow = ({ batchId, calls }: SessionEventOf<'permission.asked'>) =>
    stage.client.session.answerPermission({
      sessionId,
      batchId,
      answers: calls.map(({ callId }) => ({ callId, verdict: 'allow', remember: 'once' })),
    })
  const talk: Talk = {
    sessionId,
    async until(begin, isEnd = event => event.type === 'turn.ended') {
      const { client } = stage
      await open()
      const ended = new Promise<void>(resolve => {
        const forget = client.on('session/happened', batch => {
          if (batch.sessionId !== sessionId) return
          for (const event of batch.events) if (event.type === 'permission.asked') void allow(event)
          if (!batch.events.some(isEnd)) return
          forget()
          resolve()
        })
      })
      const begun = await begin()
      await ended
      return begun
    },
    async turn(words, more = []) {
      const parts: PromptPart[] = [{ kind: 'text', text: words }, ...more]
      const { itemId } = await talk.until(() =>
        stage.client.session.prompt({ sessionId, requestId: newRequest(), parts }),
      )
      if (!itemId) throw new Error('the prompt waits')
      return itemId
    },
    rewind: (to, what = 'both') => stage.client.head.rewind({ sessionId, requestId: newRequest(), to, what }),
    async undo() {
      const { moves } = await talk.facts()
      const last = moves.findLast(move => !move.undone)
      if (!last) throw new Error('nothing to undo')
      return stage.client.head.undo({ sessionId, moveId: last.requestId })
    },
    facts: async () => (await open()).facts,
    said: async () => (await messages()).map(({ text }) => (text.startsWith('script:') ? 'script' : text)),
    prompts: async () => (await messages()).flatMap(({ role, id }) => (role === 'user' ? [id] : [])),
  }
  return talk
}
