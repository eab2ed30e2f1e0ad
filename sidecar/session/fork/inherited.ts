/**
 * What a fork has from its parents, beside its own log: their logs up to where it was cut, as further names of the same files.
 * Nothing of them is copied, and they stay whatever becomes of the parents. A log only grows, so what was cut off it stays too.
 */
import { constants } from 'node:fs'
import { copyFile, link, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { SessionId } from '#contract/id'
import { writeFileAtomic } from '../../base/atomic-file.ts'
import type { SessionFiles } from '../files.ts'
import { emptyReplay, logBytes, type Replayed, replay } from '../replay.ts'
import { cutReplay } from './cut.ts'
import { Segment } from './segment.ts'

const Inherited = z.object({ v: z.literal(1), segments: z.array(Segment).min(1).max(10_000) })

const listOf = (files: SessionFiles): string => join(files.inherited, 'inherited.json')
export const segmentFile = (files: SessionFiles, index: number): string => join(files.inherited, `${index}.jsonl`)

/** Oldest first; none for a session that is no fork. Throws `SyntaxError` and `ZodError` where the list is damaged. */
export async function segmentsOf(files: SessionFiles): Promise<Segment[]> {
  const text = await readFile(listOf(files), 'utf8').catch((fault: NodeJS.ErrnoException) => {
    if (fault.code === 'ENOENT' || fault.code === 'ENOTDIR') return null
    throw fault
  })
  return text === null ? [] : Inherited.parse(JSON.parse(text)).segments
}

/** The state that a session's own log goes on from. What cannot be read of it is counted as damage; the rest counts. */
export async function inherited(files: SessionFiles, sessionId: SessionId): Promise<Replayed> {
  const segments = await segmentsOf(files).catch(() => null)
  let replayed = emptyReplay(sessionId)
  if (segments === null) return { ...replayed, damaged: 1, lost: true }
  for (const [index, segment] of segments.entries()) {
    const file = segmentFile(files, index)
    const short = (await logBytes(file)) < segment.end
    replayed = cutReplay(await replay(file, replayed, segment.end), segment)
    if (short) replayed.damaged++
  }
  return replayed
}

/** Makes `files` (in a folder of its own that exists) go on from `from` and its parents. Rejects like the file system does. */
export async function inherit(files: SessionFiles, from: SessionFiles, segment: Segment): Promise<void> {
  const before = await segmentsOf(from)
  await mkdir(files.inherited, { mode: 0o700 })
  for (const index of before.keys()) await share(segmentFile(from, index), segmentFile(files, index))
  await share(from.log, segmentFile(files, before.length))
  await writeInherited(files, [...before, segment])
}

export const writeInherited = (files: SessionFiles, segments: Segment[]): Promise<void> =>
  writeFileAtomic(listOf(files), JSON.stringify({ v: 1, segments }))

/** One more name for the same bytes; where the disk knows no such thing, a copy. `to` must not exist. */
export async function share(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException
    if (!['EPERM', 'EXDEV', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL'].includes(code ?? '')) throw fault
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  }
}
