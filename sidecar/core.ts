/** Composition: the only file that knows all rooms. It ties their ends together and decides nothing. */
import { join } from 'node:path'
import type { Client } from '#contract/client'
import type { Calls } from '#contract/define'
import type { SessionId } from '#contract/id'
import { type BelayContract, type BelayHandlers, contract, type SupervisorContract } from '#contract/index'
import type { JailStatus, Violation } from '#contract/sandbox'
import type { WorkspaceInfo } from '#contract/workspace'
import type { Tool, ToolContext } from './agent/ports.ts'
import type { Folders } from './base/folders.ts'
import type { Log } from './base/log.ts'
import type { ChildLedger } from './base/process-group.ts'
import { createCheckpoints } from './checkpoint/checkpoints.ts'
import type { Author } from './checkpoint/ledger.ts'
import { checkpointHandlers, checkpointLimits } from './core/checkpoint-handlers.ts'
import { compactionPolicy } from './core/compaction-policy.ts'
import { connectEvents } from './core/connect-events.ts'
import { forkWorktrees } from './core/fork-worktrees.ts'
import { headPorts } from './core/head-ports.ts'
import { keepAwakeWhileWorking } from './core/keep-awake.ts'
import { knowledgePorts } from './core/knowledge-ports.ts'
import { tellLostWrites } from './core/lost-writes.ts'
import { nobody } from './core/nobody.ts'
import { createPersonEnvironment } from './core/person-environment.ts'
import { createProxies, parentProxyOf } from './core/proxies.ts'
import { reviewPorts } from './core/review-ports.ts'
import { sandboxHandlers } from './core/sandbox-handlers.ts'
import { surroundingsOf } from './core/surroundings.ts'
import { terminalTicketHandlers } from './core/terminal-tickets.ts'
import { turnCheckpoint } from './core/turn-checkpoint.ts'
import { createGit } from './git/service.ts'
import { createKnowledge } from './knowledge/knowledge.ts'
import { createLanguage } from './language/language.ts'
import { createGuide } from './model/guide/guide.ts'
import { createModels } from './model/models.ts'
import { fetchFor, forgetConnections } from './model/network.ts'
import { GUIDE_MODEL } from './model/options.ts'
import { createScripted } from './model/scripted.ts'
import { titleFor } from './model/title.ts'
import { createPermission } from './permission/permission.ts'
import { secretPart } from './permission/places.ts'
import { createReview } from './review/review.ts'
import { createJail } from './sandbox/jail.ts'
import { createConversations } from './session/conversation.ts'
import { createHead } from './session/head/head.ts'
import { createSessionStore } from './session/store.ts'
import { createSettings } from './settings/settings.ts'
import { createAgents } from './subagents/agents.ts'
import { createSubagents } from './subagents/subagents.ts'
import { withFolderAdvice } from './tools/advice.ts'
import { createBackgrounds } from './tools/background.ts'
import { commandEnvironment, shellHere } from './tools/command.ts'
import { createLsp } from './tools/lsp.ts'
import { revertWrite } from './tools/revert.ts'
import { createSubagentTools } from './tools/task.ts'
import { createTools } from './tools/tools.ts'
import { withVerdicts } from './tools/verdicts.ts'
import { createSearch } from './tools/web/search.ts'
import { createWebTools } from './tools/web/web-tools.ts'
import type { WrittenBy } from './workspace/documents/told-write.ts'
import { refuseAway, workspaceIdOf } from './workspace/roots.ts'
import { createWorkspaces } from './workspace/service.ts'
import { createTrash } from './workspace/trash.ts'

export interface CoreOptions {
  folders: Folders
  log: Log
  instanceId: string
  epoch: string
  version: string
  env: NodeJS.ProcessEnv
  /** Null in a core without one (`belay run`): no stored keys, no trash of the machine. */
  supervisor: Calls<SupervisorContract>['supervisor'] | null
  /** What the supervisor tells of unasked. */
  heard?: Client<SupervisorContract>['on']
  /** Its environment is a poor one: the login shell's counts for commands, git and all else that is started. */
  startedByDesktop?: boolean
  /** Shared with the pty host; empty where there is none. */
  ticketKey: Uint8Array
  ledger: ChildLedger
  /**
   * `belay run` and its kin alone: the command line may skip the rules, and models it names are agreed to for this run. `bare`:
   * advice and agents count for nothing, whoever wrote them.
   */
  commandLine?: { models: readonly string[]; bare: boolean }
}

/** One client as the core sees it; see server/service.ts. */
interface Attached {
  readonly clientId: string
  readonly name: string
  emit(name: string, payload: unknown): void
}

