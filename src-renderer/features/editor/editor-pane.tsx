/** The middle of the window: groups of tabs beside each other, or, while nothing is open, what one could do. */
import { FileSearch } from 'lucide-react'
import { useId, useState } from 'react'
import { changeGroups, editorGroups } from '../../state/view/editor.ts'
import { activeTab, type EditorGroup, type EditorTab, focusGroup } from '../../state/view/editor-tabs.ts'
import { useT } from '../../ui/i18n.ts'
import { Button, cx, EmptyState, Splitter } from '../../ui/index.ts'
import { useCommand } from '../commands.ts'
import { DiffBody } from './diff-body.tsx'
import { ImageBody } from './image-body.tsx'
import { isImage, isSvg } from './kinds.ts'
import { MarkdownBody } from './markdown-body.tsx'
import { PageBody } from './page-body.tsx'
import { PathRow } from './path-row.tsx'
import { TabStrip } from './tab-strip.tsx'
import { TextBody } from './text-body.tsx'
import './editor.css'
import './language/outline.css'

export function EditorPane() {
  const t = useT()
  const { groups, focused } = editorGroups()
  const [first] = groups
  if (groups.length === 1 && first.tabs.length === 0) return <NothingOpen />
  const only = groups.length === 1
  return (
    <Splitter
      label={t('editor.resizeGroups')}
      className="editor-groups"
      panes={groups.map(group => ({
        id: group.id,
        minSize: 160,
        content: <Group group={group} focused={only || group.id === focused} />,
      }))}
    />
  )
}

function Group({ group, focused }: { readonly group: EditorGroup; readonly focused: boolean }) {
  const t = useT()
  const panelId = useId()
  const tab = activeTab(group)
  const [textOf, setTextOf] = useState<string | null>(null)
  const [actionsAt, setActionsAt] = useState<HTMLElement | null>(null)
  if (!tab) return null
  const asPicture = textOf !== tab.id
  return (
    <section
      className={cx('editor-group', focused && 'editor-group-focused')}
      aria-label={t('editor.group', { name: group.id.slice(1) })}
      onFocusCapture={() => changeGroups(all => focusGroup(all, group.id))}
    >
      <TabStrip group={group} panelId={panelId} />
      {tab.path && (
        <PathRow
          path={tab.path}
          tab={tab}
          focused={focused}
          asPicture={asPicture}
          onAsPicture={on => setTextOf(on ? null : tab.id)}
          actions={setActionsAt}
        />
      )}
      <div className="editor-body" id={panelId} role="tabpanel" data-context="editor">
        <Body groupId={group.id} tab={tab} asPicture={asPicture} actionsAt={actionsAt} />
      </div>
    </section>
  )
}

interface BodyProps {
  readonly groupId: string
  readonly tab: EditorTab
  readonly asPicture: boolean
  readonly actionsAt: HTMLElement | null
}

function Body({ groupId, tab, asPicture, actionsAt }: BodyProps) {
  if (tab.kind === 'diff') return <DiffBody key={tab.id} tab={tab} />
  if (tab.kind === 'page') return <PageBody key={tab.id} groupId={groupId} tab={tab} actionsAt={actionsAt} />
  if (tab.kind === 'markdown') return <MarkdownBody key={tab.id} path={tab.path} />
  if (isImage(tab.path) || (isSvg(tab.path) && asPicture)) return <ImageBody key={tab.id} path={tab.path} />
  return <TextBody groupId={groupId} tab={tab} />
}

function NothingOpen() {
  const t = useT()
  const run = useCommand()
  return (
    <div className="editor-nothing">
      <EmptyState icon={FileSearch} title={t('editor.nothingTitle')} body={t('editor.nothingBody')}>
        <Button keys="$mod+P" onClick={() => void run('app.findFile')}>
          {t('command.app.findFile')}
        </Button>
        <Button keys="$mod+Shift+F" onClick={() => void run('search.show')}>
          {t('command.search.show')}
        </Button>
        <Button keys="$mod+L" onClick={() => void run('app.focusAgent')}>
          {t('command.app.focusAgent')}
        </Button>
      </EmptyState>
    </div>
  )
}
