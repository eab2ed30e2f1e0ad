/** A very large file, one part at a time, only to be read. */
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { SLICE_BYTES } from '#contract/document'
import type { AnyPath } from '#contract/path'
import { belay } from '../../client/index.ts'
import { useDocumentState } from '../../state/mirror/document.ts'
import { useEditorLook } from '../../state/mirror/editor-look.ts'
import { formatBytes } from '../../ui/format.ts'
import { useT } from '../../ui/i18n.ts'
import { Button, toast } from '../../ui/index.ts'
import { CodeEditor, type Monaco } from '../../ui/monaco/index.ts'
import { fileName, type OpenEntry } from './texts.ts'

interface SlicesViewProps {
  readonly monaco: Monaco
  readonly path: AnyPath
  readonly entry: OpenEntry
}

export function SlicesView({ monaco, path, entry }: SlicesViewProps) {
  const t = useT()
  const look = useEditorLook()
  const bytes = useDocumentState(path)?.bytes ?? 0
  const { documentId } = entry.session
  const [model] = useState(() => monaco.editor.createModel(entry.text, 'plaintext'))
  const [at, setAt] = useState<{ offset: number; next: number | null }>({ offset: 0, next: SLICE_BYTES })
  useEffect(() => () => model.dispose(), [model])

  const go = useCallback(
    async (wanted: number) => {
      try {
        const slice = await belay.document.slice({ documentId, offset: Math.max(0, Math.round(wanted)) })
        model.setValue(slice.text)
        setAt({ offset: slice.offset, next: slice.nextOffset })
      } catch (fault) {
        toast.error(t('editor.noSlice'), { detail: (fault as Error).message })
      }
    },
    [documentId, model, t],
  )
  useEffect(() => void go(0), [go])

  const from = formatBytes(at.offset)
  const all = formatBytes(bytes)
  return (
    <>
      <div className="editor-notice editor-notice-plain" role="status">
        <span className="editor-notice-text">{t('editor.slices')}</span>
        <span className="editor-notice-actions">
          <Button
            icon={ChevronLeft}
            disabled={at.offset === 0}
            onClick={() => void go(at.offset - SLICE_BYTES)}
            aria-label={t('editor.earlier')}
          />
          <input
            type="range"
            className="editor-range"
            min={0}
            max={Math.max(1, bytes - 1)}
            step={SLICE_BYTES}
            value={at.offset}
            aria-label={t('editor.position')}
            aria-valuetext={t('editor.partOf', { from, all })}
            onChange={event => void go(Number(event.currentTarget.value))}
          />
          <Button
            icon={ChevronRight}
            disabled={at.next === null}
            onClick={() => void go(at.next ?? 0)}
            aria-label={t('editor.later')}
          />
          <span>{t('editor.partOf', { from, all })}</span>
        </span>
      </div>
      <CodeEditor
        monaco={monaco}
        look={look}
        label={t('editor.textOf', { name: fileName(path) })}
        readOnly
        plain
        onReady={created => {
          created.setModel(model)
          return () => {}
        }}
        className="editor-code"
      />
    </>
  )
}
