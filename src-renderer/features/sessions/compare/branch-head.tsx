/** One of two branches: its name, how far it went, what it took and what it changed. */
import type { ComparedBranch } from '#contract/session-tree'
import { formatCost, formatShort } from '../../../ui/format.ts'
import { useT } from '../../../ui/i18n.ts'
import { visibleLine } from '../../../ui/visible.ts'
import { useCommand } from '../../commands.ts'

export function BranchHead({ branch }: { readonly branch: ComparedBranch }) {
  const t = useT()
  const run = useCommand()
  const { sessionId, title, turns, usage, cost, changed, folder } = branch
  const tokens = usage.input + usage.output + usage.cacheRead + usage.cacheWrite
  return (
    <section className="compare-head" aria-label={title}>
      <button
        type="button"
        className="compare-title"
        title={folder}
        onClick={() => void run('agent.openSession', { sessionId })}
      >
        {visibleLine(title) || t('sessions.untitled')}
      </button>
      <span className="compare-facts">
        <span>{t('recover.turns', { count: turns })}</span>
        {tokens > 0 && <span>{t('recover.tokens', { count: formatShort(tokens) })}</span>}
        {cost !== null && cost > 0 && <span>{formatCost(cost)}</span>}
        <span>{t('sessions.changed', { count: changed.files })}</span>
        <span className="compare-lines">
          {changed.added > 0 && <span className="sessions-plus">+{changed.added}</span>}
          {changed.removed > 0 && <span className="sessions-minus">−{changed.removed}</span>}
        </span>
      </span>
    </section>
  )
}
