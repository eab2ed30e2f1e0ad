/** What would happen with this command, path, address or host, and why: decided by the very rules, changing nothing. */
import { useState } from 'react'
import { toFault } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import type { Explanation } from '#contract/permission'
import type { Mode } from '#contract/session-event'
import { belay } from '../../../client/index.ts'
import { useSessionFact } from '../../../state/mirror/session.ts'
import { useSetting } from '../../../state/mirror/settings.ts'
import { useSessionId } from '../../../state/view/session.ts'
import { localize, useT } from '../../../ui/i18n.ts'
import { Badge, Button, Select, TextField } from '../../../ui/index.ts'
import { Reason } from '../../../ui/reason.tsx'
import { VerdictBadge } from '../verdict-badge.tsx'

const modes: readonly Mode[] = ['plan', 'default', 'acceptEdits', 'auto', 'dontAsk']
const tools = ['bash', 'edit', 'read', 'webfetch', 'network'] as const

export function Explain({ workspaceId }: { readonly workspaceId: WorkspaceId }) {
  const t = useT()
  const sessionId = useSessionId() ?? undefined
  const ofSession = useSessionFact(sessionId ?? null, 'mode')
  const initial = useSetting('agent.mode')
  const now = ofSession ?? initial
  const [chosen, setMode] = useState<Mode | null>(null)
  const mode = chosen ?? (modes.includes(now) ? now : 'default')
  const [tool, setTool] = useState<(typeof tools)[number]>('bash')
  const [subject, setSubject] = useState('')
  const [told, setTold] = useState<{ of: string; explanation: Explanation } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const ask = async () => {
    if (subject.trim() === '') return
    try {
      setTold({
        of: subject,
        explanation: await belay.permission.explain({ workspaceId, sessionId, mode, tool, subject }),
      })
      setProblem(null)
    } catch (thrown) {
      setTold(null)
      setProblem(localize(toFault(thrown).message))
    }
  }
  return (
    <form
      className="page-form"
      aria-label={t('rules.explain')}
      onSubmit={event => {
        event.preventDefault()
        void ask()
      }}
    >
      <div className="page-form-row page-form-low">
        <TextField
          className="page-wide page-mono"
          label={t('rules.explain')}
          placeholder={t(`rules.example.${tool}`)}
          value={subject}
          onChange={setSubject}
        />
        <Select
          label={t('rules.tool')}
          value={tool}
          onChange={setTool}
          options={tools.map(value => ({ value, label: value }))}
        />
        <Select
          label={t('rules.mode')}
          value={mode}
          onChange={setMode}
          options={modes.map(value => ({ value, label: t(`chat.mode.${value}`) }))}
        />
        <Button submit disabled={subject.trim() === ''}>
          {t('rules.explainDo')}
        </Button>
      </div>
      <div role="status">
        {problem && <div className="ui-field-error">{problem}</div>}
        {told && <Told {...told} />}
      </div>
    </form>
  )
}

function Told({ of, explanation }: { readonly of: string; readonly explanation: Explanation }) {
  const t = useT()
  const { verdict, reason, rule, firm, parts } = explanation
  return (
    <div className="explained">
      <div className="explained-line">
        <VerdictBadge verdict={verdict} />
        <code>{of}</code>
      </div>
      <Why reason={reason} rule={rule} />
      {firm && <div className="dim">{t('rules.firm')}</div>}
      {parts.length > 1 && (
        <ol className="explained-parts" aria-label={t('rules.parts')}>
          {parts.map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same part may come twice; the list is made anew as a whole
            <li key={index}>
              <div className="explained-line">
                <VerdictBadge verdict={part.verdict} />
                <code>{part.text}</code>
                <Badge>{t(`rules.kind.${part.kind}`)}</Badge>
              </div>
              <Why reason={part.reason} rule={part.rule} />
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}

const Why = ({ reason, rule }: { readonly reason: string; readonly rule: string | null }) => (
  <div className="dim">
    <Reason text={reason} /> {rule !== null && <code>{rule}</code>}
  </div>
)
