/**
 * An event out of a file as this machine takes it in: everything in it gets a new name, and what could allow, run, write or speak
 * for Belay is left behind. Pure but for the names it gives.
 */
import { type AskId, type CallId, type ItemId, RootId, type SessionId, type TurnId } from '#contract/id'
import type { Attachment, SessionEvent } from '#contract/session-event'
import { noUsage } from '#contract/session-fold'
import { newId } from '../../base/id.ts'

/** A root that no workspace has: what is said to be written there can be read, and neither taken back nor brought again. */
export const IMPORTED_ROOT = RootId.parse('root_imported')

export interface Names {
  item(id: ItemId): ItemId
  /** Null: never said. */
  knownItem(id: ItemId): ItemId | null
  turn(id: TurnId): TurnId
  call(id: CallId): CallId
  ask(id: AskId): AskId
  /** Null: no session of the file. */
  session(id: SessionId): SessionId | null
}

/** `session`: one for each session of the file, shared by its logs. */
export function createNames(session: ReadonlyMap<SessionId, SessionId>): Names {
  const given = new Map<string, string>()
  const name = <T extends string>(old: T): T => {
    const known = given.get(old)
    if (known !== undefined) return known as T
    const fresh = newId(old.slice(0, old.indexOf('_')))
    given.set(old, fresh)
    return fresh as T
  }
  return {
    ...{ item: name, turn: name, call: name, ask: name },
    knownItem: id => (given.get(id) as ItemId | undefined) ?? null,
    session: id => session.get(id) ?? null,
  }
}

/** Null: not for a log from elsewhere. */
export function renamed(event: SessionEvent, names: Names): SessionEvent | null {
  const node = <T extends { id: ItemId; parentId: ItemId | null; turnId: TurnId }>(said: T): T => ({
    ...said,
    id: names.item(said.id),
    parentId: said.parentId && names.item(said.parentId),
    turnId: names.turn(said.turnId),
  })
  switch (event.type) {
    case 'turn.started': {
      const { after, requestId: _, ...said } = event
      const producer = { ...event.producer, account: null }
      const answers = after && names.knownItem(after)
      const turnId = names.turn(event.turnId)
      return { ...said, turnId, mode: 'default', producer, ...(answers ? { after: answers } : {}) }
    }
    case 'turn.ended':
      return { ...event, turnId: names.turn(event.turnId), usage: { ...noUsage, known: false }, cost: null }
    case 'message.added': {
      const { note: _, ...said } = node(event)
      return { ...said, attachments: event.attachments.map(unplaced), requestId: null }
    }
    case 'message.partial':
      return { ...event, id: names.item(event.id) }
    case 'message.ended': {
      const { media, ...said } = event
      return { ...said, id: names.item(event.id), opaque: null, ...(media ? { media: media.map(unplaced) } : {}) }
    }
    case 'reasoning.added':
      return node(event)
    case 'reasoning.ended':
      return { ...event, id: names.item(event.id), opaque: null }
    case 'tool.requested':
      return {
        ...node(event),
        callId: names.call(event.callId),
        parentCallId: event.parentCallId && names.call(event.parentCallId),
      }
    case 'tool.started':
      return { ...event, callId: names.call(event.callId) }
    case 'tool.ended': {
      const { opaque: _, detail, ...said } = event
      const { backgroundId: __, ...rest } = detail
      const lsp = event.lsp.map(each => ({ ...each, path: { ...each.path, rootId: IMPORTED_ROOT } }))
      return { ...said, callId: names.call(event.callId), files: event.files.map(foreign), lsp, detail: rest }
    }
    case 'tool.wrote':
      return { ...event, callId: names.call(event.callId), files: event.files.map(foreign) }
    case 'subagent.started':
    case 'subagent.ended': {
      const sessionId = names.session(event.sessionId)
      const cost = event.type === 'subagent.ended' ? { usage: { ...noUsage, known: false }, cost: null } : {}
      return sessionId && ({ ...event, ...cost, callId: names.call(event.callId), sessionId } as SessionEvent)
    }
    case 'question.asked':
    case 'plan.proposed': {
      const { askId, turnId, callId } = event
      return { ...event, askId: names.ask(askId), turnId: names.turn(turnId), callId: names.call(callId) }
    }
    case 'question.answered':
      return { ...event, askId: names.ask(event.askId) }
    case 'plan.decided':
      return { ...event, askId: names.ask(event.askId), mode: null }
    case 'todo.changed':
      return event
    case 'head.moved': {
      const to = event.to && names.knownItem(event.to)
      if (event.to !== null && to === null) return null
      const { restoreId: _, requestId: __, undoes: ___, ...said } = event
      return { ...said, from: event.from && names.knownItem(event.from), to, checkpoint: null }
    }
    case 'context.compacted': {
      const { asked: _, kept, clearedTo, ...said } = node(event)
      const more = {
        ...(kept ? { kept: kept.map(names.item) } : {}),
        ...(clearedTo ? { clearedTo: names.item(clearedTo) } : {}),
      }
      return { ...said, ...more, fromItemId: names.item(event.fromItemId), toItemId: names.item(event.toItemId) }
    }
    default:
      return null
  }
}

const unplaced = (attachment: Attachment): Attachment => ({ ...attachment, path: null })

const foreign = <T extends { path: { rootId: RootId; path: string } }>(file: T): T => ({
  ...file,
  path: { ...file.path, rootId: IMPORTED_ROOT },
})
