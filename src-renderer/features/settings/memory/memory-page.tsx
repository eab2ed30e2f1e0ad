/** What the agent knows besides a conversation: notes that were remembered, the person's own instructions, and those of folders. */
import { Plus } from 'lucide-react'
import { useCallback, useState } from 'react'
import { toFault } from '#contract/error'
import type { Memory, MemoryScope } from '#contract/knowledge'
import { belay } from '../../../client/index.ts'
import { useFollowed } from '../../../client/use-followed.ts'
import { useWorkspace } from '../../../state/view/workspace.ts'
import { localize, useT } from '../../../ui/i18n.ts'
import { Button, EmptyState, Select, Spinner, toast } from '../../../ui/index.ts'
import { InstructionList } from './instruction-list.tsx'
import { NoteForm } from './note-form.tsx'
import { NoteRow } from './note-row.tsx'
import '../pages.css'
import './memory.css'

type ShownScope = 'all' | MemoryScope

export function MemoryPage({ query }: { readonly query: string }) {
  const t = useT()
  const workspace = useWorkspace()
  const workspaceId = workspace?.workspaceId
  const open = useCallback(
    (signal: AbortSignal) => belay.knowledge.memories({ workspaceId }, { signal }),
    [workspaceId],
  )
  const { value, fault } = useFollowed(open, 'knowledge/changed')
  const [scope, setScope] = useState<ShownScope>('all')
  const [adding, setAdding] = useState(false)
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const shown = (value?.memories ?? []).filter(memory => {
    const text = `${memory.text} ${memory.name}`.toLowerCase()
    return (scope === 'all' || memory.scope === scope) && words.every(word => text.includes(word))
  })
  const untold = value?.memories.some(({ told }) => !told) ?? false
  const forget = async ({ scope: from, name }: Memory) => {
    const which = { scope: from, workspaceId, name }
    try {
      const { text } = await belay.knowledge.forget(which)
      const undo = () =>
        void belay.knowledge
          .remember({ ...which, text })
          .catch(thrown => toast.error(t('memory.notBack'), { detail: toFault(thrown).message }))
      toast.ok(t('memory.forgotten'), { label: t('memory.undo'), onSelect: undo })
    } catch (thrown) {
      toast.error(t('memory.notForgotten'), { detail: toFault(thrown).message })
    }
  }
  return (
    <section className="page" aria-label={t('settings.section.memory')}>
      <div className="page-head">
        <h2>{t('settings.section.memory')}</h2>
        {workspace && (
          <Select
            label={t('memory.shown')}
            value={scope}
            onChange={setScope}
            options={(['all', 'user', 'workspace'] as const).map(each => ({
              value: each,
              label: t(`memory.shown.${each}`),
            }))}
          />
        )}
        <Button icon={Plus} variant="main" onClick={() => setAdding(true)}>
          {t('memory.add')}
        </Button>
      </div>
      <p className="dim">{t('memory.about')}</p>
      {adding && <NoteForm workspaceId={workspaceId} onDone={() => setAdding(false)} />}
      {fault && <div className="ui-field-error">{localize(fault)}</div>}
      {value?.problems.map(problem => (
        <div key={problem} className="memory-problem">
          {localize(problem)}
        </div>
      ))}
      {untold && (
        <div className="memory-problem">
          {t('memory.tooMuch', { size: Math.round((value?.mostBytes ?? 0) / 1024) })}
        </div>
      )}
      {!value && !fault && <Spinner label={t('app.loading')} />}
      {value && shown.length === 0 && (
        <EmptyState
          title={t(value.memories.length === 0 ? 'memory.none' : 'memory.noMatch')}
          body={t(value.memories.length === 0 ? 'memory.noneHint' : 'memory.noMatchHint')}
        />
      )}
      <ul className="agents" aria-label={t('memory.list')}>
        {shown.map(memory => (
          <NoteRow
            key={`${memory.scope} ${memory.name}`}
            memory={memory}
            workspaceId={workspaceId}
            onForget={() => void forget(memory)}
          />
        ))}
      </ul>
      <InstructionList workspaceId={workspaceId} words={words} />
    </section>
  )
}
