/** Theirs on the left, the living text on the right: an arrow per hunk takes theirs, everything can be undone, nothing is written yet. */
import { useEffect, useState } from 'react'
import type { AnyPath } from '#contract/path'
import { belay } from '../../client/index.ts'
import { useEditorLook } from '../../state/mirror/editor-look.ts'
import { useT } from '../../ui/i18n.ts'
import { Spinner, toast } from '../../ui/index.ts'
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
  const { documentId } = entry.session
  useEffect(() => {
    belay.document.disk({ documentId }).then(
      ({ text }) => setTheirs(text ?? ''),
      fault => toast.error(t('editor.noTheirs'), { detail: fault.message }),
    )
  }, [documentId, t])
  const model = entry.bound?.model
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
