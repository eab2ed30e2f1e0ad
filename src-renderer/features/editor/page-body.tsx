/** A page that another feature brings, as a tab: with the living text of its file in it where it wants one. */
import { useContext, useMemo } from 'react'
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
}

export function PageBody({ groupId, tab }: PageBodyProps) {
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
  if (!page)
    return (
      <div className="editor-wait">
        <EmptyState title={t('editor.noPage', { name: tab.title })}>
          <Button onClick={() => close({ groupId, tab })}>{t('editor.closeTab')}</Button>
        </EmptyState>
      </div>
    )
  return <page.component tabId={tabId} title={tab.title} path={tab.path} argument={tab.argument} Text={Text} />
}
