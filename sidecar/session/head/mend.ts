/** Bringing back files that a process which ended left half done: put back as it was before, and told. */
import { toFault } from '#contract/error'
import { BlobId } from '#contract/id'
import type { FileState } from '#contract/ledger'
import type { Room } from '../conversation-room.ts'
import { BY_RESTART } from '../recover.ts'
import type { HeadPorts } from './ports.ts'

/** The content of a state, where the log keeps it. */
export const blobOf = ({ hash }: FileState): BlobId => BlobId.parse(`blb_${hash}`)

/**
 * With the session open for writing and before anybody else uses it. False: its folder is not open here, or the disk refuses;
 * to be tried again. Never rejects.
 */
export async function mend(room: Room, { files, log }: Pick<HeadPorts, 'files' | 'log'>): Promise<boolean> {
  const { open, talk } = room
  const { restores, path, items } = open.state
  const half = [...restores.values()].filter(({ outcome }) => outcome === null)
  try {
    for (const { restoreId, at, files: brought } of half) {
      const undone = await files(talk.port.workspaceId).undo(brought, {
        since: at,
        afterCrash: true,
        contentOf: state => open.readBlob(blobOf(state)),
        begun: async () => {},
      })
      if (undone.failed) throw new Error(undone.failed.message)
      const left = undone.lines.flatMap(line => (line.action === 'keep' ? line.path : []))
      const names = left.map(each => each.path).join(', ')
      const text = `Belay ended in the middle of a rewind. Nothing of it holds: the conversation stays, and the files were put back as they were before.${left.length > 0 ? ` Changed since, and left as they are: ${names}.` : ''}`
      const turnId = items.get(path.at(-1) as never)?.turnId ?? null
      await open.append(
        { type: 'restore.failed', restoreId, left, by: BY_RESTART },
        { type: 'status.changed', turnId, code: 'rewind', text },
      )
    }
    return true
  } catch (thrown) {
    log('warn', 'a rewind that broke off is not mended yet', {
      sessionId: open.sessionId,
      fault: toFault(thrown).message,
    })
    return false
  }
}
