/** The tree: few rows in the page whatever its size, one focus that is never lost, all of it by keyboard. */
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type MouseEvent, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { pathKey, samePath, type WirePath } from '#contract/path'
import type { WorkspaceInfo } from '#contract/workspace'
import { collapseFolder, expandFolder } from '../../client/workspace-pump.ts'
import { useGit } from '../../state/mirror/git.ts'
import { useProblemMarks } from '../../state/mirror/problem.ts'
import { isSettled, parentOf, useTree } from '../../state/mirror/tree.ts'
import { useT } from '../../ui/i18n.ts'
import { ContextMenu, toast } from '../../ui/index.ts'
import { useCommand } from '../commands.ts'
import { finishCreate, finishRename, isTaken, stopNaming, targetFolder } from './explorer-actions.ts'
import { dragOver, drop, dropTarget, endDrag, startDrag } from './explorer-drag.ts'
import { treeKey, typeAhead } from './explorer-keys.ts'
import { explorerMenu } from './explorer-menu.ts'
import { receive, thingsOf } from './explorer-receive.ts'
import { ExplorerDraft, ExplorerNote, ExplorerRow, type RowEvents } from './explorer-row.tsx'
import { type Row, type Rows, rangeOf, rowsOf } from './explorer-rows.ts'
import { explorerState, explorerView, selectMany, selectOnly, toggleSelected } from './explorer-state.ts'
import { showFault } from './explorer-undo.ts'
import { useAnchor } from './use-anchor.ts'

const ROW_PX = 24
const ABOVE_PX = 2

export function ExplorerTree({ workspace }: { readonly workspace: WorkspaceInfo }) {
  const t = useT()
  const run = useCommand()
  const tree = useTree(mirror => mirror.tree)
  const state = explorerState()
  const marks = useGit(mirror => mirror.marks)
  const problems = useProblemMarks()
  const over = dropTarget(now => now.folder)
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => rowsOf(tree, workspace.roots, state.draft), [tree, workspace.roots, state.draft])
  const focusAt = state.focus ? rows.indexOf(state.focus) : -1
  const namingAt = state.renaming ? rows.indexOf(state.renaming) : -1
  const lastAt = useRef(-1)
  if (focusAt >= 0) lastAt.current = focusAt
  const draftAt = state.draft ? rows.indexOf(state.draft.parent) + 1 : -1
  const virtual = useVirtualizer({
    count: rows.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    initialOffset: () => explorerView.get().scroll,
    paddingStart: ABOVE_PX,
    paddingEnd: ROW_PX,
    // What has the keyboard, or is being typed in, stays in the page wherever one scrolls.
    rangeExtractor: range => withRows(defaultRangeExtractor(range), [focusAt, namingAt, draftAt]),
  })
  /** Where the tree stood when one was here last; null once it stands there again, or the person moves it. */
  const restoring = useRef<number | null>(explorerView.get().scroll)
  const moved = () => {
    restoring.current = null
  }
  useAnchor(virtual, rows, { rowPx: ROW_PX, above: ABOVE_PX, held: restoring.current === null })
  // Rows come as their folders are listed: the place is there when enough of them are.
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element || restoring.current === null) return
    element.scrollTop = restoring.current
    if (isSettled(tree) || Math.abs(element.scrollTop - restoring.current) < ROW_PX) moved()
  })
  useReveal(state.reveal, focusAt, index => {
    moved()
    virtual.scrollToIndex(index, { align: 'auto' })
  })
  useReveal(draftAt, draftAt, index => virtual.scrollToIndex(index, { align: 'auto' }))

  const open = (path: WirePath, how: 'preview' | 'enter' | 'keep') => {
    const row = rows.at(rows.indexOf(path))
    if (!row || (row.kind !== 'entry' && row.kind !== 'root')) return
    if (isFolderRow(row)) toggleFolder(row.path, row.expanded)
    else if (row.entry.kind === 'link-broken' || row.entry.kind === 'other')
      toast.info(`${row.entry.name}: ${t(row.entry.kind === 'other' ? 'explorer.special' : 'explorer.brokenLink')}`)
    else void run('editor.open', { path, preview: how !== 'keep', focus: how !== 'preview' })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.nativeEvent.isComposing) return
    moved()
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_PX) - 1)
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey
    const tools = { rows, page, open, focusAt: focusAt < 0 ? lastAt.current : focusAt, focusIsGone: focusAt < 0 }
    if (treeKey(event, tools)) event.preventDefault()
    else if (plain && event.key.length === 1 && event.key !== ' ') typeAhead(event.key, rows)
  }
  const events = rowEvents(rows, open)
  const naming = (row: Extract<Row, { kind: 'entry' | 'root' }>) =>
    state.renaming && row.kind === 'entry' && samePath(state.renaming, row.path)
      ? {
          taken: (name: string) =>
            name !== row.entry.name && isTaken(parentOf(row.path), name) && !sameButCase(name, row.entry.name),
          onDone: (name: string) => void finishRename(row.path, name).catch(showFault),
          onCancel: stopNaming,
        }
      : null

  return (
    <ContextMenu entries={() => explorerMenu(run)}>
      <div
        ref={scroller}
        role="tree"
        tabIndex={0}
        aria-label={t('explorer.title')}
        aria-multiselectable="true"
        aria-activedescendant={focusAt >= 0 ? rowId(focusAt) : undefined}
        className="explorer-tree"
        data-context="explorer"
        data-explorer-tree=""
        data-autofocus=""
        onKeyDown={onKeyDown}
        onFocus={event => event.target === event.currentTarget && focusSomething(rows)}
        onScroll={event => restoring.current === null && explorerView.set({ scroll: event.currentTarget.scrollTop })}
        onWheel={moved}
        onPointerDown={moved}
        onPaste={event => {
          if (event.clipboardData.files.length === 0) return
          event.preventDefault()
          const into = targetFolder()
          if (into) receive(thingsOf(event.clipboardData), into).catch(showFault)
        }}
        onDragOver={event => {
          const [root] = workspace.roots
          if (root && !event.defaultPrevented) dragOver({ rootId: root.rootId, path: '' }, event)
        }}
        onDrop={event => !event.defaultPrevented && drop(event)}
        onDragLeave={event => !event.currentTarget.contains(event.relatedTarget as Node | null) && endDrag()}
        onDragEnd={endDrag}
      >
        <div role="presentation" className="explorer-rows" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows.at(index)
            return (
              <div
                key={keyOf(row, index)}
                role="presentation"
                className="explorer-place"
                style={{ transform: `translateY(${start}px)` }}
              >
                {row?.kind === 'note' && <ExplorerNote row={row} onRetry={() => void expandFolder(row.path)} />}
                {row?.kind === 'draft' && (
                  <ExplorerDraft
                    row={row}
                    taken={name => isTaken(row.parent, name)}
                    onDone={name => void create(row, name).catch(showFault)}
                    onCancel={stopNaming}
                  />
                )}
                {(row?.kind === 'entry' || row?.kind === 'root') && (
                  <ExplorerRow
                    id={rowId(index)}
                    row={row}
                    events={events}
                    naming={naming(row)}
                    state={{
                      selected: state.selected.has(pathKey(row.path)),
                      focused: index === focusAt,
                      cut:
                        state.clipboard?.cut === true && state.clipboard.paths.some(path => samePath(path, row.path)),
                      dropTarget: over !== null && samePath(over, row.path),
                      mark: marks.get(pathKey(row.path)),
                      problems: problems.get(pathKey(row.path)),
                    }}
                  />
                )}
              </div>
            )
          })}
        </div>
      </div>
    </ContextMenu>
  )

  async function create(row: Extract<Row, { kind: 'draft' }>, name: string): Promise<void> {
    try {
      const path = await finishCreate(row.parent, name, row.folder)
      if (!row.folder) void run('editor.open', { path })
    } catch (fault) {
      stopNaming()
      throw fault
    }
  }
}

