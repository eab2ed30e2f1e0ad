/** Taking back one write of the agent, where the file still holds what it wrote. Nothing newer is ever overwritten. */
import type { BlobId } from '#contract/id'
import type { FileWrite } from '#contract/session-event'
import type { Workspace } from '../workspace/service.ts'
import { wholeChange } from './write.ts'

/** `stale`: the file changed since, or what stood before is no longer kept. Throws what writing throws (no permission, disk full). */
export async function revertWrite(
  { paths, documents, operations }: Workspace,
  write: FileWrite,
  readBlob: (id: BlobId) => Promise<Uint8Array | null>,
): Promise<'reverted' | 'removed' | 'stale'> {
  const absolute = await paths.toAbsolute(write.path)
  const saved = await documents.readSaved(absolute).catch(() => null)
  if (saved?.hash !== write.after) return 'stale'
  if (write.before === null) {
    await operations.remove([write.path])
    return 'removed'
  }
  const bytes = write.beforeBlob && (await readBlob(write.beforeBlob))
  if (!bytes) return 'stale'
  const before = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  await documents.agentEdit({
    path: await paths.resolve(absolute),
    expect: write.after,
    make: now => wholeChange(now?.text ?? '', before),
  })
  return 'reverted'
}
