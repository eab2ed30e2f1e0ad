/** What servers have of each file stays what it is: typed text at once, what changed on disk, and what nobody has open any more. */
import { join } from 'node:path'
import type { PathChange } from '#contract/workspace'
import type { Client } from './client.ts'
import { endingOf, languageOf } from './definition.ts'
import type { Fleet } from './fleet.ts'
import type { LanguageWorkspace } from './ports.ts'
import { isWithin } from './project-root.ts'
import type { Server } from './server.ts'
import { type ServerText, syncedText, textAt } from './synced-text.ts'
import type { FileChange } from './watched-files.ts'

export interface Copies {
  /** Of a file as it is now, in every server that has it open. Never rejects. */
  follow(absolute: string, saved: boolean): Promise<void>
  /** Somebody typed, or closed it. Never rejects. */
  typed(absolute: string): Promise<void>
  /** Changes on disk, in files that are open there and in others. */
  onDisk(changes: readonly PathChange[]): Promise<void>
  /** The texts that somebody has open, in a server that covers them. Never rejects. */
  syncOpened(server: Server): Promise<void>
}

export function createCopies({ workspace, fleet }: { workspace: LanguageWorkspace; fleet: Fleet }): Copies {
  const holding = (absolute: string): { server: Server; client: Client }[] =>
    fleet.all().flatMap(server => {
      const client = server.running()
      return client?.documents.at(absolute) ? [{ server, client }] : []
    })
  const put = async (absolute: string, text: ServerText | null, saved: boolean): Promise<void> => {
    const each = holding(absolute).map(({ server: { definition }, client }) =>
      text === null
        ? client.documents.close(absolute)
        : client.documents.sync({ ...text, languageId: languageOf(definition, absolute), saved }),
    )
    await Promise.allSettled(each)
  }
  const follow: Copies['follow'] = async (absolute, saved) => {
    if (holding(absolute).length > 0) await put(absolute, await textAt(workspace, absolute), saved)
  }
  return {
    follow,
    async typed(absolute) {
      const shown = workspace.documents.openedAt(absolute)
      // Nothing is awaited before it is sent: typed texts keep their order.
      if (shown) await put(absolute, syncedText(shown), false)
      else await follow(absolute, false)
    },
    async onDisk(changes) {
      const told = changes.flatMap(change => absoluteChange(workspace, change))
      const clients = fleet.all().flatMap(server => server.running() ?? [])
      const open = new Set(clients.flatMap(client => client.documents.all().map(({ absolute }) => absolute)))
      // Folders that came or went whole, and bursts that were not seen one by one, touch whatever is open below them.
      const touched = [...open].filter(absolute =>
        told.some(({ folder, at }) => (folder ? isWithin(absolute, at) : at === absolute)),
      )
      await Promise.all(touched.map(absolute => follow(absolute, true)))
      const files = told.flatMap(({ at, change }): FileChange[] =>
        change === 'overflow' ? [] : [{ absolute: at, change }],
      )
      for (const client of clients) client.filesChanged(files)
    },
    async syncOpened(server) {
      const client = server.running()
      if (!client) return
      const { definition } = server
      const shown = workspace.documents.allOpened().filter(({ absolute }) => endingOf(absolute) in definition.languages)
      await Promise.allSettled(
        shown.map(async ({ documentId, absolute }) => {
          if (!(await fleet.serving(absolute, 'ask')).includes(server)) return
          const text = syncedText(workspace.documents.opened(documentId))
          if (text) await client.documents.sync({ ...text, languageId: languageOf(definition, absolute), saved: false })
        }),
      )
    },
  }
}

/** Where a change is on this machine; links in it are not followed, for servers are told of what was watched. */
function absoluteChange(
  { info }: LanguageWorkspace,
  { path, change, folder }: PathChange,
): { at: string; change: PathChange['change']; folder: boolean }[] {
  const root = info.roots.find(({ rootId }) => rootId === path.rootId)
  return root
    ? [{ at: join(root.absolute, ...path.path.split('/')), change, folder: folder || change === 'overflow' }]
    : []
}
