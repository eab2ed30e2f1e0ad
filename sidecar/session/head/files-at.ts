/** Which time the files are brought back to by a move of the head, told from the log alone. Pure. */
import type { SessionId, TurnId } from '#contract/id'
import type { Writer } from '#contract/ledger'
import type { SessionState } from '#contract/session-fold'
import type { Item, Restore, Turn } from '#contract/session-state'
import { type Aim, itemsOf } from './aim.ts'
import type { FilesAt } from './ports.ts'

export type FilesWhen = Pick<FilesAt, 'checkpointId' | 'since' | 'kept'>

/**
 * `nothing`: no agent had an effect on a file in between. `not_kept`: it had, but Belay keeps nothing of this folder.
 * Going back, it is how files were before this conversation first did anything to them since, on whatever branch, less what of
 * the turn that goes in part stays. Switching to another branch, it is how its last turn with effects left them.
 */
export function filesWhen(state: SessionState, { to, leaves, comes, reason }: Aim): FilesWhen | 'nothing' | 'not_kept' {
  if (reason === 'switch' && comes.length > 0) {
    const there = pathTo(state, to)
    const last = there.findLast(item => state.turns.get(item.turnId)?.checkpointId !== undefined)
    if (last) return whenOf(state, last.turnId, there)
  }
  const first = leaves.find(({ turnId }) => state.turns.has(turnId))
  if (first) {
    const gone = new Set(leaves)
    const stays = itemsOf(state, state.path).filter(item => !gone.has(item))
    const then = firstSince(state, first.turnId)
    if (then) return 'turnId' in then ? whenOf(state, then.turnId, stays) : beforeOf(then)
  }
  return [...leaves, ...comes].some(hadEffect) ? 'not_kept' : 'nothing'
}

/** In the order of the log: the first turn with an effect, or the first bringing back of files, from the beginning of a turn on. */
function firstSince({ turns, restores }: SessionState, from: TurnId): Turn | Restore | undefined {
  const all = [...turns.values()]
  const begin = all.findIndex(({ turnId }) => turnId === from)
  const turn = all.findIndex(({ checkpointId }, at) => at >= begin && checkpointId !== undefined)
  const restore = [...restores.values()].find(
    ({ turns: begun, outcome, checkpoint }) => begun > begin && outcome === 'done' && checkpoint !== '',
  )
  return restore && (turn < 0 || restore.turns <= turn) ? restore : all[turn]
}

const beforeOf = ({ checkpoint, at }: Restore): FilesWhen => ({
  ...{ checkpointId: checkpoint, since: at },
  kept: () => false,
})

/** The beginning of a turn, with what the calls among `stays` did in it. */
function whenOf(state: SessionState, turnId: TurnId, stays: readonly Item[]): FilesWhen {
  const calls = stays.flatMap(item => (item.kind === 'tool' && item.turnId === turnId ? [item] : []))
  const ids = new Set(calls.map(({ callId }) => callId))
  const workers = new Set(calls.flatMap(({ subagents = [] }) => subagents.map(each => each.sessionId)))
  const turn = state.turns.get(turnId)
  return {
    checkpointId: turn?.checkpointId ?? '',
    since: turn?.startedAt ?? 0,
    kept: ({ callId, sessionId }) => ids.has(callId) || workers.has(sessionId),
  }
}

function pathTo({ items }: SessionState, to: Aim['to']): Item[] {
  const path: Item[] = []
  for (let item = to === null ? undefined : items.get(to); item; ) {
    path.push(item)
    item = item.parentId === null ? undefined : items.get(item.parentId)
  }
  return path.reverse()
}

const hadEffect = (item: Item): boolean =>
  item.kind === 'tool' && (item.files.length > 0 || (item.tool === 'bash' && item.startedAt !== null))

/**
 * Whether it was written for this conversation: by its own calls, or its sub-agents'. What a fork has from the session that it was
 * forked from is that session's, which may go on from there.
 */
export const writtenFor =
  (family: readonly SessionId[]) =>
  ({ sessionId }: Writer): boolean =>
    family.includes(sessionId)
