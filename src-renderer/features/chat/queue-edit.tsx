/** Changes a waiting prompt where it stands, attachments too. If it is sent meanwhile, what was written goes to the field. */
import { Paperclip } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { toFault } from '#contract/error'
import type { SessionId } from '#contract/id'
import type { QueuedPrompt } from '#contract/session-event'
import { belay } from '../../client/index.ts'
import { useT } from '../../ui/i18n.ts'
import { Button, IconButton, toast } from '../../ui/index.ts'
import { partsOf } from './attach.ts'
import { AttachmentChip } from './attachment-chip.tsx'
import { addToDraft, type PastedBytes } from './draft.ts'
import { showProblem } from './problem.ts'

interface QueueEditProps {
  readonly sessionId: SessionId
  readonly prompt: QueuedPrompt
  readonly onDone: () => void
}

export function QueueEdit({ sessionId, prompt, onDone }: QueueEditProps) {
  const t = useT()
  const [text, setText] = useState(prompt.text)
  const [keep, setKeep] = useState(() => prompt.attachments.map((_, index) => index))
  const [added, setAdded] = useState<readonly PastedBytes[]>([])
  const [saving, setSaving] = useState(false)
  const picker = useRef<HTMLInputElement>(null)
  const unsaved = useUnsaved(text === prompt.text ? null : text)
  const done = () => {
    unsaved.current = null
    onDone()
  }
  const empty = text.trim() === '' && keep.length === 0 && added.length === 0
  const save = async () => {
    if (empty || saving) return
    setSaving(true)
    try {
      const { requestId } = prompt
      await belay.session.editQueued({ sessionId, requestId, text: text.trim(), keep, add: [...added] })
      done()
    } catch (thrown) {
      setSaving(false)
      if (toFault(thrown).code !== 'not_found') showProblem(t('chat.queueFailed'), thrown)
    }
  }
  const take = async (files: Iterable<File>) => {
    const names = [...prompt.attachments, ...added].map(({ name }) => name)
    const parts = await partsOf([...files], new Set(names))
    setAdded(now => [...now, ...parts])
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (event.key === 'Escape') {
      event.stopPropagation()
      done()
    } else if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault()
      void save()
    }
  }
  const onPaste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return
    event.preventDefault()
    void take(event.clipboardData.files)
  }
  return (
    <div className="chat-queue-edit">
      <textarea
        ref={focusEnd}
        rows={Math.min(8, Math.max(2, text.split('\n').length))}
        value={text}
        aria-label={t('chat.queueWords')}
        spellCheck={false}
        onChange={event => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      {keep.length + added.length > 0 && (
        <ul className="chat-attachments" aria-label={t('chat.attachments')}>
          {keep.map(index => {
            const { name = '', path } = prompt.attachments[index] ?? {}
            const remove = () => setKeep(all => all.filter(each => each !== index))
            return <AttachmentChip key={index} name={path?.path ?? name} onRemove={remove} />
          })}
          {added.map(part => (
            <AttachmentChip
              key={part.name}
              name={part.name}
              onRemove={() => setAdded(all => all.filter(each => each !== part))}
            />
          ))}
        </ul>
      )}
      <div className="chat-queue-edit-acts">
        <input ref={picker} type="file" multiple hidden onChange={event => void take(event.target.files ?? [])} />
        <IconButton label={t('chat.attach')} icon={Paperclip} size={13} onClick={() => picker.current?.click()} />
        <Button variant="ghost" onClick={done}>
          {t('chat.queueCancel')}
        </Button>
        <Button variant="main" busy={saving} disabled={empty} onClick={() => void save()}>
          {t('chat.queueSave')}
        </Button>
      </div>
    </div>
  )
}

/** Words that would go with the editor: nothing that was typed is lost because its prompt went away. */
function useUnsaved(words: string | null) {
  const t = useT()
  const unsaved = useRef(words)
  unsaved.current = words
  useEffect(
    () => () => {
      if (unsaved.current === null) return
      addToDraft({ text: unsaved.current })
      toast.info(t('chat.queueSentMeanwhile'))
    },
    [t],
  )
  return unsaved
}

function focusEnd(field: HTMLTextAreaElement | null): void {
  field?.focus()
  field?.setSelectionRange(field.value.length, field.value.length)
}
