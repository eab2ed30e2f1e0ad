/** A rule of one's own: for every folder or for this one, kept in the profile, never in the folder. */
import { useId, useState } from 'react'
import { toFault } from '#contract/error'
import { belay } from '../../../client/index.ts'
import { useWorkspace } from '../../../state/view/workspace.ts'
import { localize, useT } from '../../../ui/i18n.ts'
import { Button, Segmented, TextField, toast } from '../../../ui/index.ts'

const verdicts = ['allow', 'ask', 'deny'] as const
/** What a rule may be about; any other tool's name can be written too. */
const known = ['bash', 'edit', 'read', 'network', 'webfetch', '*']

interface AddRuleProps {
  readonly onClose: () => void
  readonly onAdded: () => void
}

export function AddRule({ onClose, onAdded }: AddRuleProps) {
  const t = useT()
  const tools = useId()
  const workspaceId = useWorkspace()?.workspaceId
  const [scope, setScope] = useState<'user' | 'here'>(workspaceId ? 'here' : 'user')
  const [verdict, setVerdict] = useState<(typeof verdicts)[number]>('allow')
  const [tool, setTool] = useState('bash')
  const [pattern, setPattern] = useState('')
  const [priority, setPriority] = useState('0')
  const [problem, setProblem] = useState<string | null>(null)
  const number = Number(priority)
  const sound = Number.isInteger(number) && Math.abs(number) <= 1000
  const add = async () => {
    if (tool.trim() === '' || !sound) return
    try {
      const rule = { tool: tool.trim(), verdict, pattern: pattern.trim() || null, priority: number }
      await belay.permission.addRule({ scope, workspaceId, rule })
      toast.ok(t('rules.added'))
      onAdded()
      onClose()
    } catch (thrown) {
      setProblem(localize(toFault(thrown).message))
    }
  }
  return (
    <form
      className="page-form"
      aria-label={t('rules.add')}
      onSubmit={event => {
        event.preventDefault()
        void add()
      }}
    >
      <div className="page-form-row">
        <Segmented
          label={t('rules.verdict')}
          value={verdict}
          onChange={setVerdict}
          options={verdicts.map(value => ({ value, label: t(`settings.verdict.${value}`) }))}
        />
        <Segmented
          label={t('rules.scope')}
          value={scope}
          onChange={setScope}
          options={[
            { value: 'here', label: t('rules.scope.here'), disabled: !workspaceId },
            { value: 'user', label: t('rules.scope.user') },
          ]}
        />
      </div>
      <div className="page-form-row">
        <TextField className="page-short" label={t('rules.tool')} value={tool} onChange={setTool} list={tools} />
        <datalist id={tools}>
          {known.map(name => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <TextField
          className="page-wide page-mono"
          label={t('rules.pattern')}
          value={pattern}
          onChange={setPattern}
          hint={t('rules.patternHint')}
          autoFocus
        />
        <TextField
          className="page-number"
          label={t('rules.priorityName')}
          value={priority}
          onChange={setPriority}
          inputMode="numeric"
          error={sound ? null : t('settings.range', { min: -1000, max: 1000 })}
        />
      </div>
      <div role="alert" className={problem ? 'ui-field-error' : 'visually-hidden'}>
        {problem}
      </div>
      <div className="settings-form-end">
        <Button variant="ghost" onClick={onClose}>
          {t('app.cancel')}
        </Button>
        <Button variant="main" submit disabled={tool.trim() === '' || !sound}>
          {t('rules.save')}
        </Button>
      </div>
    </form>
  )
}
