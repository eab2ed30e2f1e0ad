/** A tab of two texts: what an edit changed, or two sides of a conflict. Only to be looked at. */

import { useEditorLook } from '../../state/mirror/editor-look.ts'
import type { EditorTab } from '../../state/view/editor-tabs.ts'
import { useT } from '../../ui/i18n.ts'
import { Spinner } from '../../ui/index.ts'
import { DiffEditor, languageOf, useMonaco } from '../../ui/monaco/index.ts'
import { fileName } from './texts.ts'

export function DiffBody({ tab }: { readonly tab: Extract<EditorTab, { kind: 'diff' }> }) {
  const t = useT()
  const monaco = useMonaco()
  const look = useEditorLook()
  if (!monaco)
    return (
      <div className="editor-wait">
        <Spinner label={t('editor.comparing')} />
      </div>
    )
  return (
    <DiffEditor
      monaco={monaco}
      look={look}
      label={tab.title}
      language={languageOf(monaco, fileName(tab.path))}
      before={tab.before}
      after={tab.after}
      editable={false}
      className="editor-code"
    />
  )
}
