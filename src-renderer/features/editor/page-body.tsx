/** A page that another feature brings, as a tab: with the living text of its file in it where it wants one. */
import { type ReactNode, useContext, useMemo } from 'react'
import { createPortal } from 'react-dom'
import type { AnyPath } from '#contract/path'
import type { PageTab } from '../../state/view/editor-tabs.ts'
import { useT } from '../../ui/i18n.ts'
import { Button, EmptyState } from '../../ui/index.ts'
import { type EditorCompanion, EditorPartsContext } from '../feature.ts'
import { close } from './closing.ts'
import { TextBody } from './text-body.tsx'

interface PageBodyProps {
  readonly groupId: string
  readonly tab: PageTab
  /** The end of the path row. */
  readonly actionsAt: HTMLElement | null
}

export function PageBody({ groupId, tab, actionsAt }: PageBodyProps) {
  const t = useT()
  const { pages } = useContext(EditorPartsContext)
  const page = pages.find(each => each.id === tab.page)
  const tabId = tab.id
  const Text = useMemo(
    () =>
      ({ path, companion }: { readonly path: AnyPath; readonly companion?: EditorCompanion }) => (
        <TextBody groupId={groupId} tab={{ kind: 'file', id: tabId, path, preview: false }} companion={companion} />
      ),
    [groupId, tabId],
  )
  const Actions = useMemo(
    () =>
      ({ children }: { readonly children: ReactNode }) =>
        actionsAt && createPortal(children, actionsAt),
    [actionsAt],
  )
  if (!page)
    return (
      <div className="editor-wait">
        <EmptyState title={t('editor.noPage', { name: tab.title })}>
          <Button onClick={() => close({ groupId, tab })}>{t('editor.closeTab')}</Button>
        </EmptyState>
      </div>
    )
  const { title, path, argument } = tab
  return <page.component tabId={tabId} title={title} path={path} argument={argument} Text={Text} Actions={Actions} />
}
