/** The tabs of a group: arrows walk, Delete and the middle button close, a double click keeps a preview, and they can be dragged. */
import { Columns2, FileText, GitCompareArrows, Image, X } from 'lucide-react'
import { type DragEvent, type KeyboardEvent, useContext, useEffect, useRef } from 'react'
import { pathKey } from '#contract/path'
import { useDocuments } from '../../state/mirror/document.ts'
import { useProblemMark } from '../../state/mirror/problem.ts'
import { changeGroups, compareChoice } from '../../state/view/editor.ts'
import {
  activate,
  type EditorGroup,
  type EditorTab,
  fileTab,
  moveTab,
  openBeside,
  pin,
  textPathOf,
} from '../../state/view/editor-tabs.ts'
import { formatMark } from '../../ui/format.ts'
import { useT } from '../../ui/i18n.ts'
import { ContextMenu, cx, IconButton, type IconType, type MenuEntry } from '../../ui/index.ts'
import { visible } from '../../ui/visible.ts'
import { useCommand } from '../commands.ts'
import { EditorPartsContext } from '../feature.ts'
import { closeAsking } from './closing.ts'
import { wishFocus } from './focus.ts'
import { isImage, isSvg } from './kinds.ts'
import { fileName, shownUri } from './texts.ts'

const DRAG_TYPE = 'application/x-belay-tab'

export function TabStrip({ group, panelId }: { readonly group: EditorGroup; readonly panelId: string }) {
  const t = useT()
  const run = useCommand()
  const strip = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const front = group.active && strip.current?.querySelector('[aria-selected="true"]')
    if (front) front.parentElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [group.active])

  const drop = (event: DragEvent, beforeId: string | null) => {
    const dragged = readDrag(event)
    if (!dragged) return
    event.preventDefault()
    event.stopPropagation()
    changeGroups(all => moveTab(all, { ...dragged, to: group.id, beforeId }))
  }
  return (
    <div className="editor-tabs">
      <div
        ref={strip}
        className="editor-tab-list"
        role="tablist"
        aria-label={t('editor.tabs')}
        onDragOver={event => event.dataTransfer.types.includes(DRAG_TYPE) && event.preventDefault()}
        onDrop={event => drop(event, null)}
        onDoubleClick={event => event.target === event.currentTarget && void run('editor.newFile')}
        onWheel={event => {
          if (event.deltaX === 0 && strip.current) strip.current.scrollLeft += event.deltaY
        }}
      >
        {group.tabs.map(tab => (
          <Tab key={tab.id} group={group} tab={tab} panelId={panelId} onDrop={event => drop(event, tab.id)} />
        ))}
      </div>
      <div className="editor-tab-actions">
        <IconButton
          icon={Columns2}
          label={t('command.editor.split')}
          size={14}
          onClick={() => void run('editor.split')}
        />
      </div>
    </div>
  )
}

function readDrag(event: DragEvent): { tabId: string; from: string } | null {
  const data = event.dataTransfer.getData(DRAG_TYPE)
  if (!data) return null
  const { tabId, from } = JSON.parse(data) as { tabId: string; from: string }
  return { tabId, from }
}

interface TabProps {
  readonly group: EditorGroup
  readonly tab: EditorTab
  readonly panelId: string
  readonly onDrop: (event: DragEvent) => void
}

function Tab({ group, tab, panelId, onDrop }: TabProps) {
  const t = useT()
  const path = tab.kind === 'markdown' ? null : textPathOf(tab)
  const dirty = useDocuments(mirror => path !== null && (mirror.states[pathKey(path)]?.dirty ?? false))
  const problems = useProblemMark(tab.kind === 'file' ? path : null)
  const wrong = problems ? (problems.error > 0 ? 'error' : 'warning') : null
  const front = group.active === tab.id
  const close = () => closeAsking([{ groupId: group.id, tab }])
  const show = () => {
    changeGroups(all => activate(all, group.id, tab.id))
    wishFocus(tab.id)
  }
  const Icon = useIcon(tab)
  const title = titleOf(tab, t)
  const kept = dirty ? t('editor.unsavedTab', { name: title }) : title
  const named = problems && wrong ? `${kept}, ${t(`problems.count.${wrong}`, { count: problems[wrong] })}` : kept
  const menu = useTabMenu(group, tab)
  return (
    <ContextMenu entries={menu}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dragging and the middle button are for the mouse; keys have the tab inside */}
      <div
        role="presentation"
        className={cx(
          'editor-tab',
          front && 'editor-tab-front',
          tab.preview && 'editor-tab-preview',
          wrong && `editor-tab-${wrong}`,
        )}
        title={hintOf(tab)}
        draggable
        onDragStart={event => event.dataTransfer.setData(DRAG_TYPE, JSON.stringify({ tabId: tab.id, from: group.id }))}
        onDragOver={event => event.dataTransfer.types.includes(DRAG_TYPE) && event.preventDefault()}
        onDrop={onDrop}
        onAuxClick={event => event.button === 1 && close()}
      >
        <button
          type="button"
          role="tab"
          className="editor-tab-name"
          aria-selected={front}
          aria-controls={panelId}
          aria-label={named}
          tabIndex={front ? 0 : -1}
          onClick={show}
          onDoubleClick={() => changeGroups(all => pin(all, tab.id))}
          onKeyDown={event => onTabKey(event, close)}
        >
          <Icon size={13} />
          <span>{title}</span>
          {problems && wrong && <i className="editor-tab-count" data-count={formatMark(problems[wrong])} />}
        </button>
        <button
          type="button"
          className="editor-tab-close"
          tabIndex={-1}
          aria-hidden
          onClick={close}
          title={t('editor.closeTab')}
        >
          {dirty && <i className="editor-dirty" />}
          <X size={13} />
        </button>
      </div>
    </ContextMenu>
  )
}

