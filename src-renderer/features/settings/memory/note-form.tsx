/** A note in words of the person: a new one with where it counts, or another text for one that is there. */
import { useId, useState } from 'react'
import { toFault } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import { MAX_MEMORY_CHARS, type Memory, type MemoryScope } from '#contract/knowledge'
import { belay } from '../../../client/index.ts'
import { localize, useT } from '../../../ui/i18n.ts'
import { Button, Segmented } from '../../../ui/index.ts'

interface NoteFormProps {
  /** The one that is changed; without it a new one is made. */
  readonly memory?: Memory
  readonly workspaceId: WorkspaceId | undefined
  readonly onDone: () => void
}

export function NoteForm({ memory, workspaceId, onDone }: NoteFormProps) {
  const t = useT()
  const id = useId()
  const [text, setText] = useState(memory?.text ?? '')
  const [scope, setScope] = useState<MemoryScope>(memory?.scope ?? 'user')
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const save = async () => {
    if (text.trim() === '' || busy) return
    setBusy(true)
    try {
      if (memory) await belay.knowledge.change({ ...which(memory, workspaceId), before: memory.text, text })
      else await belay.knowledge.remember({ scope, workspaceId, text })
      onDone()
    } catch (thrown) {
      setProblem(localize(toFault(thrown).message))
      setBusy(false)
    }
  }
  return (
    <div className="page-form">
      <label className="visually-hidden" htmlFor={id}>
        {t('memory.text')}
      </label>
      <textarea
        id={id}
        className="memory-text"
        // biome-ignore lint/a11y/noAutofocus: the person chose to write a moment ago
        autoFocus
        rows={3}
        maxLength={MAX_MEMORY_CHARS}
        placeholder={t('memory.placeholder')}
        value={text}
        onChange={event => setText(event.target.value)}
        onKeyDown={event => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save()
          if (event.key !== 'Escape') return
          event.preventDefault()
          event.stopPropagation()
          onDone()
        }}
      />
      <div role="alert" className={problem ? 'ui-field-error' : 'visually-hidden'}>
        {problem}
      </div>
      <div className="page-buttons">
        {!memory && workspaceId && (
          <Segmented
            label={t('memory.where')}
            value={scope}
            onChange={setScope}
            options={(['user', 'workspace'] as const).map(each => ({ value: each, label: t(`memory.scope.${each}`) }))}
          />
        )}
        <Button variant="main" busy={busy} disabled={text.trim() === ''} onClick={() => void save()}>
          {t('memory.save')}
        </Button>
        <Button variant="ghost" onClick={onDone}>
          {t('app.cancel')}
        </Button>
      </div>
    </div>
  )
}

export const which = ({ scope, name }: Memory, workspaceId: WorkspaceId | undefined) => ({ scope, workspaceId, name })
