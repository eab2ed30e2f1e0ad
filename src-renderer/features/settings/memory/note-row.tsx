/** One note: its words, where it counts, since when; to change and to delete. */
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { WorkspaceId } from '#contract/id'
import type { Memory } from '#contract/knowledge'
import { formatAgo } from '../../../ui/format.ts'
import { useT } from '../../../ui/i18n.ts'
import { Badge, IconButton } from '../../../ui/index.ts'
import { visible } from '../../../ui/visible.ts'
import { NoteForm } from './note-form.tsx'

interface NoteRowProps {
  readonly memory: Memory
  readonly workspaceId: WorkspaceId | undefined
  readonly onForget: () => void
}

/** Characters that name a note for a screen reader. */
const NAME_CHARS = 60

export function NoteRow({ memory, workspaceId, onForget }: NoteRowProps) {
  const t = useT()
  const [editing, setEditing] = useState(false)
  const { text, scope, changedAt, file, told } = memory
  const note = text.length > NAME_CHARS ? `${text.slice(0, NAME_CHARS)}…` : text
  if (editing)
    return (
      <li className="agent">
        <div className="agent-text">
          <NoteForm memory={memory} workspaceId={workspaceId} onDone={() => setEditing(false)} />
        </div>
      </li>
    )
  return (
    <li className="agent">
      <div className="agent-text">
        <div className="memory-words">{visible(text)}</div>
        <div className="agent-facts" title={file}>
          <Badge tone={scope === 'workspace' ? 'accent' : 'plain'}>{t(`memory.scope.${scope}`)}</Badge>
          <span>{formatAgo(changedAt)}</span>
          {!told && <span className="memory-untold">{t('memory.untold')}</span>}
        </div>
      </div>
      <span className="agent-acts">
        <IconButton label={t('memory.edit', { note })} icon={Pencil} size={14} onClick={() => setEditing(true)} />
        <IconButton label={t('memory.forget', { note })} icon={Trash2} size={14} onClick={onForget} />
      </span>
    </li>
  )
}
