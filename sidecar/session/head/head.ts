/** The `head` domain: what leads a conversation back, aside or on, and its files with it where a person asks for that. */
import type { CallContext, Handlers } from '#contract/define'
import { BelayError } from '#contract/error'
import type { Moved, RewindPart } from '#contract/head'
import type { ItemId, RequestId, SessionId } from '#contract/id'
import type { BelayContract } from '#contract/index'
import { pathKey, type WirePath } from '#contract/path'
import { undoableMove } from '#contract/session-moves'
import type { SessionState } from '#contract/session-state'
import type { Room } from '../conversation-room.ts'
import type { Hand } from '../conversation-talk.ts'
import { type Aim, aimAt, aimBack, freedBy, isPrompt, itemsOf } from './aim.ts'
import { branchPoints } from './branches.ts'
import { filesWhen, writtenFor } from './files-at.ts'
import { blobOf, mend } from './mend.ts'
import { type Begun, carryOut, type Move, nothingMoved } from './move.ts'
import type { Files, FilesAt, HeadPorts, Restored } from './ports.ts'
import { FORGOTTEN, linesOf, NOT_KEPT, previewOf, textOf } from './preview.ts'

type HeadHandlers = Handlers<BelayContract>['head']

/** Of a file whose text is shown before it is brought back. */
const MOST_SHOWN_BYTES = 2_000_000

interface Chosen {
  readonly merge: readonly WirePath[]
  readonly leave: readonly WirePath[]
}
const nothingChosen: Chosen = { merge: [], leave: [] }

export interface Head {
  readonly handlers: HeadHandlers
  /** See mend.ts. */
  mend(room: Room): Promise<boolean>
}

