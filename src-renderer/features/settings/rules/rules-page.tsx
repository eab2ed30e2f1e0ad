/** Every rule that holds, strongest first, each with where it is written; what a command would come to; and the way to add and take back. */
import { Plus } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import type { RuleLine } from '#contract/permission'
import { belay } from '../../../client/index.ts'
import { useFollowed } from '../../../client/use-followed.ts'
import { useSessionFact } from '../../../state/mirror/session.ts'
import { useSessionId } from '../../../state/view/session.ts'
import { useWorkspace } from '../../../state/view/workspace.ts'
import { localize, useT } from '../../../ui/i18n.ts'
import { Button, EmptyState, Select, Spinner } from '../../../ui/index.ts'
import { AddRule } from './add-rule.tsx'
import { Explain } from './explain.tsx'
import { RuleProblems } from './rule-problems.tsx'
import { RuleRow } from './rule-row.tsx'
import '../pages.css'

const scopes = ['all', 'session', 'here', 'user', 'workspace', 'agent', 'built-in'] as const
type ShownScope = (typeof scopes)[number]

export function RulesPage({ query }: { readonly query: string }) {
  const t = useT()
  const workspaceId = useWorkspace()?.workspaceId
  const sessionId = useSessionId() ?? undefined
  const ofSession = useSessionFact(sessionId ?? null, 'rules')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the session's rules are in the answer, so it is asked for again
  const open = useCallback(
    (signal: AbortSignal) => belay.permission.rules({ workspaceId, sessionId }, { signal }),
    [workspaceId, sessionId, ofSession],
  )
  const { value, fault, again } = useFollowed(open, 'permission/changed')
  const [scope, setScope] = useState<ShownScope>('all')
  const [adding, setAdding] = useState(false)
  const shown = useMemo(() => matching(value?.rules ?? [], scope, query), [value, scope, query])
  const names = scopes.filter(each => each === 'all' || value?.rules.some(rule => rule.scope === each))
  return (
    <section className="page" aria-label={t('settings.section.rules')}>
      <div className="page-head">
        <h2>{t('settings.section.rules')}</h2>
        <Select
          label={t('rules.scope')}
          value={scope}
          onChange={setScope}
          options={names.map(each => ({ value: each, label: t(`rules.scope.${each}`) }))}
        />
        <Button icon={Plus} variant="main" onClick={() => setAdding(true)}>
          {t('rules.add')}
        </Button>
      </div>
      <p className="dim">{t('rules.about')}</p>
      {adding && <AddRule onClose={() => setAdding(false)} onAdded={again} />}
      {workspaceId && <Explain workspaceId={workspaceId} />}
      {fault && <div className="ui-field-error">{localize(fault)}</div>}
      {value && value.problems.length > 0 && <RuleProblems problems={value.problems} />}
      {!value && !fault && <Spinner label={t('app.loading')} />}
      {value && shown.length === 0 && (
        <EmptyState
          title={t(value.rules.length === 0 ? 'rules.none' : 'rules.noMatch')}
          body={t(value.rules.length === 0 ? 'rules.noneHint' : 'rules.noMatchHint')}
        />
      )}
      <ol className="rules" aria-label={t('rules.list')}>
        {shown.map(({ rule, key }) => (
          <RuleRow key={key} rule={rule} sessionId={sessionId ?? null} workspaceId={workspaceId} onRemoved={again} />
        ))}
      </ol>
    </section>
  )
}

/** Every word must be in the line or in its file's name. Keys tell two equal lines apart. */
function matching(rules: readonly RuleLine[], scope: ShownScope, query: string) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const seen = new Map<string, number>()
  return rules.flatMap(rule => {
    const name = `${rule.scope} ${rule.text} ${rule.file} ${rule.line}`
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    if (scope !== 'all' && rule.scope !== scope) return []
    const text = `${rule.text} ${rule.scope} ${rule.file ?? ''} ${rule.inert ?? ''}`.toLowerCase()
    return words.every(word => text.includes(word)) ? [{ rule, key: `${name} ${count}` }] : []
  })
}