const withRows = (range: number[], more: readonly number[]): number[] =>
  [...new Set([...range, ...more.filter(at => at >= 0)])].sort((a, b) => a - b)

const rowId = (index: number): string => `explorer-row-${index}`
const keyOf = (row: Row | null, index: number): string => {
  if (!row) return `${index}`
  return row.kind === 'draft' ? 'draft' : `${row.kind}${pathKey(row.path)}`
}
const sameButCase = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
const isFolderRow = (row: Extract<Row, { kind: 'entry' | 'root' }>): row is Extract<Row, { kind: 'root' }> =>
  row.kind === 'root' || row.entry.kind === 'folder' || row.entry.kind === 'link-folder'

function toggleFolder(path: WirePath, expanded: boolean): void {
  if (expanded) collapseFolder(path)
  else void expandFolder(path)
}

/** Runs when the wish changes, not when rows move. */
function useReveal(wish: number, index: number, scroll: (index: number) => void): void {
  const last = useRef(0)
  useEffect(() => {
    if (wish === last.current || index < 0) return
    last.current = wish
    scroll(index)
  })
}

function focusSomething(rows: Rows): void {
  // A focus whose row is not there (yet) is kept: what was just made comes in a moment.
  if (explorerState.getState().focus) return
  const [first] = rangeOf(rows, 0, 0)
  if (first) explorerState.setState({ focus: first })
}

function rowEvents(rows: Rows, open: (path: WirePath, how: 'preview' | 'keep') => void): RowEvents {
  return {
    onClick(row, event: MouseEvent) {
      const { anchor } = explorerState.getState()
      if (event.shiftKey && anchor)
        return selectMany(rangeOf(rows, rows.indexOf(anchor), rows.indexOf(row.path)), row.path)
      if (event.ctrlKey || event.metaKey) return toggleSelected(row.path)
      selectOnly(row.path)
      // The second click of a double click is not one more wish.
      if (event.detail <= 1) open(row.path, 'preview')
    },
    onDoubleClick(row) {
      if (row.kind === 'entry' && !isFolderRow(row)) open(row.path, 'keep')
    },
    onContextMenu(row) {
      if (!explorerState.getState().selected.has(pathKey(row.path))) selectOnly(row.path)
      else explorerState.setState({ focus: row.path })
    },
    onDragStart: (row, event) => startDrag(row.path, event),
    onDragOver: (row, event) => dragOver(row.path, event),
    onDrop: (_, event) => drop(event),
  }
}
