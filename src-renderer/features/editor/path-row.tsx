/** Where the file is, folder by folder; each leads to the explorer. At the end, what else one can do with it. */
import { BookOpenText, Code2, ImageIcon } from 'lucide-react'
import { Fragment, type Ref } from 'react'
import { type AnyPath, joinPath } from '#contract/path'
import type { EditorTab } from '../../state/view/editor-tabs.ts'
import { useWorkspace } from '../../state/view/workspace.ts'
import { useT } from '../../ui/i18n.ts'
import { IconButton } from '../../ui/index.ts'
import { visible } from '../../ui/visible.ts'
import { useCommand } from '../commands.ts'
import { isMarkdown, isSvg } from './kinds.ts'
import { SymbolCrumbs } from './language/symbol-crumbs.tsx'
import { shownUri } from './texts.ts'

export interface PathRowProps {
  readonly tab: EditorTab
  readonly path: AnyPath
  /** Its group has the focus. */
  readonly focused: boolean
  /** For a picture that is text too: which of both is shown, and how to change it. */
  readonly asPicture: boolean
  readonly onAsPicture: (on: boolean) => void
  /** Where a page puts its own. */
  readonly actions: Ref<HTMLSpanElement>
}

export function PathRow({ tab, path, focused, asPicture, onAsPicture, actions }: PathRowProps) {
  const t = useT()
  const run = useCommand()
  return (
    <div className="editor-path">
      <nav className="editor-crumbs" aria-label={t('editor.path')}>
        <Crumbs path={path} />
        {tab.kind === 'file' && <SymbolCrumbs path={path} focused={focused} />}
      </nav>
      <span className="editor-path-actions" ref={actions}>
        {tab.kind === 'file' && isMarkdown(tab.path) && (
          <IconButton
            icon={BookOpenText}
            size={14}
            label={t('command.editor.preview')}
            onClick={() => void run('editor.preview')}
          />
        )}
        {tab.kind === 'file' && isSvg(tab.path) && (
          <IconButton
            icon={asPicture ? Code2 : ImageIcon}
            size={14}
            label={t(asPicture ? 'editor.showText' : 'editor.showPicture')}
            onClick={() => onAsPicture(!asPicture)}
          />
        )}
      </span>
    </div>
  )
}

function Crumbs({ path }: { readonly path: AnyPath }) {
  const run = useCommand()
  const roots = useWorkspace()?.roots ?? []
  if ('uri' in path) return <span className="editor-crumb-last">{visible(shownUri(path.uri))}</span>
  const { rootId } = path
  const parts = path.path.split('/')
  const rootName = roots.length > 1 ? roots.find(root => root.rootId === rootId)?.name : undefined
  return (
    <>
      {rootName && <span>{rootName} › </span>}
      {parts.map((part, index) => {
        const here = parts.slice(0, index + 1).reduce(joinPath, '')
        const last = index === parts.length - 1
        return (
          <Fragment key={here}>
            {index > 0 && <span aria-hidden="true">›</span>}
            <button
              type="button"
              className={last ? 'editor-crumb editor-crumb-last' : 'editor-crumb'}
              onClick={() => void run('explorer.reveal', { path: { rootId, path: here } })}
            >
              {part}
            </button>
          </Fragment>
        )
      })}
    </>
  )
}