export function createHead(ports: HeadPorts): Head {
  const filesOf = ({ talk }: Room): Files => ports.files(talk.port.workspaceId)

  const writing = <T>(sessionId: SessionId, work: (room: Room) => Promise<T>): Promise<T> =>
    ports.within(sessionId, room => {
      if (room.readOnlyBecause) throw room.readOnlyBecause
      return work(room)
    })
  /** What runs is stopped; then the move, unless this id has moved it before. */
  const once = <T>(
    sessionId: SessionId,
    requestId: RequestId,
    known: (state: SessionState, from: ItemId | null, to: ItemId | null) => T,
    work: (room: Room, hand: Hand) => Promise<T>,
  ): Promise<T> =>
    writing(sessionId, room => {
      const before = () => room.open.state.facts.moves.find(move => move.requestId === requestId)
      const again = (move: NonNullable<ReturnType<typeof before>>) => known(room.open.state, move.from, move.to)
      const first = before()
      if (first) return Promise.resolve(again(first))
      ports.mayWork(room.talk.port.workspaceId)
      return room.talk.still(hand => {
        const meanwhile = before()
        return meanwhile ? Promise.resolve(again(meanwhile)) : work(room, hand)
      })
    })

  const filesAt = async (room: Room, aim: Aim, { merge, leave }: Chosen): Promise<FilesAt | 'nothing' | 'not_kept'> => {
    const when = filesWhen(room.open.state, aim)
    if (typeof when === 'string') return when
    const mine = writtenFor(await ports.family(room.open.sessionId))
    return { ...when, mine, unsaved: filesOf(room).unsaved(), merge, leave }
  }
  /** Throws words where the files cannot be had. */
  const bringing = async (room: Room, aim: Aim, chosen: Chosen): Promise<Move['files']> => {
    const at = await filesAt(room, aim, chosen)
    if (at === 'nothing') return null
    const gone = (words: string) => new BelayError('unsupported', `Nothing was moved. ${words}`)
    if (at === 'not_kept') throw gone(NOT_KEPT)
    return async (begun: Begun): Promise<Restored> => {
      const restored = await filesOf(room).restore(at, begun)
      if (!restored) throw gone(FORGOTTEN)
      return restored
    }
  }
  const deps = (room: Room, { clientId }: CallContext) => ({
    open: room.open,
    by: ports.nameOf(clientId),
    log: ports.log,
  })
  const told = (room: Room, lines: Restored['lines']) =>
    linesOf({ lines, merged: async () => null }, filesOf(room)).then(all =>
      all.map(line => (line.action === 'merge' ? { ...line, added: null, removed: null } : line)),
    )

  const move = async (
    { room, aim, what, ...chosen }: { room: Room; aim: Aim; what: RewindPart } & Chosen,
    rest: Pick<Move, 'requestId' | 'reason' | 'hold'>,
    context: CallContext,
  ): Promise<Moved & { itemId: ItemId | null }> => {
    const { head } = room.open.state.facts
    const files = what === 'conversation' ? null : await bringing(room, aim, chosen)
    const to = what === 'files' ? head : aim.to
    if (to === head && !files && !rest.hold) return { ...nothingMoved, itemId: null }
    const { moved, lines, itemId } = await carryOut({ ...rest, to, files }, deps(room, context))
    const prompt = what === 'files' ? null : freedBy(aim)
    return { moved, prompt, files: await told(room, lines), itemId }
  }

  return {
    mend: room => mend(room, ports),
    handlers: {
      preview: ({ sessionId, to }) =>
        ports.within(sessionId, async room => {
          const { state } = room.open
          const aim = aimAt(state, to)
          const stillRunning = await ports.stillRunning(room.talk.port.workspaceId)
          const at = await filesAt(room, aim, nothingChosen)
          return previewOf(state, aim, at, { ...ports, files: filesOf(room), stillRunning })
        }),
      previewFile: ({ sessionId, to, path }) =>
        ports.within(sessionId, async room => {
          const at = await filesAt(room, aimAt(room.open.state, to), nothingChosen)
          const files = filesOf(room)
          const plan = typeof at === 'string' ? null : await files.plan(at)
          const line = plan?.lines.find(each => pathKey(each.path) === pathKey(path))
          if (!plan || !line) throw new BelayError('not_found', 'Nothing of this file would be brought back.')
          const read = (state: typeof line.was) => textOf(state, files.contentOf, MOST_SHOWN_BYTES)
          const merged = (await plan.merged(line))?.text ?? null
          return { now: await read(line.now), back: await read(line.was), merged }
        }),
      rewind: ({ sessionId, requestId, to, what, merge, leave }, context) =>
        once<Moved>(sessionId, requestId, again, async room => {
          const aim = aimAt(room.open.state, to)
          const { itemId: _, ...moved } = await move(
            { room, aim, what, merge, leave },
            { requestId, reason: aim.reason },
            context,
          )
          return moved
        }),
      undo: ({ sessionId, moveId }, context) =>
        writing(sessionId, async room => {
          const known = room.open.state.facts.moves.find(({ requestId }) => requestId === moveId)
          if (!known) throw new BelayError('not_found', 'This move is not known any more, so it cannot be undone.')
          if (known.undone) return nothingMoved
          const { state } = room.open
          if (undoableMove(state.facts)?.requestId !== moveId) throw new BelayError('stale', WENT_ON)
          ports.mayWork(room.talk.port.workspaceId)
          return room.talk.still(async () => {
            if (undoableMove(state.facts)?.requestId !== moveId) throw new BelayError('stale', WENT_ON)
            const restore = known.restoreId && state.restores.get(known.restoreId)
            const files =
              restore &&
              ((begun: Begun) =>
                filesOf(room).undo(restore.files, {
                  since: restore.at,
                  contentOf: state => room.open.readBlob(blobOf(state)),
                  begun,
                }))
            const requestId = crypto.randomUUID() as RequestId
            const undoing = { requestId, reason: 'undo' as const, undoes: moveId, to: known.from, files: files || null }
            const { moved, lines } = await carryOut(undoing, deps(room, context))
            return { moved, prompt: null, files: await told(room, lines) }
          })
        }),
      rerun: ({ sessionId, requestId, itemId }, context) =>
        once<{ started: boolean }>(
          sessionId,
          requestId,
          () => ({ started: false }),
          async (room, hand) => {
            hand.mayBegin()
            const { state } = room.open
            const aim = aimBack(state, promptOf(state, itemId))
            const hold = (moved: Parameters<NonNullable<Move['hold']>>[0]) =>
              hand.begin({ prompt: null, after: aim.to, before: [moved] })
            await carryOut({ requestId, reason: 'rerun', to: aim.to, files: null, hold }, deps(room, context))
            return { started: true }
          },
        ),
      edit: ({ sessionId, requestId, itemId, parts, files, merge, leave }, context) =>
        once<Moved & { itemId: ItemId | null }>(
          sessionId,
          requestId,
          state => ({ ...nothingMoved, itemId: messageOf(state, requestId) }),
          async (room, hand) => {
            hand.mayBegin()
            const { state } = room.open
            const item = state.items.get(itemId)
            if (item?.kind !== 'message' || item.role !== 'user')
              throw new BelayError('invalid', 'Only a message of your own can be edited. Nothing was changed.')
            const aim = aimAt(state, { before: itemId })
            const prompt = { requestId, ...(await hand.contentOf(parts)) }
            const hold = (moved: Parameters<NonNullable<Move['hold']>>[0]) =>
              hand.begin({ prompt, after: aim.to, before: [moved] })
            const what = files ? 'both' : 'conversation'
            return move({ room, aim, what, merge, leave }, { requestId, reason: 'edit', hold }, context)
          },
        ),
      continue: ({ sessionId, requestId }) =>
        writing(sessionId, async room => {
          const { state } = room.open
          if ([...state.turns.values()].some(turn => turn.requestId === requestId)) return { started: false }
          if (state.facts.running !== null)
            throw new BelayError(
              'busy',
              'A turn is running in this conversation already: there is nothing to go on with.',
            )
          ports.mayWork(room.talk.port.workspaceId)
          return room.talk.still(async hand => {
            hand.mayBegin()
            mayGoOn(state)
            await hand.begin({ prompt: null, after: state.facts.head, before: [], requestId })
            return { started: true }
          })
        }),
      branches: ({ sessionId }) => ports.within(sessionId, async ({ open }) => ({ points: branchPoints(open.state) })),
    },
  }
}

