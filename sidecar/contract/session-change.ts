/** The small changes that folding an event is made of: in place, but every item, turn and ask that changes is a new object. */
import type { AskId, ItemId, TurnId } from './id.ts'
import { pathKey } from './path.ts'
import type { FileWrite } from './session-event.ts'
import type { Ask, Item, SessionFacts, SessionState, Turn } from './session-state.ts'

/** What is known is added up; an unknown price adds nothing. */
export const addCost = (before: number | null, cost: number | null): number | null =>
  cost === null ? before : (before ?? 0) + cost

/** Without what is absent: an optional field is not there rather than undefined. */
export const given = <T extends object>(
  fields: T,
): { [K in keyof T]: Exclude<T[K], undefined> } | Record<string, never> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }

/** In place: `foldSession` has made a new object for this event. */
export const patch = (state: SessionState, facts: Partial<SessionFacts>): void => void Object.assign(state.facts, facts)

/** An item that continues the head becomes the head; one on another branch waits for a `head.moved`. */
export function addItem(state: SessionState, item: Item): void {
  state.items.set(item.id, item)
  if (item.kind === 'tool') state.calls.set(item.callId, item.id)
  if (item.parentId !== state.facts.head) return
  state.path.push(item.id)
  state.facts.head = item.id
}

export function changeItem<K extends Item['kind']>(
  state: SessionState,
  id: ItemId | undefined,
  kind: K,
  change: (item: Extract<Item, { kind: K }>) => Partial<Extract<Item, { kind: K }>>,
): void {
  const item = id === undefined ? undefined : state.items.get(id)
  if (item?.kind !== kind) return
  const known = item as Extract<Item, { kind: K }>
  state.items.set(known.id, Object.assign({ ...known }, change(known)))
}

/** Facts that belong to a place of the path: kept with the head, so that a move to it has them again. */
export function markHead(state: SessionState, facts: Pick<Item, 'todo' | 'contextTokens'>): void {
  const item = state.facts.head === null ? undefined : state.items.get(state.facts.head)
  if (item) state.items.set(item.id, Object.assign({ ...item }, facts))
}

/** Of a path that is in both, what the later line says. */
export function withLater(files: readonly FileWrite[], later: readonly FileWrite[]): FileWrite[] {
  const told = new Set(later.map(({ path }) => pathKey(path)))
  return [...files.filter(({ path }) => !told.has(pathKey(path))), ...later]
}

export function changeTurn(state: SessionState, turnId: TurnId, change: (turn: Turn) => Partial<Turn>): void {
  const turn = state.turns.get(turnId)
  if (turn) state.turns.set(turnId, Object.assign({ ...turn }, change(turn)))
}

export function answerAsk<K extends Ask['kind']>(
  state: SessionState,
  askId: AskId,
  kind: K,
  answer: Extract<Ask, { kind: K }>['answer'],
): void {
  const ask = state.asks.get(askId)
  if (ask?.kind === kind && ask.answer === null) state.asks.set(askId, { ...ask, answer } as Ask)
}

/** Root..`head` by parent links; stops early (incomplete) where a window ends. Null when `head` itself is unknown. */
export function pathTo(state: SessionState, head: ItemId | null): { path: ItemId[]; complete: boolean } | null {
  const path: ItemId[] = []
  let id = head
  while (id !== null) {
    const item = state.items.get(id)
    if (!item) return path.length === 0 ? null : { path: path.reverse(), complete: false }
    path.push(id)
    id = item.parentId
  }
  return { path: path.reverse(), complete: true }
}
