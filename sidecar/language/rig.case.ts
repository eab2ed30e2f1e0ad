/** What the tests of this room stand on: a real folder with real watching, and servers that are started as in life. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { DocumentId, WorkspaceId } from '#contract/id'
import type { FileProblems } from '#contract/language-problems'
import type { WirePath } from '#contract/path'
import type { LspVerdict } from '#contract/session-event'
import type { PathChange } from '#contract/workspace'
import { createEmitter, type Emitter } from '../base/emitter.ts'
import type { Checked } from './check.ts'
import type { LanguageWorkspace, ShownText } from './ports.ts'
import { openWorkspaceLanguage, type WorkspaceLanguage, type WorkspaceLanguageOptions } from './workspace-language.ts'

export interface LanguageRig {
  readonly folder: string
  readonly language: WorkspaceLanguage
  /** Pids of what runs. */
  readonly children: Set<number>
  readonly changed: Emitter<PathChange[]>
  at(path: string): WirePath
  put(path: string, text: string): Promise<void>
  /** Writes and asks for the verdict, as the file tools do. */
  write(path: string, text: string, budgetMs?: number): Promise<Checked>
  /** The verdict on that file, however long it takes. */
  verdict(path: string, text: string): Promise<LspVerdict | undefined>
  /** Unsaved text of a person; null: it is closed. */
  type(path: string, text: string | null): void
  /** Somebody has it open, and what comes on disk is not in it before the two are compared. */
  show(path: string, text: string): void
  /** As `type` left it: what an editor asks about. */
  about(path: string): { workspaceId: WorkspaceId; documentId: DocumentId; version: number }
  /** Batches of problems, as they were told. */
  readonly batches: { seq: number; files: FileProblems[] }[]
  readonly told: string[]
  /** For the texts: it is not on disk any more. */
  gone(path: string): void
  trust: { shipped: boolean; full: boolean }
  end(): Promise<void>
}

export async function createLanguageRig(
  options: Partial<Pick<WorkspaceLanguageOptions, 'definitions' | 'limits' | 'env' | 'servers'>> = {},
): Promise<LanguageRig> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'belay-language-')))
  const children = new Set<number>()
  const trust = { shipped: true, full: true }
  const typed = new Map<string, ShownText>()
  const versions = new Map<string, number>()
  const shown = new Set<string>()
  const batches: LanguageRig['batches'] = []
  const told: string[] = []
  const onDisk = new Map<string, string>()
  const texts: LanguageWorkspace['documents']['texts'] = createEmitter()
  const changed = createEmitter<PathChange[]>()
  const root = { rootId: 'root_0', absolute: folder, name: 'work', readOnly: false }
  const openedAt = (at: string) => [...typed.values()].find(each => each.absolute === at) ?? null
  const at = (path: string) => ({ rootId: 'root_0', path }) as WirePath
  const absolute = (path: string) => join(folder, path)
  const type = (path: string, text: string | null): void => {
    const version = (versions.get(path) ?? 0) + 1
    versions.set(path, version)
    const documentId = `doc_${Buffer.from(path).toString('hex')}` as DocumentId
    const state = { size: 'full' } as const
    if (text === null) typed.delete(path)
    else typed.set(path, { documentId, absolute: absolute(path), path: at(path), version, text, state })
    texts.emit({ absolute: absolute(path), path: at(path), text })
  }
  const workspace: LanguageWorkspace = {
    get info() {
      return { workspaceId: 'wsp_0', roots: [root], trusted: trust.shipped } as unknown as LanguageWorkspace['info']
    },
    get bringsCount() {
      return trust.full
    },
    paths: {
      toAbsolute: async path => absolute('path' in path ? path.path : ''),
      toWire: path =>
        path === folder ? at('') : path.startsWith(`${folder}/`) ? at(path.slice(folder.length + 1)) : null,
    },
    documents: {
      async textOf(path) {
        const name = 'path' in path ? path.path : ''
        const text = typed.get(name)?.text ?? onDisk.get(name)
        if (text === undefined) throw new Error('not there')
        return text
      },
      opened: documentId => [...typed.values()].find(each => each.documentId === documentId) ?? null,
      openedAt,
      allOpened: () => [...typed.values()],
      async diskChanged(absolutes) {
        for (const path of shown) if (absolutes.includes(absolute(path))) type(path, onDisk.get(path) ?? null)
      },
      texts,
    },
    changed,
  }
  const language = openWorkspaceLanguage({
    workspace,
    env: process.env,
    ledger: { add: pid => void children.add(pid), remove: pid => void children.delete(pid) },
    log: () => {},
    servers: () => ({}),
    count: { seq: 0 },
    changed: () => {},
    logged: () => {},
    featuresChanged: () => void told.push('features'),
    answersChanged: what => void told.push(what),
    problemsChanged: batch => void batches.push(batch),
    ...options,
  })
  const never = new AbortController().signal
  const put = async (path: string, text: string) => {
    await mkdir(dirname(absolute(path)), { recursive: true })
    await writeFile(absolute(path), text)
    onDisk.set(path, text.replace(/^\uFEFF/, ''))
  }
  const write = async (path: string, text: string, budgetMs = 2000) => {
    await put(path, text)
    return language.check([at(path)], { budgetMs, signal: never })
  }
  return {
    ...{ folder, language, children, changed, at, put, write, trust, batches, told },
    async verdict(path, text) {
      const { lsp, late } = await write(path, text)
      return (late ? ((await late) ?? lsp) : lsp).find(each => each.path.path === path)
    },
    type,
    show(path, text) {
      shown.add(path)
      type(path, text)
    },
    about(path) {
      const { documentId, version } = typed.get(path) as ShownText
      return { workspaceId: 'wsp_0' as WorkspaceId, documentId, version }
    },
    gone: path => void onDisk.delete(path),
    async end() {
      await language.dispose()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
