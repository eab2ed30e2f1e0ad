/** What a log says of the time at which an item was said: what was still to do then, and the number of its last event. */
import type { ItemId } from '#contract/id'
import type { TodoItem } from '#contract/session-event'
import type { Item } from '#contract/session-state'
import type { SessionFiles } from '../files.ts'
import { readLog } from '../log.ts'
import { upgrade } from '../upgrade.ts'
import { segmentFile, segmentsOf } from './inherited.ts'

export interface Past {
  readonly atSeq: number
  readonly todo: readonly TodoItem[]
}

/** `path`: root..item. `end`: bytes of the session's own log that count. */
export async function pastOf(files: SessionFiles, end: number, path: readonly Item[]): Promise<Past> {
  const items = new Set<string>(path.map(({ id }) => id))
  const calls = new Set<string>(path.flatMap(item => (item.kind === 'tool' ? item.callId : [])))
  let [atSeq, todo]: [number, readonly TodoItem[]] = [0, []]
  /** The item that was said last, on whatever branch: a list of what is to do belongs to it. */
  let last: ItemId | null = null
  const segments = await segmentsOf(files)
  const logs = segments.map((segment, index) => ({ file: segmentFile(files, index), end: segment.end }))
  for (const log of [...logs, { file: files.log, end }]) {
    for await (const { records } of readLog(log.file, 0, log.end)) {
      for (const { value } of records) {
        const event = value && upgrade(value)
        if (!event) continue
        if ('parentId' in event) last = event.id
        if (event.type === 'session.forked') last = event.atItemId
        if (event.type === 'todo.changed' && (last === null || items.has(last))) todo = event.items
        if ('id' in event && items.has(event.id)) atSeq = event.seq
        if (event.type === 'tool.ended' && calls.has(event.callId)) atSeq = event.seq
      }
    }
  }
  return { atSeq, todo }
}
