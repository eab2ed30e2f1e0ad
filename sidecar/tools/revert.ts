/** Taking back one write of the agent, where what it wrote is still there. Nothing newer is ever overwritten. */
import type { BlobId } from '#contract/id'
import type { FileWrite } from '#contract/session-event'
import { hashAt } from '../workspace/documents/put-back.ts'
import type { Workspace } from '../workspace/service.ts'
import { wholeChange } from './write.ts'

type ReadBlob = (id: BlobId) => Promise<Uint8Array | null>

/** `stale`: it changed since, or what stood before is no longer kept. Throws what writing throws (no permission, disk full). */
export async function revertWrite(
  workspace: Workspace,
  write: FileWrite,
  readBlob: ReadBlob,
): Promise<'reverted' | 'removed' | 'stale'> {
  const entry = await workspace.paths.toEntry(write.path)
  const bytes = write.beforeBlob && (await readBlob(write.beforeBlob))
  if (write.before !== null && !bytes) return 'stale'
  if (write.before === null) {
    if ((await hashAt(entry).catch(() => null)) !== write.after) return 'stale'
    await workspace.operations.remove([write.path])
    return 'removed'
  }
  try {
    if (bytes && isText(write)) await asText(workspace, write, bytes)
    else if (bytes) {
      const kind = isLink(write) ? 'link' : 'file'
      await workspace.documents.putBack({
        absolute: entry,
        expect: write.after,
        to: { kind, bytes, mode: modeOf(write) },
      })
    }
  } catch (fault) {
    if ((fault as { code?: string }).code === 'stale') return 'stale'
    throw fault
  }
  await workspace.touched([entry])
  return 'reverted'
}

/** Its text alone changed: then an unsaved one is rebased. */
const isText = ({ kind = 'text', after, mode }: FileWrite): boolean => kind === 'text' && after !== null && !mode
const isLink = ({ kind, mode }: FileWrite): boolean => kind === 'link' && !mode?.before
const modeOf = ({ mode }: FileWrite): number | null => mode?.before ?? null

async function asText({ paths, documents }: Workspace, write: FileWrite, bytes: Uint8Array): Promise<void> {
  const before = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  await documents.agentEdit({
    path: await paths.resolve(await paths.toAbsolute(write.path)),
    expect: write.after,
    make: now => wholeChange(now?.text ?? '', before),
    writer: 'restore',
  })
}
