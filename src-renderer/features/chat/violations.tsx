/** What the jail stopped of a command, a line each, with what a person can do about it. */
import { ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import type { Violation } from '#contract/sandbox'
import type { ToolItem } from '#contract/session-state'
import { useWorkspace } from '../../state/view/workspace.ts'
import { useT } from '../../ui/i18n.ts'
import { Button, toast } from '../../ui/index.ts'
import { visible } from '../../ui/visible.ts'
import { showProblem } from './problem.ts'
import { type Remedy, remedyFor, runRemedy } from './violation-remedy.ts'

/** Lines shown on a folded card. */
const FEW = 3

/** The log is data from outside: what is no such list is none. */
export function violationsOf({ detail }: Pick<ToolItem, 'detail'>): Violation[] {
  if (!Array.isArray(detail.violations)) return []
  return detail.violations.filter(
    (each): each is Violation =>
      typeof each === 'object' && each !== null && typeof each.category === 'string' && typeof each.target === 'string',
  )
}

export function Violations({ violations, all }: { readonly violations: readonly Violation[]; readonly all: boolean }) {
  const t = useT()
  const shown = all ? violations : violations.slice(0, FEW)
  return (
    <ul className="chat-violations" aria-label={t('chat.violations')}>
      {shown.map(violation => (
        <ViolationLine key={`${violation.category} ${violation.target}`} violation={violation} />
      ))}
      {shown.length < violations.length && (
        <li className="chat-dim">{t('chat.violationsMore', { count: violations.length - shown.length })}</li>
      )}
    </ul>
  )
}

function ViolationLine({ violation }: { readonly violation: Violation }) {
  const t = useT()
  const workspace = useWorkspace()
  const [done, setDone] = useState(false)
  const { category, target, aside } = violation
  const remedy = workspace && remedyFor(violation, workspace)
  const mend = async (which: Remedy) => {
    try {
      await runRemedy(which)
      setDone(true)
      toast.ok(t(`chat.remedyDone.${which.kind}`, { what: visible(which.what) }))
    } catch (thrown) {
      showProblem(t('chat.remedyFailed'), thrown)
    }
  }
  return (
    <li>
      <ShieldAlert size={12} aria-hidden="true" />
      <span className="chat-violation">
        {t(`chat.violation.${aside === undefined ? category : 'aside'}`)}{' '}
        <code className="chat-mono">{visible(target)}</code>
      </span>
      {remedy && !done && (
        <Button variant="ghost" onClick={() => void mend(remedy)}>
          {t(`chat.remedy.${remedy.kind}`, { what: remedy.what })}
        </Button>
      )}
    </li>
  )
}
