/** Theirs on the left, the living text on the right: an arrow per hunk takes theirs, everything can be undone, nothing is written yet. */
import { FileX2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { toFault } from '#contract/error'
import { type AnyPath, pathKey } from '#contract/path'
import { belay } from '../../client/index.ts'
import { useEditorLook } from '../../state/mirror/editor-look.ts'
import { localize, useT } from '../../ui/i18n.ts'
import { EmptyState, Spinner } from '../../ui/index.ts'
import { DiffEditor, type Monaco } from '../../ui/monaco/index.ts'
import { fileName, type OpenEntry } from './texts.ts'

interface ConflictViewProps {
  readonly monaco: Monaco
  readonly path: AnyPath
  readonly entry: OpenEntry
}

export function ConflictView({ monaco, path, entry }: ConflictViewProps) {
  const t = useT()
  const look = useEditorLook()
  const [theirs, setTheirs] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const { documentId } = entry.session
  useEffect(() => {
    const look = () =>
      void belay.document.disk({ documentId }).then(
        ({ text }) => {
          setTheirs(text ?? '')
          setFault(null)
        },
        thrown => setFault(localize(toFault(thrown).message)),
      )
    look()
    // It may change again while one compares.
    return belay.on('workspace/changed', ({ changes }) => {
      if (changes.some(change => pathKey(change.path) === pathKey(path))) look()
    })
  }, [documentId, path])
  const model = entry.bound?.model
  if (fault !== null)
    return (
      <div className="editor-wait">
        <EmptyState icon={FileX2} title={t('editor.noTheirs')} body={fault} />
      </div>
    )
  if (theirs === null || !model)
    return (
      <div className="editor-wait">
        <Spinner label={t('editor.comparing')} />
      </div>
    )
  return (
    <DiffEditor
      monaco={monaco}
      look={look}
      label={t('editor.theirsAndMine', { name: fileName(path) })}
      language={model.getLanguageId()}
      before={theirs}
      after={model}
      editable
      className="editor-code"
    />
  )
}