/** Arrows move the focus only; Enter and Space are the button's own. */
function onTabKey(event: KeyboardEvent<HTMLButtonElement>, close: () => void): void {
  const tabs = [
    ...(event.currentTarget.closest('[role="tablist"]')?.querySelectorAll<HTMLElement>('[role="tab"]') ?? []),
  ]
  const at = tabs.indexOf(event.currentTarget)
  const step = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
  if (step !== undefined) tabs[(step + tabs.length) % tabs.length]?.focus()
  else if (event.key === 'Delete') close()
  else return
  event.preventDefault()
}

function useTabMenu(group: EditorGroup, tab: EditorTab): () => readonly MenuEntry[] {
  const t = useT()
  const run = useCommand()
  const inGroup = (tabs: readonly EditorTab[]) => closeAsking(tabs.map(each => ({ groupId: group.id, tab: each })))
  return () => {
    const at = group.tabs.findIndex(each => each.id === tab.id)
    const others = group.tabs.filter(each => each.id !== tab.id)
    const right = group.tabs.slice(at + 1)
    const closing: MenuEntry[] = [
      { id: 'close', label: t('editor.closeTab'), onSelect: () => inGroup([tab]) },
      { id: 'others', label: t('editor.closeOthers'), disabled: others.length === 0, onSelect: () => inGroup(others) },
      { id: 'right', label: t('editor.closeRight'), disabled: right.length === 0, onSelect: () => inGroup(right) },
      { id: 'all', label: t('editor.closeAll'), onSelect: () => inGroup(group.tabs) },
      { id: 'reopen', label: t('command.editor.reopenClosed'), onSelect: () => void run('editor.reopenClosed') },
    ]
    const path = tab.kind === 'diff' ? null : tab.path
    if (!path) return closing
    return [
      ...closing,
      { kind: 'separator', id: 'line' },
      {
        id: 'beside',
        label: t('editor.openBeside'),
        onSelect: () => changeGroups(all => openBeside(all, fileTab(path))),
      },
      {
        id: 'choose',
        label: t('command.editor.selectForCompare'),
        onSelect: () => void run('editor.selectForCompare', { path }),
      },
      {
        id: 'compare',
        label: t('command.editor.compareWithSelected'),
        disabled: compareChoice.getState().path === null,
        onSelect: () => void run('editor.compareWithSelected', { path }),
      },
      { kind: 'separator', id: 'line2' },
      { id: 'history', label: t('command.git.fileHistory'), onSelect: () => void run('git.fileHistory', { path }) },
      { id: 'reveal', label: t('editor.reveal'), onSelect: () => void run('explorer.reveal', { path }) },
      {
        id: 'copy',
        label: t('editor.copyPath'),
        onSelect: () => void navigator.clipboard.writeText(hintOf(tab)),
      },
    ]
  }
}

function useIcon(tab: EditorTab): IconType {
  const { pages } = useContext(EditorPartsContext)
  if (tab.kind === 'page') return pages.find(page => page.id === tab.page)?.icon ?? FileText
  return tab.kind === 'diff' ? GitCompareArrows : isImage(tab.path) || isSvg(tab.path) ? Image : FileText
}
const titleOf = (tab: EditorTab, t: ReturnType<typeof useT>): string =>
  tab.kind === 'diff' || tab.kind === 'page'
    ? tab.title
    : tab.kind === 'markdown'
      ? t('editor.previewOf', { name: fileName(tab.path) })
      : fileName(tab.path)
const hintOf = ({ path }: EditorTab): string => (!path ? '' : 'uri' in path ? visible(shownUri(path.uri)) : path.path)
