/**
 * What a window remembers of a workspace: layout, tabs, drafts, scroll. Kept by the sidecar as one opaque text, saved a
 * moment after the last change and at once when the page goes away. Without a workspace it lives in this browser only.
 */
import { useCallback } from 'react'
import { z } from 'zod'
import { create, useStore } from 'zustand'
import type { WorkspaceId } from '#contract/id'

type Values = Readonly<Record<string, unknown>>
interface RememberState {
  readonly workspaceId: WorkspaceId | null
  readonly values: Values
}

export interface Remembered<T> {
  get(): T
  set(next: T | ((current: T) => T)): void
  /** In components; with `select`, re-renders only when what it returns changes. */
  use(): T
  use<S>(select: (value: T) => S): S
  /** Also after another workspace was opened. Returns the function that ends listening. */
  on(listener: (value: T) => void): () => void
}

export type SaveView = (workspaceId: WorkspaceId, view: string) => Promise<unknown>

const SAVE_AFTER_MS = 400
/** The wire's bound, less some room: a view beyond it is not worth a failure. */
const MAX_VIEW_CHARS = 950_000
const LOCAL_KEY = 'belay.view'
/** What the page could not be sure to have saved when it went away. */
const LEFT_KEY = 'belay.left'
const Left = z.object({ workspaceId: z.string(), view: z.string(), at: z.number() })
/** Later than this another window may have gone on: what the core has is then the newer one. */
const LEFT_FOR_MS = 60_000

const store = create<RememberState>(() => ({ workspaceId: null, values: readLocal() }))
let save: SaveView | null = null
let timer: ReturnType<typeof setTimeout> | null = null
/** The latest that is on its way. */
let saving: Promise<unknown> = Promise.resolve()
/** Changes that no save has confirmed. */
let unsaved = false

/** A value of the open workspace, `initial` until something was set. `initial` must be the same object every time. */
export function remembered<T>(key: string, initial: T): Remembered<T> {
  const read = (state: RememberState): T => {
    const value = state.values[key]
    return key in state.values && isLike(value, initial) ? (value as T) : initial
  }
  return {
    get: () => read(store.getState()),
    set(next) {
      const current = read(store.getState())
      const value = typeof next === 'function' ? (next as (current: T) => T)(current) : next
      if (Object.is(value, current)) return
      store.setState(state => ({ values: { ...state.values, [key]: value } }))
      schedule()
    },
    use: <S>(select?: (value: T) => S) =>
      useStore(
        store,
        useCallback((state: RememberState) => (select ? select(read(state)) : read(state)), [select]),
      ) as T & S,
    on: listener =>
      store.subscribe((state, before) => {
        if (!Object.is(read(state), read(before))) listener(read(state))
      }),
  }
}

/** A file that something else wrote must not bring a window down. What begins as null may become anything. */
const isLike = (value: unknown, initial: unknown): boolean =>
  initial === null || (kindOf(value) === kindOf(initial) && Array.isArray(value) === Array.isArray(initial))
const kindOf = (value: unknown): string => (value === null ? 'null' : typeof value)

/** App's part: how to save. */
export function saveViewsWith(saver: SaveView): void {
  save = saver
}

/**
 * App's part: when nothing of the workspace before is shown any more (what is shown still keeps its scroll as it goes) and
 * nothing of this one yet. What was unsaved of the one before is being saved then.
 */
export function restoreView(workspaceId: WorkspaceId | null, view: string | null): void {
  void flushView()
  unsaved = false
  const left = workspaceId && takeLeft(workspaceId)
  store.setState({ workspaceId, values: workspaceId ? parseView(left ?? view) : readLocal() })
  if (left) schedule()
}

/** App's part: when the page goes away. What is asked of the core then may never arrive, so it is left in this browser too. */
export function leaveView(): void {
  const { workspaceId, values } = store.getState()
  const view = JSON.stringify(values)
  if (unsaved && workspaceId && view.length <= MAX_VIEW_CHARS)
    write(LEFT_KEY, JSON.stringify({ workspaceId, view, at: Date.now() }))
  void flushView()
}

/** Saves now; resolves when the latest is saved. Never rejects: a view that cannot be saved costs a layout, not work. */
export async function flushView(): Promise<void> {
  if (timer !== null) {
    clearTimeout(timer)
    timer = null
    const { workspaceId, values } = store.getState()
    const text = JSON.stringify(values)
    if (text.length > MAX_VIEW_CHARS) return
    if (workspaceId) saving = save?.(workspaceId, text).then(confirm(values), () => {}) ?? saving
    else write(LOCAL_KEY, text)
  }
  await saving
}

const confirm = (saved: Values) => () => {
  if (store.getState().values === saved) unsaved = false
}

function schedule(): void {
  unsaved = true
  if (timer !== null) clearTimeout(timer)
  timer = setTimeout(() => void flushView(), SAVE_AFTER_MS)
}

function parseView(view: string | null): Values {
  try {
    const parsed: unknown = JSON.parse(view ?? '{}')
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Values) : {}
  } catch {
    return {}
  }
}

/** Once: what the core has saved since is newer. */
function takeLeft(workspaceId: WorkspaceId): string | null {
  try {
    const left = Left.parse(JSON.parse(localStorage.getItem(LEFT_KEY) ?? ''))
    if (left.workspaceId !== workspaceId) return null
    localStorage.removeItem(LEFT_KEY)
    return Date.now() - left.at < LEFT_FOR_MS ? left.view : null
  } catch {
    return null
  }
}

function readLocal(): Values {
  try {
    return parseView(localStorage.getItem(LOCAL_KEY))
  } catch {
    return {}
  }
}

function write(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
  } catch {
    // A browser that keeps nothing: the layout starts anew.
  }
}
