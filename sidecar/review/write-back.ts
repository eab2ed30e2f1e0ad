/** A review's hand on the files: the base written back whole or in part, and never over what somebody newer wrote. */
import { BelayError } from '#contract/error'
import type { FileHash } from '#contract/id'
import type { WirePath } from '#contract/path'
import type { ReviewWrite } from '#contract/session-event'
import { hashOf } from '../workspace/documents/disk-file.ts'
import { hashAt } from '../workspace/documents/put-back.ts'
import type { Workspace } from '../workspace/service.ts'
import { nowLines, takenBack } from './alignment.ts'
import { CHANGED } from './choose.ts'
import { type Held, heldFrom, nothing } from './held.ts'
import type { View } from './view.ts'

/** Only these hunks. Throws `stale` where the file is another one now. */
export async function toLines(view: View, chosen: View['hunks'], workspace: Workspace, path: WirePath): Promise<Held> {
  const { rows, now } = view.track
  const hunks = chosen.map(each => each.hunk)
  const back = await writeText(workspace, path, now.hash, nowLines(takenBack(rows ?? [], hunks)).join(''))
  return { ...back, mode: now.mode }
}

/** All of it, its bits too. Throws `stale` where the file is another one now. */
export async function toBase({ track: { base, now } }: View, workspace: Workspace, path: WirePath): Promise<Held> {
  if (base.hash === null) return remove(workspace, path, now.hash)
  const bits = base.mode !== null && base.mode !== now.mode
  if (base.kind === 'text' && now.kind === 'text' && base.text !== null && now.hash !== null && !bits)
    return { ...(await writeText(workspace, path, now.hash, base.text)), mode: now.mode }
  const bytes =
    base.hash === now.hash ? ((await now.bytes?.()) ?? encoded(now)) : ((await base.bytes?.()) ?? encoded(base))
  if (!bytes)
    throw new BelayError('unsupported', 'What stood there before is not kept: it was too large. Nothing was done.')
  return putBack(workspace, path, now.hash, { kind: base.kind, mode: base.mode ?? now.mode, bytes })
}

const encoded = ({ kind, text }: Pick<Held, 'kind' | 'text'>): Uint8Array | null =>
  kind === 'text' && text !== null ? Buffer.from(text) : null

/** Through the documents: what a person has not saved stays, rebased. Throws `stale`. */
export async function writeText(
  { paths, documents }: Workspace,
  path: WirePath,
  expect: FileHash | null,
  text: string,
): Promise<Held> {
  const resolved = await paths.resolve(await paths.toAbsolute(path))
  const { after } = await documents.agentEdit({ path: resolved, expect, make: () => text, writer: 'restore' })
  return { hash: after, kind: 'text', text, mode: null, bytes: null }
}

export interface Earlier {
  readonly kind: Held['kind']
  readonly mode: number | null
  readonly bytes: Uint8Array
}

/** To the byte: a file with its bits, a link as a link. Throws `stale`. */
export async function putBack(
  workspace: Workspace,
  path: WirePath,
  expect: FileHash | null,
  { kind, mode, bytes }: Earlier,
): Promise<Held> {
  const absolute = await workspace.paths.toEntry(path)
  const link = kind === 'link'
  await workspace.documents.putBack({
    absolute,
    expect,
    to: { kind: link ? 'link' : 'file', bytes, mode: link ? null : mode },
  })
  await workspace.touched([absolute])
  return heldFrom(await hashOf(bytes), bytes, { mode, ...(kind === 'text' ? {} : { kind }) })
}

/** To the trash. Throws `stale` where it is another one now. */
export async function remove(workspace: Workspace, path: WirePath, expect: FileHash | null): Promise<Held> {
  const there = await hashAt(await workspace.paths.toEntry(path))
  if (there !== null && there !== expect) throw new BelayError('stale', CHANGED)
  if (there !== null) await workspace.operations.remove([path])
  return nothing
}

/** What became of the bits, for the record; nothing where they stayed or are not known. */
export const bitsOf = (before: Held, after: Held): Pick<ReviewWrite, 'mode'> => {
  const known = (before.mode !== null || before.hash === null) && (after.mode !== null || after.hash === null)
  return known && before.mode !== after.mode ? { mode: { before: before.mode, after: after.mode } } : {}
}
