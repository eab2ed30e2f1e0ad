/** A prompt of the past, edited where it stands. Sending it goes back to before it, which is said; what followed stays as a branch. */
import { ArrowUp, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { toFault } from '#contract/error'
import type { SessionId } from '#contract/id'
import type { MessageItem } from '#contract/session-state'
import { settleDocuments } from '../../../client/document-pump.ts'
import { belay } from '../../../client/index.ts'
import { localize, useT } from '../../../ui/i18n.ts'
import { Button } from '../../../ui/index.ts'
import { useCommand } from '../../commands.ts'
import { EditFiles } from './edit-files.tsx'
import { chosenPaths, type FileChoices, noChoices } from './file-choices.ts'
import { type EditedPrompt, editedPrompt } from './recover-view.ts'
import { usePreview } from './use-preview.ts'
import './rewind.css'

const MAX_HEIGHT_PX = 320

interface EditPromptProps {
  readonly sessionId: SessionId
  readonly item: MessageItem
  readonly edited: EditedPrompt
}

export function EditPrompt({ sessionId, item, edited }: EditPromptProps) {
  const t = useT()
  const run = useCommand()
  const field = useRef<HTMLTextAreaElement>(null)
  const [target] = useState({ before: item.id })
  const { preview } = usePreview(sessionId, target)
  const [files, setFiles] = useState(false)
  const [choices, setChoices] = useState<FileChoices>(noChoices)
  const [sending, setSending] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const { text, attachments } = edited
  const empty = text.trim() === '' && attachments.length === 0

  useEffect(() => {
    const element = field.current
    element?.focus({ preventScroll: true })
    element?.setSelectionRange(element.value.length, element.value.length)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const element = field.current
    if (!element) return
    element.style.height = 'auto'
    element.style.height = `${Math.min(element.scrollHeight, MAX_HEIGHT_PX)}px`
  }, [text])

  const close = () => {
    editedPrompt.set(null)
    void run('app.focusAgent')
  }
  const send = async () => {
    if (empty || sending) return
    setSending(true)
    setProblem(null)
    try {
      await settleDocuments()
      await belay.head.edit({
        ...{ sessionId, requestId: crypto.randomUUID(), itemId: item.id, files },
        parts: [
          ...(text.trim() === '' ? [] : [{ kind: 'text' as const, text: text.trim() }]),
          ...attachments.map(attachment => ({ kind: 'kept' as const, attachment })),
        ],
        ...chosenPaths(files && preview ? preview.files.lines : [], choices),
      })
      close()
    } catch (thrown) {
      setProblem(localize(toFault(thrown).message))
      setSending(false)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // 229: some input methods end a composition with an Enter of their own.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (event.key === 'Escape') close()
    else if (event.key === 'Enter' && !event.shiftKey && !event.altKey) void send()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced anew with every button
    <div className="chat-reword" role="group" aria-label={t('recover.editing')}>
      <textarea
        ref={field}
        rows={2}
        value={text}
        aria-label={t('recover.editedPrompt')}
        spellCheck={false}
        onChange={event => editedPrompt.set({ ...edited, text: event.target.value })}
        onKeyDown={onKeyDown}
      />
      {attachments.length > 0 && (
        <ul className="chat-attachments" aria-label={t('chat.attachments')}>
          {attachments.map(each => (
            <li key={`${each.name} ${each.blobId}`} className="chat-chip">
              <span>{each.path?.path ?? each.name}</span>
              <button
                type="button"
                aria-label={t('chat.removeAttachment', { name: each.name })}
                onClick={() =>
                  editedPrompt.set({ ...edited, attachments: attachments.filter(other => other !== each) })
                }
              >
                <X size={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <p className="chat-reword-means">{t(preview?.running ? 'recover.editMeansRunning' : 'recover.editMeans')}</p>
      {preview && (
        <EditFiles
          {...{ sessionId, preview, choices }}
          to={target}
          on={files}
          onSwitch={setFiles}
          onChoose={setChoices}
        />
      )}
      {problem !== null && (
        <p className="rewind-problem" role="alert">
          {problem}
        </p>
      )}
      <div className="chat-buttons">
        <Button variant="ghost" keys="Escape" onClick={close}>
          {t('recover.cancel')}
        </Button>
        <Button
          variant="main"
          icon={ArrowUp}
          busy={sending}
          aria-disabled={empty || undefined}
          onClick={() => void send()}
        >
          {t('recover.sendEdited')}
        </Button>
      </div>
    </div>
  )
}
