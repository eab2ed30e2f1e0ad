/** A review's hand on the files: the base written back whole or in part, and never over what somebody newer wrote. */
import { chmod } from 'node:fs/promises'
import { BelayError } from '#contract/error'
import type { FileHash } from '#contract/id'
import type { WirePath } from '#contract/path'
import { hashOf, readWhole } from '../workspace/documents/disk-file.ts'
import { writeWhole } from '../workspace/documents/write-file.ts'
import type { Workspace } from '../workspace/service.ts'
import { nowLines, takenBack } from './alignment.ts'
import { CHANGED } from './choose.ts'
import { type Held, heldFrom, nothing } from './held.ts'
import type { View } from './view.ts'

/** Only these hunks. Throws `stale` where the file is another one now. */
export async function toLines(view: View, chosen: View['hunks'], workspace: Workspace, path: WirePath): Promise<Held> {
  const { rows, now } = view.track
  const hunks = chosen.map(each => each.hunk)
  return writeText(workspace, path, now.hash, nowLines(takenBack(rows ?? [], hunks)).join(''))
}

/** All of it: text as text, other bytes as they were, and its bits. Throws `stale` where the file is another one now. */
export async function toBase({ track: { base, now } }: View, workspace: Workspace, path: WirePath): Promise<Held> {
  if (base.hash === null) return remove(workspace, path, now.hash)
  if (base.kind === 'link' || now.kind === 'link')
    throw new BelayError('unsupported', 'It is a link or was one, and links are not taken back here. Nothing was done.')
  const asText = base.text !== null && (now.text !== null || now.hash === null)
  const onlyBits = base.hash === now.hash
  const bytes = onlyBits || (asText && base.text !== now.text) ? null : await base.bytes?.()
  if (!onlyBits && !bytes && !(asText && base.text !== now.text))
    throw new BelayError('unsupported', 'What stood there before is not kept: it was too large. Nothing was done.')
  const back = onlyBits
    ? now
    : bytes
      ? await writeBytes(workspace, path, now.hash, bytes)
      : await writeText(workspace, path, now.hash, base.text ?? '')
  const mode = base.mode ?? now.mode
  await setBits(workspace, path, now.mode, mode)
  return { ...back, mode }
}

export async function setBits(
  { paths }: Workspace,
  path: WirePath,
  from: number | null,
  to: number | null,
): Promise<void> {
  if (to !== null && to !== from) await chmod(await paths.toAbsolute(path), to)
}

/** What became of the bits, for the record; nothing where they stayed or are not known. */
export const bitsOf = (before: Held, after: Held): { mode?: { before: number; after: number } } =>
  before.mode !== null && after.mode !== null && before.mode !== after.mode
    ? { mode: { before: before.mode, after: after.mode } }
    : {}

/** Through the documents: what a person has not saved stays, rebased. Throws `stale`. */
export async function writeText(
  { paths, documents }: Workspace,
  path: WirePath,
  expect: FileHash | null,
  text: string,
): Promise<Held> {
  const resolved = await paths.resolve(await paths.toAbsolute(path))
  const { after } = await documents.agentEdit({ path: resolved, expect, make: () => text })
  return { hash: after, kind: 'text', text, mode: null, bytes: null }
}

export async function writeBytes(
  workspace: Workspace,
  path: WirePath,
  expect: FileHash | null,
  bytes: Uint8Array,
): Promise<Held> {
  const absolute = await workspace.paths.toAbsolute(path)
  const disk = await readWhole(absolute)
  if ((disk?.hash ?? null) !== expect) throw new BelayError('stale', CHANGED)
  await writeWhole(absolute, bytes, disk?.seen ?? null)
  await workspace.touched([absolute])
  return heldFrom(await hashOf(bytes), bytes, { kind: 'binary' })
}

/** To Belay's trash. Throws `stale` where it is another one now. */
export async function remove(workspace: Workspace, path: WirePath, expect: FileHash | null): Promise<Held> {
  const disk = await readWhole(await workspace.paths.toAbsolute(path))
  if (disk && disk.hash !== expect) throw new BelayError('stale', CHANGED)
  if (disk) await workspace.operations.remove([path])
  return nothing
}