/** A move that was made before under the same id. */
const again = (state: SessionState, from: ItemId | null, to: ItemId | null): Moved => {
  const path: ItemId[] = []
  for (let id = from; id !== null && id !== to; id = state.items.get(id)?.parentId ?? null) path.push(id)
  const leaves = itemsOf(state, path.slice(-1))
  return { ...nothingMoved, prompt: from === to ? null : freedBy({ leaves, reason: 'rewind' }) }
}

const messageOf = ({ items }: SessionState, requestId: RequestId): ItemId | null => {
  for (const item of items.values()) if (item.kind === 'message' && item.requestId === requestId) return item.id
  return null
}

/** The last words that began a turn, or those that an item answers. */
function promptOf(state: SessionState, itemId: ItemId | undefined): ItemId {
  const path = itemsOf(state, itemId ? state.path.slice(0, state.path.indexOf(itemId) + 1) : state.path)
  const prompt = path.findLast(isPrompt)
  if (prompt) return prompt.id
  throw new BelayError('not_found', 'There is no request of yours in the conversation that could be repeated.')
}

/** Throws where the last turn came to its end. */
function mayGoOn({ facts: { head }, items, turns }: SessionState): void {
  const last = head === null ? undefined : items.get(head)
  if (!last) throw new BelayError('invalid', 'Nothing was said yet that could go on.')
  if (last.kind === 'message' && last.role === 'user') return
  const turn = [...turns.values()].findLast(({ after }) => after === head) ?? turns.get(last.turnId)
  if (turn?.outcome === 'done')
    throw new BelayError('invalid', 'The last turn came to its end by itself. Send a message to go on from there.')
}

const WENT_ON =
  'The conversation went on since, so this cannot be undone any more without losing that. Nothing was changed: the earlier branch is still there, switch to it instead.'
