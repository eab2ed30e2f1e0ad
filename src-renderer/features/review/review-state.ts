/** What this window looks at: since when, how a diff stands, and the page in front. */
import { create } from 'zustand'
import { type AnyPath, pathKey, type WirePath } from '#contract/path'
import type { ReviewFile, ReviewScope } from '#contract/review'
import { type ReviewListing, reviewMirror, scopeKey } from '../../state/mirror/review.ts'
import { changeGroups, currentTab } from '../../state/view/editor.ts'
import { openTab } from '../../state/view/editor-tabs.ts'
import { showOver } from '../../state/view/main-pane.ts'
import { type Remembered, remembered } from '../../state/view/remember.ts'
import { currentSession, useSessionId } from '../../state/view/session.ts'
import { nameOf } from './names.ts'

export type ScopeKind = ReviewScope['kind']

export interface ReviewView {
  readonly kind: ScopeKind
  /** Both texts in one column. */
  readonly inline: boolean
}
const initial: ReviewView = { kind: 'turn', inline: false }
export const reviewView: Remembered<ReviewView> = remembered<ReviewView>('review', initial)

/** Null where it needs a session and none is shown. */
export const scopeOf = (kind: ScopeKind, sessionId = currentSession.get()): ReviewScope | null =>
  kind === 'git' ? { kind } : sessionId ? { kind, sessionId } : null

export function useScope(): ReviewScope | null {
  const kind = reviewView.use(view => view.kind)
  return scopeOf(kind, useSessionId())
}

export const listNow = (scope: ReviewScope | null): ReviewListing | null =>
  scope ? (reviewMirror.getState().lists[scopeKey(scope)] ?? null) : null
/** In the order in which they are listed. */
export const filesNow = (scope: ReviewScope | null): readonly ReviewFile[] => {
  const list = listNow(scope)
  return list ? [...list.files, ...list.others] : []
}

/** What a tab of one file remembers. */
export interface FileArgument {
  readonly scope: ReviewScope
  readonly path: WirePath
}
export const FILE_PAGE = 'review.file'
const tabIdOf = ({ scope, path }: FileArgument) => `page:${FILE_PAGE}:${scopeKey(scope)} ${pathKey(path)}`

/** Who is to have the focus as soon as it is there, once: a page by its tab, or the list. */
export const focusWish = create<{ readonly tabId: string | null }>(() => ({ tabId: null }))
export const THE_LIST = 'list'

/** Shows a file's changes; `focus`: one wants to work in them, not only look. */
export function openFile(argument: FileArgument, focus: boolean): void {
  const id = tabIdOf(argument)
  showOver(null)
  changeGroups(all =>
    openTab(all, {
      kind: 'page',
      id,
      page: FILE_PAGE,
      title: nameOf(argument.path),
      path: argument.path,
      living: false,
      argument,
      preview: true,
    }),
  )
  if (focus) focusWish.setState({ tabId: id })
}

/** The file whose changes are in front; null for any other tab. */
export function useFront(): AnyPath | null {
  return frontStore(({ front }) => front?.argument.path ?? null)
}

/** Calls `take` once for each wish that is meant for this one, also for one that is there already. Returns what ends it. */
export function onFocusWish(tabId: string, take: () => void): () => void {
  const look = () => {
    if (focusWish.getState().tabId !== tabId) return
    focusWish.setState({ tabId: null })
    take()
  }
  look()
  return focusWish.subscribe(look)
}

/** What a page lets commands do with it. */
export interface FrontPage {
  readonly tabId: string
  readonly argument: FileArgument
  step(by: 1 | -1): void
  /** The hunk that the caret is in or nearest to. */
  act(what: 'accept' | 'revert' | 'comment'): Promise<void>
}
const frontStore = create<{ readonly front: FrontPage | null }>(() => ({ front: null }))

/** Returns what ends it. */
export function bringFront(front: FrontPage): () => void {
  frontStore.setState({ front })
  return () => frontStore.setState(now => (now.front === front ? { front: null } : now))
}
export const frontPage = (): FrontPage | null => {
  const { front } = frontStore.getState()
  return front && currentTab()?.id === front.tabId ? front : null
}
