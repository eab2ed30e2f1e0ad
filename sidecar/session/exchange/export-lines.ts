/**
 * A session as lines of JSON, one record each, without lengths and checksums: whole by itself, also where it is a fork. What a
 * fork has from its parents stands in it as if it had been said there, numbered on. Damaged lines are left out.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { SessionId } from '#contract/id'
import type { SessionEvent } from '#contract/session-event'
import { noUsage, type SessionState } from '#contract/session-fold'
import type { LogRecord } from '../../base/record.ts'
import type { SessionFiles } from '../files.ts'
import { segmentFile, segmentsOf } from '../fork/inherited.ts'
import { readLog } from '../log.ts'
import { load } from '../reader.ts'
import { toRecord, upgrade } from '../upgrade.ts'

export async function exportLines(files: SessionFiles, sessionId: SessionId): Promise<string> {
  const own: LogRecord[] = []
  for await (const { records } of readLog(files.log)) for (const { value } of records) if (value) own.push(value)
  const segments = await segmentsOf(files).catch(() => [])
  if (segments.length === 0) return textOf(own)
  const { state } = await load(files, sessionId)
  const past: LogRecord[] = []
  /** Whether the item that was said last is of the branch: what was to do then belongs to it. */
  let isOurs = false
  for (const [index, { end, whole }] of segments.entries())
    for await (const { records } of readLog(segmentFile(files, index), 0, end))
      for (const { value } of records) {
        const event = value && upgrade(value)
        const kept = event && inBranch(state, event, whole === true)
        if (event && 'parentId' in event) isOurs = kept !== null
        if (event?.type === 'todo.changed' && isOurs) past.push(toRecord(event))
        if (kept) past.push(toRecord(kept))
      }
  const [created, ...rest] = own
  const all = [...(created ? [created] : []), ...past, ...ends(state, past), ...rest]
  return textOf(all, (record, index) => ({ ...record, seq: index + 1 }))
}

/** Records written before other work gets its turn. */
const SLICE = 500

type Told = (record: LogRecord, index: number) => LogRecord

async function textOf(records: readonly LogRecord[], told: Told = record => record): Promise<string> {
  const lines: string[] = []
  for (const [index, record] of records.entries()) {
    lines.push(`${JSON.stringify(told(record, index))}\n`)
    if (index % SLICE === 0) await turn()
  }
  return lines.join('')
}

/** As it counts in the branch; null: it is not of it. */
function inBranch(state: SessionState, event: SessionEvent, whole: boolean): SessionEvent | null {
  switch (event.type) {
    case 'turn.ended': {
      const turn = state.turns.get(event.turnId)
      return !turn
        ? null
        : { ...event, outcome: turn.outcome ?? 'stopped', usage: { ...noUsage, known: false }, cost: null }
    }
    case 'turn.started':
    case 'turn.noted':
      return state.turns.has(event.turnId) ? event : null
    case 'permission.asked':
    case 'permission.answered':
      return state.asks.has(event.batchId) ? event : null
    case 'question.asked':
    case 'question.answered':
    case 'plan.proposed':
    case 'plan.decided':
      return state.asks.has(event.askId) ? event : null
    case 'head.moved':
      return whole ? event : null
    default:
      if ('id' in event) return state.items.has(event.id) ? event : null
      return 'callId' in event && state.calls.has(event.callId) ? event : null
  }
}

/** Of turns that were cut before their end. */
function ends(state: SessionState, past: readonly LogRecord[]): LogRecord[] {
  const of = (type: string) => new Set(past.flatMap(record => (record.type === type ? [record.turnId] : [])))
  const ended = of('turn.ended')
  const open = [...of('turn.started')].filter(turnId => !ended.has(turnId))
  return [...state.turns.values()].flatMap((turn): LogRecord[] => {
    if (!open.includes(turn.turnId)) return []
    const usage = { ...noUsage, known: false }
    const how = { outcome: turn.outcome ?? 'stopped', usage, cost: null, error: null }
    return [toRecord({ type: 'turn.ended', turnId: turn.turnId, seq: 1, at: turn.endedAt ?? turn.startedAt, ...how })]
  })
}