export interface Core {
  readonly service: {
    readonly contract: BelayContract
    readonly handlers: Omit<BelayHandlers, 'link'>
    attach(client: Attached): () => void
  }
  /**
   * Opens a folder for the core itself (`belay run`), trusted for this run in what Belay ships; in what the folder brings only
   * with `trust` or an earlier answer of the person. `more`: folders beside it, for this run.
   */
  openFolder(
    folder: string,
    options?: { trust?: boolean; more?: readonly string[] },
  ): Promise<Pick<WorkspaceInfo, 'workspaceId' | 'roots'>>
  /** The instance that writes this session, where that is another one which may live. */
  writerElsewhere(sessionId: SessionId): Promise<string | null>
  /** Ends everything it started and writes what is due. Never rejects. */
  dispose(): Promise<void>
}

export async function createCore(options: CoreOptions): Promise<Core> {
  const { folders, log, supervisor, ledger, instanceId, epoch } = options
  const clients = new Map<string, Attached>()
  const tell = (name: string, payload: unknown, to?: (clientId: string) => boolean) => {
    for (const client of clients.values()) if (!to || to(client.clientId)) client.emit(name, payload)
  }

  const environment = createPersonEnvironment({
    given: options.env,
    poor: options.startedByDesktop === true,
    ask: async () => (supervisor ? (await supervisor.shellEnvironment({})).env : options.env),
  })
  const { now: env, login: loginEnvironment } = environment
  const leftOut = () => ({ allow: settings.get('files.keepIn'), extra: settings.get('files.leaveOut') })
  const workspaces = createWorkspaces({
    ...{ folders, log, env, ledger },
    isInUse: async home =>
      (await store.list({ home })).length > 0 || (await store.list({ home, archived: true })).length > 0,
    leftOut,
    isPlaceholder: absolute => jail.isPlaceholder(absolute),
    onWriting(id, absolute, writer) {
      jail.expect(absolute)
      return checkpoints.of(id).writing(absolute, writtenBy(writer))
    },
    onTouched(id, absolutes) {
      for (const each of absolutes) {
        jail.expect(each)
        checkpoints.of(id).wrote(each, { by: 'person', via: 'explorer' })
      }
    },
    systemTrash: async absolute => (await supervisor?.trash({ absolute }))?.place ?? null,
  })
  const checkpoints = createCheckpoints({
    ...{ log, instanceId, data: folders.data },
    folder: join(folders.data, 'checkpoints'),
    leftOut,
    limits: () => checkpointLimits(settings),
    workspace: id => workspaces.all().find(({ info }) => info.workspaceId === id)?.info ?? null,
  })
  const git = createGit({
    ...{ env, log, ledger, folders },
    workspace: workspaces.get,
    workspaces: workspaces.all,
    trusted: folder => workspaces.isTrusted(folder),
    tell: (name, payload, clientId) => tell(name, payload, clientId ? id => id === clientId : undefined),
    async writeMessage({ workspaceId, prompt }, signal) {
      const model = modelForErrands(settings.get('agent.model'))
      return model === null ? null : subagents.answer({ workspaceId, agent: 'commit-message', prompt, model }, signal)
    },
  })
  const settings = createSettings({
    folders,
    log,
    workspaceOf: id => {
      const workspace = workspaces.all().find(each => each.info.workspaceId === id)
      const root = workspace?.info.roots[0]?.absolute
      return workspace && root ? { root, trusted: workspace.bringsCount } : null
    },
  })
  const secrets = supervisor && {
    get: (name: string) => supervisor.secretGet({ name }),
    set: async (name: string, value: string) => void (await supervisor.secretSet({ name, value })),
    delete: async (name: string) => void (await supervisor.secretDelete({ name })),
  }
  const ways = createProxies({
    environment: loginEnvironment,
    setting: () => settings.get('http.proxy'),
    system: supervisor && (async url => (await supervisor.proxyFor({ url })).rules),
  })
  const models = await createModels({
    folder: folders.config,
    cache: folders.cache,
    environment: names => (names ? environment.holding(names) : loginEnvironment()),
    secrets,
    ways,
    builtin: { guide: createGuide(), scripted: createScripted() },
    chosen: () => settings.get('agent.model'),
    patienceMs: () => settings.get('agent.patience') * 1000,
    choose: async model =>
      void (await settings.handlers.set({ scope: 'user', key: 'agent.model', value: model }, nobody)),
    custom: () => settings.get('agent.providers'),
    saveCustom: async value =>
      void (await settings.handlers.set({ scope: 'user', key: 'agent.providers', value }, nobody)),
  })

  /** Null where none is named, or the person has not agreed to send to it. */
  const agreedTo = (model: string): string | null => (model !== '' && models.consented(model) ? model : null)
  /** For Belay's own small questions; null where the person agreed to none that could answer. */
  const modelForErrands = (chosen: string): string | null => {
    const model = agreedTo(settings.get('agent.smallModel')) ?? agreedTo(chosen)
    return model === null || models.isBuiltin(model) ? null : model
  }

  const search = createSearch({
    chosen: () => ({ provider: settings.get('web.search'), url: settings.get('web.searchUrl') }),
    environment: loginEnvironment,
    secrets,
    sender: async url => fetchFor(url, await ways(url)),
  })
  const web = { userAgent: `Belay/${options.version}`, ways }

  const jail = createJail({
    ...{ folders, log, env },
    writableFolders: () => settings.get('sandbox.writableFolders'),
    parentProxy: () => parentProxyOf(env, settings.get('http.proxy')),
  })
  const backgrounds = createBackgrounds()
  const setup = () => ({
    ...{ shell: shellHere(), ledger, jail },
    async environment() {
      await environment.settled()
      return commandEnvironment(env)
    },
    watchWrites: ({ workspaceId, sessionId, turnId, callId }: ToolContext) =>
      checkpoints.of(workspaceId).bracket({ by: 'agent', via: 'command', writer: { sessionId, turnId, callId } }),
    violated: (violations: readonly Violation[], { sessionId, workspaceId, mode, persona }: ToolContext) => {
      const by = { sessionId, workspaceId, mode: mode(), tool: 'bash', agent: persona?.name ?? null }
      for (const violation of violations) permission.recordViolation(violation, by)
    },
  })
  const store = createSessionStore({
    folder: join(folders.data, 'sessions'),
    log,
    instanceId,
    describeInstance: 'Belay',
  })
  const permission = createPermission({
    folders,
    log,
    workspaceRoots: id => workspaces.get(id).info.roots,
    dirtyPaths: id => workspaces.get(id).documents.dirtyPaths(),
    jailHolds: () => jail.holds(),
    sessions: {
      rules: id => conversations.rulesOf(id),
      keepRules: (id, rules, clientId) => conversations.keepRules(id, rules, clientId),
    },
  })
  const knowledge = createKnowledge({ folders, log, ...knowledgePorts(workspaces) })
  const surroundings = surroundingsOf({
    ...{ workspaces, knowledge, bare: options.commandLine?.bare === true },
    others: id => subagents.others(id),
  })
  const ownTools = createTools({
    ...{ workspaceOf: workspaces.get, jail, children: ledger, setup, backgrounds },
    isSecret: path => secretPart(path) !== null,
  })
  const language = createLanguage({
    ...{ ledger, log, epoch },
    workspace: workspaces.get,
    environment: loginEnvironment,
    enabled: () => settings.get('language.enabled'),
    servers: () => settings.get('language.servers'),
    budgetMs: () => settings.get('language.budget'),
  })
  const advised = withFolderAdvice(ownTools, id => workspaces.get(id))
  const tools: Tool[] = [
    ...withVerdicts([...advised, createLsp(language, workspaces.get)], language, workspaces.get),
    ...createWebTools(web, search),
    knowledge.tool,
  ]
  const trash = createTrash(join(folders.data, 'trash'), log)
  const agents = createAgents({
    builtInOnly: options.commandLine?.bare,
    configFolder: folders.config,
    workspace: id => {
      const { info, bringsCount } = workspaces.get(id)
      return { roots: info.roots, mounts: info.mounts.filter(({ kind }) => kind === 'agents'), trusted: bringsCount }
    },
    toolNames: () => tools.map(({ name }) => name),
    remove: async file => void (await trash.put(file)),
    log,
  })
  const subagents = createSubagents({
    agents,
    tools: () => tools,
    model: models.model,
    runChild: work => conversations.runChild(work),
  })
  tools.push(...createSubagentTools(subagents))
  const conversations = createConversations({
    model: models.model,
    tools,
    addressed: subagents.addressed,
    compaction: compactionPolicy(settings, agreedTo),
    authorize: permission.authorize,
    remember: permission.remember,
    record: permission.record,
    surroundings,
    checkpoint: turnCheckpoint({ checkpoints, workspaces, store }),
    opened: room => tellLostWrites(room, checkpoints),
    log,
    store,
    epoch,
    workspaceOf: id => {
      const { home, roots } = workspaces.get(id).info
      return { roots: [home, ...roots.slice(1).map(root => root.absolute)] }
    },
    mayWork: id => refuseAway(workspaces.get(id).info, 'nothing was sent'),
    workspaceIdOf: roots => workspaceIdOf(roots[0] ?? ''),
    defaults: () => ({
      mode: settings.get('agent.mode'),
      model: settings.get('agent.model') || GUIDE_MODEL,
      effort: settings.get('agent.effort'),
      maxTurns: settings.get('agent.maxTurns'),
      fallbackModel: agreedTo(settings.get('agent.fallbackModel')),
      serverTools: settings.get('agent.webSearch') ? ['web_search'] : [],
    }),
    consented: model => options.commandLine?.models.includes(model) || models.consented(model),
    async entitle({ model, ...words }, signal) {
      const small = modelForErrands(model)
      if (small === null) return null
      const { title, usage } = await titleFor(models.model, small, words, signal)
      return { title, asked: { model: small, usage, cost: models.model.cost(small, usage) } }
    },
    trusted: id => workspaces.get(id).info.trusted,
    mend: room => head.mend(room),
    revert: ({ workspaceId, write, readBlob }) => revertWrite(workspaces.get(workspaceId), write, readBlob),
    worktrees: forkWorktrees({ git, checkpoints, workspaces }),
    allowBypass: options.commandLine !== undefined,
  })

  const nameOf = (clientId: string) => clients.get(clientId)?.name ?? clientId
  const head = createHead(headPorts({ conversations, store, workspaces, checkpoints, backgrounds, nameOf, log }))
  const review = createReview(
    reviewPorts({
      ...{ conversations, workspaces, checkpoints, git, log },
      nameOf,
    }),
  )

  const unhear = connectEvents({
    ...{
      workspaces,
      settings,
      permission,
      models,
      backgrounds,
      conversations,
      review,
      git,
      language,
      agents,
      jail,
      knowledge,
      tell,
    },
  })

  const unheard = [
    keepAwakeWhileWorking({
      listed: store.listed,
      wanted: () => settings.get('agent.keepAwake'),
      keepAwake: on => void supervisor?.keepAwake({ on }).catch(() => {}),
    }),
    options.heard?.('supervisor/environmentChanged', () => {
      environment.forget()
      models.environmentChanged()
    }),
    options.heard?.('supervisor/resumed', () => {
      log('info', 'the machine slept')
      forgetConnections()
      models.resumed()
      workspaces.lookAgain()
    }),
  ]

  return {
    service: {
      contract,
      handlers: {
        ...workspaces.handlers,
        git: git.handlers,
        head: head.handlers,
        knowledge: knowledge.handlers,
        language: language.handlers,
        agents: agents.handlers,
        session: conversations.handlers,
        background: backgrounds.handlers,
        checkpoint: checkpointHandlers(checkpoints),
        model: models.handlers,
        permission: permission.handlers,
        review: review.handlers,
        settings: settings.handlers,
        sandbox: sandboxHandlers(jail, permission, workspaces),
        terminalTicket: terminalTicketHandlers({
          workspace: workspaces.get,
          environment: loginEnvironment,
          shell: () => settings.get('terminal.shell'),
          integrated: () => settings.get('terminal.shellIntegration'),
          key: options.ticketKey,
        }),
        web: search.handlers,
      },
      attach(client) {
        clients.set(client.clientId, client)
        const leave = conversations.attach(client)
        return () => {
          if (clients.get(client.clientId) === client) clients.delete(client.clientId)
          leave()
          backgrounds.forget(client.clientId)
          workspaces.clientLeft(client.clientId)
        }
      },
    },
    async openFolder(folder, { trust = false, more = [] } = {}) {
      const { info } = await workspaces.open(folder, {
        trust: trust ? 'full' : 'run',
        more,
        unseen: clients.size === 0,
      })
      return info
    },
    writerElsewhere: store.writerElsewhere,
    async dispose() {
      unhear()
      for (const end of unheard) end?.()
      review.dispose()
      const ends = [
        conversations.dispose(),
        backgrounds.dispose(),
        language.dispose(),
        store.dispose(),
        git.dispose(),
        workspaces.dispose(),
      ]
      for (const end of await Promise.allSettled(ends))
        if (end.status === 'rejected') log('error', 'a room did not end well', { fault: String(end.reason) })
      await checkpoints.dispose()
      await jail.dispose()
      await permission.dispose()
      settings.dispose()
      agents.dispose()
      knowledge.dispose()
    },
  }
}

const writtenBy = (by: WrittenBy): Author => {
  if (by === 'restore') return { by: 'person', via: 'restore' }
  return by ? { by: 'agent', via: 'tool', writer: by } : { by: 'person', via: 'editor' }
}

/** Whether commands can be jailed on this machine, for who has no core. Runs one in a jail. */
export async function examineJail(folders: Folders, env: NodeJS.ProcessEnv): Promise<JailStatus> {
  const jail = createJail({ folders, log: () => {}, env, writableFolders: () => [] })
  try {
    return await jail.status()
  } finally {
    await jail.dispose()
  }
}

/** The language servers of this machine, for who has no core. Starts none. */
export async function examineLanguageServers(env: NodeJS.ProcessEnv) {
  const { survey } = await import('./language/survey.ts')
  return survey(env)
}
