/** The number of the last event by which a path got what is on it: what has a later one was not there yet. */
import type { Item } from '#contract/session-state'
import type { SessionFiles } from '../files.ts'
import { readLog } from '../log.ts'
import { upgrade } from '../upgrade.ts'
import { segmentFile, segmentsOf } from './inherited.ts'

/** `end`: bytes of the session's own log that count. */
export async function lastSeqOf(files: SessionFiles, end: number, path: readonly Item[]): Promise<number> {
  const items = new Set<string>(path.map(({ id }) => id))
  const calls = new Set<string>(path.flatMap(item => (item.kind === 'tool' ? item.callId : [])))
  let last = 0
  const segments = await segmentsOf(files)
  const logs = segments.map((segment, index) => ({ file: segmentFile(files, index), end: segment.end }))
  for (const log of [...logs, { file: files.log, end }])
    for await (const { records } of readLog(log.file, 0, log.end))
      for (const { value } of records) {
        const event = value && upgrade(value)
        if (!event) continue
        if ('id' in event && items.has(event.id)) last = event.seq
        if (event.type === 'tool.ended' && calls.has(event.callId)) last = event.seq
      }
  return last
}
