/** The outline of the file in front: its symbols as a tree. It follows the caret; a row leads to its place. */
import { ChevronDown, ChevronRight, ListTree } from 'lucide-react'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { pathKey } from '#contract/path'
import { useCurrentTab } from '../../../state/view/editor.ts'
import { useT } from '../../../ui/i18n.ts'
import { cx, EmptyState, PaneHead, TextField, VirtualList, type VirtualListHandle } from '../../../ui/index.ts'
import { listStep } from '../../../ui/list-step.ts'
import { useCommand } from '../../commands.ts'
import { fileName } from '../texts.ts'
import { type OutlineRow, outlineRows } from './outline-rows.ts'
import { SymbolIcon } from './symbol-icon.tsx'
import { symbolsAround, useSymbols } from './symbols-view.ts'

const ROW_PX = 24
const INDENT_PX = 14

export default function OutlinePane() {
  const t = useT()
  const tab = useCurrentTab()
  const path = tab?.kind === 'file' ? tab.path : null
  const shown = useSymbols(path)
  return (
    <div className="editor-outline" data-context="list">
      <PaneHead title={t('editor.outline')} />
      {!path || !shown ? (
        <EmptyState icon={ListTree} title={t('editor.outlineNone')} body={t('editor.outlineNoneBody')} />
      ) : shown.symbols.length === 0 ? (
        <EmptyState icon={ListTree} title={fileName(path)} body={t('editor.outlineEmpty')} />
      ) : (
        <Outline key={pathKey(path)} shown={shown} />
      )}
    </div>
  )
}

function Outline({ shown }: { readonly shown: NonNullable<ReturnType<typeof useSymbols>> }) {
  const t = useT()
  const run = useCommand()
  const { path, symbols, caret } = shown
  const [query, setQuery] = useState('')
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const [marked, setMarked] = useState<string | null>(null)
  const list = useRef<VirtualListHandle>(null)
  const rows = useMemo(() => outlineRows(symbols, folded, query), [symbols, folded, query])
  const here = useMemo(() => {
    const around = symbolsAround(symbols, caret)
    // The innermost that is to be seen.
    return rows.findLastIndex(({ symbol }) => around.includes(symbol))
  }, [symbols, caret, rows])
  const at = marked === null ? here : rows.findIndex(({ id }) => id === marked)
  useEffect(() => {
    setMarked(null)
    if (here >= 0) list.current?.scrollToIndex(here)
  }, [here])

  const open = ({ symbol }: OutlineRow, focus: boolean) => {
    const { line, character } = symbol.selection.start
    void run('editor.open', { path, line: line + 1, column: character + 1, focus })
  }
  const fold = ({ id }: OutlineRow, on: boolean) =>
    setFolded(all => new Set(on ? [...all, id] : [...all].filter(each => each !== id)))
  const mark = (index: number) => {
    const next = rows[Math.max(0, Math.min(rows.length - 1, index))]
    if (!next) return
    setMarked(next.id)
    list.current?.scrollToIndex(rows.indexOf(next))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const row = rows[at]
    const step = listStep(event.key, { at, count: rows.length, list: list.current, rowPixels: ROW_PX })
    if (step !== undefined) mark(step)
    else if (event.key === 'Enter' && row) open(row, true)
    else if (event.key === ' ' && row) open(row, false)
    else if (event.key === 'ArrowRight' && row?.expanded === false) fold(row, false)
    else if (event.key === 'ArrowRight' && row?.expanded) mark(at + 1)
    else if (event.key === 'ArrowLeft' && row?.expanded) fold(row, true)
    else if (event.key === 'ArrowLeft' && row) mark(rows.findLastIndex(({ depth }, i) => i < at && depth < row.depth))
    else return
    event.preventDefault()
  }
  return (
    <>
      <div className="editor-outline-filter">
        <TextField
          label={t('editor.outlineFilter')}
          hideLabel
          value={query}
          placeholder={t('editor.outlineFilter')}
          onChange={setQuery}
        />
      </div>
      <VirtualList<OutlineRow>
        className="ui-rows"
        role="tree"
        aria-label={t('editor.symbolsOf', { name: fileName(path) })}
        aria-activedescendant={at >= 0 ? rowId(at) : undefined}
        data-autofocus=""
        tabIndex={0}
        onKeyDown={onKeyDown}
        items={rows}
        keyOf={({ id }) => id}
        rowHeight={ROW_PX}
        handle={list}
        render={(row, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the tree hears the keys
          <div
            id={rowId(index)}
            role="treeitem"
            aria-level={row.depth + 1}
            aria-expanded={row.expanded ?? undefined}
            aria-selected={index === at}
            tabIndex={-1}
            className={cx('ui-row', 'editor-outline-row', index === at && 'ui-row-front')}
            style={{ paddingLeft: 4 + row.depth * INDENT_PX }}
            onClick={() => {
              setMarked(row.id)
              open(row, false)
            }}
            onDoubleClick={() => open(row, true)}
          >
            <span
              className="editor-outline-fold"
              aria-hidden="true"
              onClick={event => {
                event.stopPropagation()
                fold(row, row.expanded === true)
              }}
            >
              {row.expanded !== null && (row.expanded ? <ChevronDown size={14} /> : <ChevronRight size={14} />)}
            </span>
            <SymbolIcon kind={row.symbol.kind} />
            <span className={cx('editor-outline-name', row.symbol.deprecated && 'editor-deprecated')}>
              {row.symbol.name}
            </span>
            <span className="editor-outline-detail">{row.symbol.detail}</span>
          </div>
        )}
      />
    </>
  )
}

const rowId = (index: number) => `outline-row-${index}`
