/** What a person does in the explorer right now: focus, selection, a name being typed, what was cut or copied. This window's own. */
import { create } from 'zustand'
import type { RootId } from '#contract/id'
import type { FollowingText } from '#contract/language-edit'
import { pathKey, type WirePath } from '#contract/path'
import { remembered } from '../../state/view/remember.ts'
import type { Draft } from './explorer-rows.ts'

export interface ExplorerState {
  /** The row the keyboard is on; stays where it was when its entry goes away. */
  readonly focus: WirePath | null
  /** Where a Shift selection started. */
  readonly anchor: WirePath | null
  readonly selected: ReadonlyMap<string, WirePath>
  readonly draft: Draft | null
  readonly renaming: WirePath | null
  readonly clipboard: { readonly paths: readonly WirePath[]; readonly cut: boolean } | null
  /** What a person was asked about: delete these? */
  readonly deleting: readonly WirePath[] | null
  /** Likewise: change this with what moves? */
  readonly following: {
    readonly texts: readonly FollowingText[]
    /** What is to be changed; null: nothing is to be moved either. */
    readonly decide: (texts: readonly FollowingText[] | null) => void
  } | null
  /** Counts the workspaces that were opened. */
  readonly opened: number
  /** Raised to bring the focused row into view. */
  readonly reveal: number
}

const initial: ExplorerState = {
  focus: null,
  anchor: null,
  selected: new Map(),
  draft: null,
  renaming: null,
  clipboard: null,
  deleting: null,
  following: null,
  opened: 0,
  reveal: 0,
}

export const explorerState = create<ExplorerState>(() => initial)
export function resetExplorer(): void {
  // Who waits for an answer about the workspace before gets one.
  explorerState.getState().following?.decide(null)
  explorerState.setState(({ opened }) => ({ ...initial, opened: opened + 1 }))
}

/** Focus on one row and select it alone; brought into view. */
export function selectOnly(path: WirePath): void {
  explorerState.setState(state => ({
    focus: path,
    anchor: path,
    selected: new Map([[pathKey(path), path]]),
    reveal: state.reveal + 1,
  }))
}

/** As `selectOnly`, but the tree stays where it stands. */
export const selectQuietly = (path: WirePath): void =>
  explorerState.setState({ focus: path, anchor: path, selected: new Map([[pathKey(path), path]]) })

export function selectMany(paths: readonly WirePath[], focus: WirePath): void {
  explorerState.setState(state => ({
    focus,
    selected: new Map(paths.map(path => [pathKey(path), path])),
    reveal: state.reveal + 1,
  }))
}

export function toggleSelected(path: WirePath): void {
  explorerState.setState(state => {
    const selected = new Map(state.selected)
    if (!selected.delete(pathKey(path))) selected.set(pathKey(path), path)
    return { focus: path, anchor: path, selected }
  })
}

/** What a command is about: the selection, or the focused row where it is not part of it. */
export function chosen(): WirePath[] {
  const { selected, focus } = explorerState.getState()
  if (focus && !selected.has(pathKey(focus))) return [focus]
  return [...selected.values()]
}

export interface ExplorerView {
  readonly expanded: readonly WirePath[]
  readonly closedRoots: readonly RootId[]
  readonly scroll: number
}
const noView: ExplorerView = { expanded: [], closedRoots: [], scroll: 0 }
const kept = remembered<ExplorerView>('explorer', noView)
/** Remembered per workspace; an earlier version remembered less. */
export const explorerView = {
  get: (): ExplorerView => ({ ...noView, ...kept.get() }),
  set: (change: Partial<ExplorerView>): void => kept.set(view => ({ ...noView, ...view, ...change })),
}
