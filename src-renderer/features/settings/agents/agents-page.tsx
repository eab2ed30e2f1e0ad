/** The agents there are: who they are, what they may use, where they are written; to make, change and remove one's own. */
import { Plus } from 'lucide-react'
import { useCallback, useState } from 'react'
import { toFault } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import { belay } from '../../../client/index.ts'
import { useFollowed } from '../../../client/use-followed.ts'
import { useWorkspace } from '../../../state/view/workspace.ts'
import { localize, useT } from '../../../ui/i18n.ts'
import { Button, ConfirmDialog, EmptyState, Spinner, toast } from '../../../ui/index.ts'
import { type AgentDraft, agentDraft, copyOf, freshText } from './agent-draft.ts'
import { AgentEditor } from './agent-editor.tsx'
import { AgentProblems } from './agent-problems.tsx'
import { AgentRow } from './agent-row.tsx'
import '../pages.css'

export function AgentsPage({ query }: { readonly query: string }) {
  const t = useT()
  const workspaceId = useWorkspace()?.workspaceId
  if (workspaceId) return <Agents workspaceId={workspaceId} query={query} />
  return (
    <section className="page" aria-label={t('settings.section.agents')}>
      <h2>{t('settings.section.agents')}</h2>
      <p className="dim">{t('agents.noFolder')}</p>
    </section>
  )
}

interface AgentsProps {
  readonly workspaceId: WorkspaceId
  readonly query: string
}
type Which = Pick<AgentDraft, 'scope' | 'name'>

function Agents({ workspaceId, query }: AgentsProps) {
  const t = useT()
  const open = useCallback((signal: AbortSignal) => belay.agents.list({ workspaceId }, { signal }), [workspaceId])
  const { value, fault, again } = useFollowed(open, 'agents/changed')
  const draft = agentDraft(state => state.draft)
  const [removing, setRemoving] = useState<Which | null>(null)
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const shown = (value?.agents ?? []).filter(agent => {
    const text = `${agent.name} ${agent.description} ${agent.tools.join(' ')} ${agent.scope}`.toLowerCase()
    return words.every(word => text.includes(word))
  })
  const start = (made: Omit<AgentDraft, 'workspaceId'>) => agentDraft.setState({ draft: { workspaceId, ...made } })
  const make = () =>
    start({
      scope: 'user',
      name: '',
      text: freshText('my-agent', t('agents.freshDescription'), t('agents.freshBody')),
      saved: '',
      hash: null,
    })
  const edit = async ({ scope, name }: Which) => {
    try {
      const { text, hash } = await belay.agents.read({ workspaceId, scope, name })
      start({ scope, name, text, saved: text, hash })
    } catch (thrown) {
      toast.error(t('agents.notRead'), { detail: toFault(thrown).message })
    }
  }
  const remove = async ({ scope, name }: Which) => {
    setRemoving(null)
    try {
      await belay.agents.remove({ workspaceId, scope, name })
      toast.ok(t('agents.removed', { name }))
      again()
    } catch (thrown) {
      toast.error(t('agents.notRemoved'), { detail: toFault(thrown).message })
    }
  }
  if (draft && draft.workspaceId === workspaceId)
    return <AgentEditor draft={draft} tools={value?.tools ?? []} onSaved={again} />
  return (
    <section className="page" aria-label={t('settings.section.agents')}>
      <div className="page-head">
        <h2>{t('settings.section.agents')}</h2>
        <Button icon={Plus} variant="main" onClick={make}>
          {t('agents.make')}
        </Button>
      </div>
      <p className="dim">{t('agents.about')}</p>
      {fault && <div className="ui-field-error">{localize(fault)}</div>}
      {!value && !fault && <Spinner label={t('app.loading')} />}
      {value && value.problems.length > 0 && (
        <AgentProblems problems={value.problems} onEdit={which => void edit(which)} />
      )}
      {value && shown.length === 0 && <EmptyState title={t('agents.noMatch')} body={t('agents.noMatchHint')} />}
      <ul className="agents" aria-label={t('agents.list')}>
        {shown.map(agent => (
          <AgentRow
            key={`${agent.scope} ${agent.name}`}
            agent={agent}
            onEdit={scope => void edit({ scope, name: agent.name })}
            onRemove={scope => setRemoving({ scope, name: agent.name })}
            onCopy={() => {
              const name = `my-${agent.name}`
              start({ scope: 'user', name: '', text: copyOf(agent, name), saved: '', hash: null })
            }}
          />
        ))}
      </ul>
      {removing && (
        <ConfirmDialog
          open
          danger
          title={t('agents.removeAsk', { name: removing.name })}
          body={t(`agents.removeMeans.${removing.scope}`)}
          confirmLabel={t('agents.removeDo')}
          cancelLabel={t('app.cancel')}
          onCancel={() => setRemoving(null)}
          onConfirm={() => void remove(removing)}
        />
      )}
    </section>
  )
}
