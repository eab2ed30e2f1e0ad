/**
 * A person's edit of a file that need not be shown: unsaved text is changed and stays unsaved, everything else is on disk
 * afterwards, in its encoding. What it answers takes the edit back, and only where the text is still as this left it.
 */
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { type Encoding, encodingNames, type TextChange } from '#contract/document'
import { applyChanges, invertChanges } from '#contract/document-transform'
import { BelayError } from '#contract/error'
import type { AnyPath } from '#contract/path'
import { shown } from '../fault.ts'
import { decode, encode } from './codec.ts'
import { hashOf, readWhole } from './disk-file.ts'
import type { OpenText } from './open-text.ts'
import { isUnicode } from './other-encodings.ts'
import { settle } from './reconcile.ts'
import { save } from './saving.ts'
import { binary, factsFrom, forbidden, missing, type Store } from './store.ts'
import { writeTold } from './told-write.ts'

/** Must not wait: between the text it is given and its changes nothing else may come. */
export type MakeChanges = (text: string) => TextChange[]

/** Must run inside `alone`. Throws `read_only`, `undecodable`, `not_found`, and what `make` throws; nothing is changed then. */
export async function personEdit(
  store: Store,
  absolute: string,
  path: AnyPath,
  make: MakeChanges,
): Promise<MakeChanges> {
  const disk = await readWhole(absolute)
  const opened = store.byFile.get(absolute)
  if (opened) {
    settle(store, opened, disk, 'disk')
    return editOpen(store, opened, make)
  }
  if (!disk) throw missing(absolute)
  const decoded = decode(disk.bytes, await store.choices.of(absolute))
  if (decoded.kind === 'binary') throw binary(absolute)
  const { readOnly, note } = factsFrom(decoded, disk, forbidden(store, path, absolute))
  if (readOnly) throw new BelayError('read_only', `${shown(basename(absolute))}: ${note}`)
  if (decoded.kind !== 'text') throw new BelayError('undecodable', `${shown(basename(absolute))}: ${note}`)
  const changes = makeOn(decoded, make, absolute)
  const after = applyChanges(decoded.text, changes)
  const bytes = encode(after, decoded.encoding)
  await writeTold(store, absolute, { bytes, hash: await hashOf(bytes), disk, writer: null })
  return takingBack(absolute, after, invertChanges(decoded.text, changes))
}

/** A search reads such a file as bytes, so what it found is not where the text has it. */
function makeOn({ text, encoding }: { text: string; encoding: Encoding }, make: MakeChanges, absolute: string) {
  try {
    return make(text)
  } catch (fault) {
    if (isUnicode(encoding) || (fault as BelayError).code !== 'stale') throw fault
    throw new BelayError(
      'stale',
      `${shown(basename(absolute))} is in ${encodingNames[encoding]}. It was left as it is. Open it in the editor and search again: open files are searched as they are shown.`,
      { cause: fault },
    )
  }
}

async function editOpen(store: Store, opened: OpenText, make: MakeChanges): Promise<MakeChanges> {
  const { absolute, text, dirty } = opened
  const changes = make(text)
  const version = opened.change(opened.version, changes, null)
  const back = takingBack(absolute, opened.text, invertChanges(text, changes))
  if (dirty) return back
  try {
    await save(store, opened, false)
  } catch (fault) {
    // It was as the disk has it, so it is again.
    if (opened.version === version) opened.change(version, invertChanges(text, changes), null)
    throw fault
  }
  return back
}

function takingBack(absolute: string, after: string, inverse: TextChange[]): MakeChanges {
  const mark = markOf(after)
  return text => {
    if (markOf(text) !== mark)
      throw new BelayError('stale', `${shown(basename(absolute))} was changed since. It was left as it is.`)
    return inverse
  }
}

const markOf = (text: string): string => createHash('sha256').update(text, 'utf16le').digest('base64')
