/**
 * Belay as an ACP agent: sessions of any folder over one client of the core. It says what it can and no more; what the protocol
 * has and Belay has not is refused with a word.
 */
import {
  type AgentApp,
  type AgentContext,
  agent,
  type McpServer,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type SessionInfo,
} from '@agentclientprotocol/sdk'
import { z } from 'zod'
import type { Client } from '#contract/client'
import { toFault } from '#contract/error'
import { SessionId, type WorkspaceId } from '#contract/id'
import type { BelayContract } from '#contract/index'
import type { ModelInfo } from '#contract/model'
import type { SessionSummary } from '#contract/session'
import type { Root } from '#contract/workspace'
import { consentFor } from '../headless/verbs.ts'
import { configOptions, modeOf, modeState } from './choices.ts'
import { commandIn, commands } from './commands.ts'
import { createOwnEditor, type OwnEditor } from './own-editor.ts'
import { type AcpSession, openSession } from './session.ts'

/** A workspace that a session works in. */
export interface Opened {
  readonly workspaceId: WorkspaceId
  readonly roots: readonly Root[]
}

export interface AcpOptions {
  readonly client: Client<BelayContract>
  /** Opens a folder, and more beside it. Throws in words. */
  openFolder(cwd: string, more: readonly string[]): Promise<Opened>
  readonly version: string
  /** Of new sessions; null: what the person chose in Belay. */
  readonly model: string | null
}

export interface AcpAgent {
  readonly app: AgentApp
  /** The client has gone: turns are stopped. Never rejects. */
  end(): Promise<void>
}

const Fork = z.looseObject({
  sessionId: z.string(),
  cwd: z.string().optional(),
  additionalDirectories: z.array(z.string()).optional(),
  mcpServers: z.array(z.looseObject({ name: z.string() })).optional(),
})

