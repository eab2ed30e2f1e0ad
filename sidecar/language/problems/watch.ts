/** Keeps the list of what is wrong true: hears every server, asks again after changes, forgets what is gone. */
import { join } from 'node:path'
import type { FileProblems } from '#contract/language-problems'
import type { PathChange } from '#contract/workspace'
import type { Client } from '../client.ts'
import { createElsewhere } from '../editor/elsewhere.ts'
import type { Fleet } from '../fleet.ts'
import type { OpenDocument } from '../open-documents.ts'
import type { LanguageWorkspace } from '../ports.ts'
import type { Server } from '../server.ts'
import type { Busy } from './busy.ts'
import { createProblems, type Problems } from './problems.ts'
import { createRefresh } from './refresh.ts'

export interface ProblemWatch {
  /** From here on, until it is over. */
  follow(server: Server, client: Client): void
  onDisk(changes: readonly PathChange[]): void
  readonly snapshot: Problems['snapshot']
  /** All of it is told to be gone. */
  dispose(): void
}

export interface ProblemWatchOptions {
  readonly workspace: LanguageWorkspace
  readonly fleet: Pick<Fleet, 'all' | 'covers'>
  readonly busy: Busy
  /** See problems.ts. */
  readonly count: { seq: number }
  problemsChanged(batch: { seq: number; files: FileProblems[] }): void
}

export function createProblemWatch(options: ProblemWatchOptions): ProblemWatch {
  const { workspace, fleet, busy, count, problemsChanged } = options
  const { textOf } = createElsewhere(workspace)
  const pathOf = (absolute: string) => workspace.documents.openedAt(absolute)?.path ?? workspace.paths.toWire(absolute)
  const problems = createProblems({ pathOf, textOf, count, tell: problemsChanged })
  const idOf = (client: Client): string => fleet.all().find(server => server.running() === client)?.id ?? ''
  const refresh = createRefresh({ busy, wrongFilesOf: client => problems.filesOf(idOf(client)) })

  return {
    follow({ id, definition }, client) {
      const speaker = { id, serverId: definition.id, encoding: client.encoding }
      const versions = new WeakMap<OpenDocument, number>()
      client.found.on(found => problems.heard(speaker, found))
      client.relabelled.on(document => problems.relabel(id, document))
      client.news.on(document => {
        if (!document) return refresh.soon(client, null)
        if (client.documents.get(document.uri) !== document) return problems.forget(id, document.absolute)
        if (versions.get(document) !== document.version) refresh.soon(client, document)
        versions.set(document, document.version)
      })
      void client.over.then(() => problems.forget(id, null))
    },
    onDisk(changes) {
      const told = changes.flatMap(({ path, change, folder }) => {
        const root = workspace.info.roots.find(({ rootId }) => rootId === path.rootId)
        return root ? [{ absolute: join(root.absolute, ...path.path.split('/')), change, folder }] : []
      })
      for (const { absolute, change } of told) if (change === 'deleted') problems.gone(absolute)
      for (const client of fleet.all().flatMap(server => server.running() ?? [])) {
        // An open text is told of as itself, and not again when it reaches the disk.
        const isNews = told.some(
          ({ absolute, folder, change }) =>
            folder || change === 'overflow' || (fleet.covers(absolute) && !client.documents.at(absolute)),
        )
        if (isNews) refresh.soon(client, null)
      }
    },
    snapshot: problems.snapshot,
    dispose() {
      refresh.dispose()
      problems.dispose()
    },
  }
}
