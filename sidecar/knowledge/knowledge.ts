/** What agents are told besides a conversation, and the person's hand in it: notes, their own instructions, those of folders. */
import { join } from 'node:path'
import type { Handlers } from '#contract/define'
import { BelayError } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import type { BelayContract } from '#contract/index'
import type { InstructionFile, MemoryScope } from '#contract/knowledge'
import type { WirePath } from '#contract/path'
import type { Tool } from '../agent/ports.ts'
import { createEmitter, type Emitter } from '../base/emitter.ts'
import type { Folders } from '../base/folders.ts'
import type { Log } from '../base/log.ts'
import { watchFile } from '../base/watch-file.ts'
import { watchFolder } from '../base/watch-folder.ts'
import { createMemories, type Memories, MOST_TOLD_BYTES } from './memories.ts'
import { createOwnInstructions, MOST_OWN_BYTES } from './own-instructions.ts'
import { createRemember } from './remember.ts'

export interface KnowledgeOptions {
  readonly folders: Folders
  readonly log: Log
  /** Files of instructions in the folders of a workspace. */
  instructionsOf(workspaceId: WorkspaceId): Promise<{ files: InstructionFile[]; more: boolean }>
  /** Adds a line to the AGENTS.md of a workspace as the person would. */
  addLine(workspaceId: WorkspaceId, line: string): Promise<WirePath>
}

/** What is told with every request: in this order, in the same bytes while nothing changes. */
export interface ToldKnowledge {
  readonly own: string
  readonly memories: readonly { readonly scope: MemoryScope; readonly text: string }[]
}

export interface Knowledge {
  readonly handlers: Handlers<BelayContract>['knowledge']
  readonly changed: Emitter<null>
  /** `remember`, for an agent. */
  readonly tool: Tool
  /** Never rejects. */
  told(workspaceId: WorkspaceId): Promise<ToldKnowledge>
  /** Something that a list shows may be another thing now. */
  touched(): void
  dispose(): void
}

export function createKnowledge(options: KnowledgeOptions): Knowledge {
  const { folders, log } = options
  const changed = createEmitter<null>(fault => log('error', 'a listener failed', { fault: String(fault) }))
  const touched = () => changed.emit(null)
  const own = createOwnInstructions(folders.config)
  const stores = new Map<string, Memories>()
  const watched = new Map<string, () => void>()

  const folderOf = (scope: MemoryScope, workspaceId: WorkspaceId | undefined): string => {
    if (scope === 'user') return join(folders.config, 'memory')
    if (workspaceId === undefined) throw new BelayError('invalid', 'Open a folder first: this note is for a folder.')
    // The id is made of the workspace's home, so it is the same for ever.
    return join(folders.data, 'memory', workspaceId)
  }
  const storeOf = (scope: MemoryScope, workspaceId: WorkspaceId | undefined): Memories => {
    const folder = folderOf(scope, workspaceId)
    const known = stores.get(folder) ?? createMemories(folder, scope)
    stores.set(folder, known)
    return known
  }
  /** From the first list on, so that a process without a window pays nothing for it. */
  const watch = (folder: string) => {
    if (!watched.has(folder)) watched.set(folder, watchFolder(folder, 1, touched))
    if (!watched.has(own.file)) watched.set(own.file, watchFile(own.file, touched))
  }
  const listOf = async (workspaceId: WorkspaceId | undefined) => {
    const scopes: MemoryScope[] = workspaceId === undefined ? ['user'] : ['user', 'workspace']
    const lists = await Promise.all(scopes.map(scope => storeOf(scope, workspaceId).list()))
    return { memories: lists.flatMap(({ memories }) => memories), problems: lists.flatMap(({ problems }) => problems) }
  }
  const after = async <T>(work: Promise<T>): Promise<T> => {
    const done = await work
    touched()
    return done
  }

  return {
    changed,
    touched,
    tool: createRemember({
      folderOf,
      add: ({ text, scope }, workspaceId) => after(storeOf(scope, workspaceId).add(text)),
    }),
    async told(workspaceId) {
      const [text, { memories }] = await Promise.all([own.told(), listOf(workspaceId).catch(() => ({ memories: [] }))])
      const told = memories.filter(memory => memory.told)
      // By name, so that one that is changed does not move all others.
      told.sort((a, b) => (a.scope === b.scope ? (a.name < b.name ? -1 : 1) : a.scope < b.scope ? -1 : 1))
      return { own: text, memories: told.map(({ scope, text }) => ({ scope, text })) }
    },
    dispose() {
      for (const end of watched.values()) end()
    },
    handlers: {
      async memories({ workspaceId }) {
        watch(folderOf('user', workspaceId))
        if (workspaceId) watch(folderOf('workspace', workspaceId))
        const { memories, problems } = await listOf(workspaceId)
        memories.sort((a, b) => b.changedAt - a.changedAt)
        return { memories, problems, mostBytes: MOST_TOLD_BYTES }
      },
      remember: async ({ scope, workspaceId, text, name }) => ({
        name: await after(storeOf(scope, workspaceId).add(text, name)),
      }),
      change: ({ scope, workspaceId, name, before, text }) =>
        after(storeOf(scope, workspaceId).change(name, before, text)).then(() => ({})),
      forget: async ({ scope, workspaceId, name }) => ({ text: await after(storeOf(scope, workspaceId).remove(name)) }),
      async instructions({ workspaceId }) {
        watch(folderOf('user', workspaceId))
        const mine = await ownFile()
        const found = workspaceId ? await options.instructionsOf(workspaceId) : { files: [], more: false }
        return { files: [mine, ...found.files], more: found.more }
      },
      readOwn: async () => ({ file: own.file, text: await own.read() }),
      writeOwn: ({ before, text }) => after(own.write(before, text)).then(() => ({})),
      addToInstructions: async ({ workspaceId, text }) => ({
        path: await after(options.addLine(workspaceId, text.trim())),
      }),
    },
  }

  async function ownFile(): Promise<InstructionFile> {
    const text = await own.read().catch(() => null)
    const state = text === null ? 'unreadable' : text === '' ? 'missing' : text.trim() === '' ? 'empty' : 'told'
    const bytes = Buffer.byteLength(text ?? '')
    return { file: own.file, name: 'AGENTS.md', kind: 'own', state, bytes, mostBytes: MOST_OWN_BYTES }
  }
}
