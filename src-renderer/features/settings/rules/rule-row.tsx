/** One rule: its verdict, what it is about, whose it is and where it stands; what has no effect says why. */
import { Trash2, Undo2 } from 'lucide-react'
import { toFault } from '#contract/error'
import type { SessionId, WorkspaceId } from '#contract/id'
import type { RuleLine } from '#contract/permission'
import { belay } from '../../../client/index.ts'
import { sessionNow } from '../../../state/mirror/session.ts'
import { useT } from '../../../ui/i18n.ts'
import { Badge, cx, IconButton, toast } from '../../../ui/index.ts'
import { visible } from '../../../ui/visible.ts'
import { FileLink } from '../file-link.tsx'
import { VerdictBadge } from '../verdict-badge.tsx'

interface RuleRowProps {
  readonly rule: RuleLine
  readonly sessionId: SessionId | null
  readonly workspaceId: WorkspaceId | undefined
  readonly onRemoved: () => void
}

export function RuleRow({ rule, sessionId, workspaceId, onRemoved }: RuleRowProps) {
  const t = useT()
  const { scope, verdict, priority, bound, file, line, inert, text } = rule
  const remove = async () => {
    try {
      if (scope === 'session') await takeBack(sessionId, rule)
      else if (scope === 'user' || scope === 'here')
        await belay.permission.removeRule({ scope, workspaceId, rule: written(rule) })
      toast.ok(t('rules.removed', { rule: text }))
      onRemoved()
    } catch (thrown) {
      toast.error(t('rules.notRemoved'), { detail: toFault(thrown).message })
    }
  }
  const removable = scope === 'session' || scope === 'user' || scope === 'here'
  return (
    <li className={cx('rule', inert !== null && 'rule-inert')}>
      <VerdictBadge verdict={verdict} />
      <div className="rule-text">
        <code title={text}>{visible(bare(rule))}</code>
        <span className="rule-notes">
          <span>{t(`rules.scope.${scope}`)}</span>
          {priority !== 0 && <span>{t('rules.priority', { priority })}</span>}
          {bound && <span>{t('rules.bound', { what: bound.what })}</span>}
          {file && <FileLink file={file} line={line} />}
          {inert !== null && (
            <span>
              <Badge>{t('rules.inert')}</Badge> {inert}
            </span>
          )}
        </span>
      </div>
      {removable && (
        <IconButton
          label={t(scope === 'session' ? 'rules.takeBack' : 'rules.remove', { rule: text })}
          icon={scope === 'session' ? Undo2 : Trash2}
          size={14}
          onClick={() => void remove()}
        />
      )}
    </li>
  )
}

/** Its words without the verdict before them and the scope behind them, which stand beside it. */
const bare = ({ text, verdict, scope }: RuleLine): string =>
  text.replace(new RegExp(`^${verdict} `), '').replace(` [${scope}]`, '')

const written = ({ tool, verdict, pattern, priority, bound }: RuleLine) => ({
  tool,
  verdict,
  pattern,
  priority,
  ...(bound ? { bound } : {}),
})

/** The first that is the same: two equal ones are taken back one by one. */
async function takeBack(sessionId: SessionId | null, rule: RuleLine): Promise<void> {
  const rules = sessionId ? (sessionNow(sessionId)?.state.facts.rules ?? []) : []
  const at = rules.findIndex(
    each =>
      each.tool === rule.tool &&
      each.verdict === rule.verdict &&
      each.pattern === rule.pattern &&
      each.bound?.hash === rule.bound?.hash,
  )
  if (!sessionId || at < 0) return
  await belay.permission.setSessionRules({ sessionId, rules: rules.filter((_, index) => index !== at) })
}