export async function createAcpAgent({ client, openFolder, version, model }: AcpOptions): Promise<AcpAgent> {
  const open = new Map<string, AcpSession>()
  let models: ModelInfo[] = []
  client.on('session/happened', ({ sessionId, events }) => open.get(sessionId)?.happened(events))
  client.on('session/live', ({ sessionId, deltas }) => open.get(sessionId)?.lived(deltas))
  client.on('model/changed', () => void loadModels().catch(() => {}))
  /** Null: it does not offer both to read and to write. */
  let editor: OwnEditor | null = null
  const saveInEditor = async (workspaceId: WorkspaceId, absolute: string): Promise<void> => {
    const session = [...open.values()].find(each => each.workspaceId === workspaceId)
    if (session) await editor?.save(session.sessionId, absolute)
  }
  client.on('document/wanted', ({ workspaceId, wantedId, absolute }) => {
    void saveInEditor(workspaceId, absolute)
      .then(() => client.document.settled({ workspaceId, wantedId }))
      .catch(() => {})
  })
  const loadModels = async () => {
    models = (await client.model.list({ refresh: false })).models
  }
  await loadModels()

  const find = (sessionId: string): AcpSession => {
    const session = open.get(sessionId)
    if (!session) throw RequestError.sessionNotFound(sessionId)
    return session
  }
  const optionsOf = ({ chosen }: AcpSession) => configOptions(chosen, models)
  const show = ({ chosen, ...session }: AcpSession) => ({
    modes: modeState(chosen.mode),
    configOptions: optionsOf({ chosen, ...session }),
  })

  const enter = async (sessionId: SessionId, at: Opened, acp: AgentContext): Promise<AcpSession> => {
    await open.get(sessionId)?.close()
    if (editor) await client.document.ownEditor({ workspaceId: at.workspaceId })
    const session = await openSession({ client, acp, sessionId, at, models: () => models })
    open.set(sessionId, session)
    return session
  }
  /** After the answer: a client knows the session only then. */
  const greet = (session: AcpSession, mcpServers: readonly Pick<McpServer, 'name'>[] = []): void => {
    setImmediate(() => {
      const told = async () => {
        await session.send({ sessionUpdate: 'available_commands_update', availableCommands: [...commands] })
        if (mcpServers.length === 0) return
        const names = mcpServers.map(({ name }) => name).join(', ')
        const title = `Belay runs no MCP servers yet: ${names} ${mcpServers.length > 1 ? 'are' : 'is'} left out.`
        await session.send({ sessionUpdate: 'notice', severity: 'warning', title })
      }
      void told().catch(() => {})
    })
  }
  const known = async (text: string): Promise<SessionSummary> => {
    const id = SessionId.safeParse(text)
    const lists = await Promise.all([client.session.list({}), client.session.list({ archived: true })])
    const found = lists.flatMap(({ sessions }) => sessions).find(({ sessionId }) => sessionId === id.data)
    if (!found) throw RequestError.sessionNotFound(text)
    return found
  }
  const reopened = async (
    {
      sessionId,
      cwd,
      additionalDirectories = [],
    }: { sessionId: string; cwd: string; additionalDirectories?: string[] },
    acp: AgentContext,
  ): Promise<AcpSession> => {
    const summary = await known(sessionId)
    return enter(summary.sessionId, await openFolder(cwd, additionalDirectories), acp)
  }

  const app = agent({ name: 'belay' })
    .onRequest(methods.agent.initialize, ({ params, client: acp }) => {
      const { fs } = params.clientCapabilities ?? {}
      editor = fs?.readTextFile && fs.writeTextFile ? createOwnEditor(acp) : null
      return {
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: { name: 'belay', title: 'Belay', version },
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: true, audio: false, embeddedContext: true },
          mcpCapabilities: { http: false, sse: false },
          sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {}, fork: {} },
        },
        authMethods: [],
      }
    })
    .onRequest(methods.agent.authenticate, () => ({}))
    .onRequest(methods.agent.session.new, ({ params, client: acp }) =>
      inWords(async () => {
        const at = await openFolder(params.cwd, params.additionalDirectories ?? [])
        const { workspaceId } = at
        const { sessionId } = await client.session.create({ workspaceId, ...(model === null ? {} : { model }) })
        const session = await enter(sessionId, at, acp)
        greet(session, params.mcpServers)
        return { sessionId, ...show(session) }
      }),
    )
    .onRequest(methods.agent.session.load, ({ params, client: acp }) =>
      inWords(async () => {
        const session = await reopened(params, acp)
        await session.replay()
        session.askAgain()
        greet(session, params.mcpServers)
        return show(session)
      }),
    )
    .onRequest(methods.agent.session.resume, ({ params, client: acp }) =>
      inWords(async () => {
        const session = await reopened(params, acp)
        session.askAgain()
        greet(session, params.mcpServers ?? [])
        return show(session)
      }),
    )
    .onRequest(
      'session/fork',
      params => Fork.parse(params),
      ({ params, client: acp }) =>
        inWords(async () => {
          const parent = await known(params.sessionId)
          const cwd = params.cwd ?? parent.roots[0] ?? '.'
          const at = await openFolder(cwd, params.additionalDirectories ?? [])
          const { facts } = await client.session.open({ sessionId: parent.sessionId })
          const requestId = crypto.randomUUID() as Parameters<typeof client.session.fork>[0]['requestId']
          const { sessionId } = await client.session.fork({
            sessionId: parent.sessionId,
            atItemId: facts.head,
            requestId,
          })
          if (!open.has(parent.sessionId)) await client.session.close({ sessionId: parent.sessionId })
          const session = await enter(sessionId, at, acp)
          greet(session, params.mcpServers ?? [])
          return { sessionId, ...show(session) }
        }),
    )
    .onRequest(methods.agent.session.list, ({ params }) =>
      inWords(async () => {
        const { sessions } = await client.session.list(params.cwd ? { home: params.cwd } : {})
        return { sessions: sessions.map(infoOf) }
      }),
    )
    .onRequest(methods.agent.session.close, ({ params }) =>
      inWords(async () => {
        const session = find(params.sessionId)
        await session.cancel()
        await session.close()
        open.delete(params.sessionId)
        return {}
      }),
    )
    .onRequest(methods.agent.session.delete, ({ params }) =>
      inWords(async () => {
        const { sessionId } = await known(params.sessionId)
        const session = open.get(sessionId)
        await session?.cancel()
        await session?.close()
        open.delete(sessionId)
        await client.session.delete({ sessionId })
        return {}
      }),
    )
    .onRequest(methods.agent.session.setMode, ({ params }) =>
      inWords(async () => {
        await chooseMode(find(params.sessionId), params.modeId)
        return {}
      }),
    )
    .onRequest(methods.agent.session.setConfigOption, ({ params }) =>
      inWords(async () => {
        const session = find(params.sessionId)
        const { sessionId } = session
        const value = String(params.value)
        if (params.configId === 'mode') await chooseMode(session, value)
        else if (params.configId === 'model') await client.session.setModel({ sessionId, model: value, effort: 'auto' })
        else throw RequestError.invalidParams(undefined, `there is no option ${params.configId}`)
        await session.told()
        return { configOptions: optionsOf(session) }
      }),
    )
    .onRequest(methods.agent.session.prompt, ({ params, client: acp }) =>
      inWords(async () => {
        const session = find(params.sessionId)
        const command = commandIn(params.prompt)
        if (command) {
          await session.send({
            sessionUpdate: 'agent_message_chunk',
            content: {
              type: 'text',
              text: await command({ client, sessionId: session.sessionId, facts: session.facts }),
            },
          })
          return { stopReason: 'end_turn' as const }
        }
        await agree(session, acp)
        const prompted = () => session.prompt(params.prompt)
        const stopReason = await (editor ? editor.during(prompted) : prompted())
        await session.told()
        return { stopReason }
      }),
    )
    .onNotification(methods.agent.session.cancel, async ({ params }) => {
      // Of a session that is not open there is nothing to cancel.
      await open
        .get(params.sessionId)
        ?.cancel()
        .catch(() => {})
    })

  const agree = async ({ sessionId, chosen }: AcpSession, acp: AgentContext): Promise<void> => {
    const consent = await consentFor(client, chosen.model, model)
    if (!consent) return
    const { outcome } = await acp.request('session/request_permission', {
      sessionId,
      toolCall: { toolCallId: `consent-${consent.provider}`, title: consent.question },
      options: [
        { optionId: 'agree', kind: 'allow_always', name: 'Agree' },
        { optionId: 'refuse', kind: 'reject_once', name: 'Do not send' },
      ],
    })
    if (outcome.outcome === 'selected' && outcome.optionId === 'agree') await consent.give()
  }

  const chooseMode = async ({ sessionId, told }: AcpSession, id: string): Promise<void> => {
    const mode = modeOf(id)
    if (!mode) throw RequestError.invalidParams(undefined, `${id} is no mode that a client may set`)
    await client.session.setMode({ sessionId, mode })
    await told()
  }

  return {
    app,
    async end() {
      await Promise.allSettled([...open.values()].map(session => session.cancel()))
      await Promise.allSettled([...open.values()].map(session => session.close()))
    },
  }
}

const infoOf = ({ sessionId, roots, title, changedAt }: SessionSummary): SessionInfo => ({
  sessionId,
  cwd: roots[0] ?? '',
  ...(roots.length > 1 ? { additionalDirectories: roots.slice(1) } : {}),
  title,
  updatedAt: new Date(changedAt).toISOString(),
})

/** Our faults in the protocol's codes, with our words. */
async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof RequestError) throw thrown
    const { code, message } = toFault(thrown)
    const number = { auth: -32000, not_found: -32002, invalid: -32602 }[code as string] ?? -32603
    throw new RequestError(number, message, { code })
  }
}
