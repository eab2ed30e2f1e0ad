/** The list of branches to compare with. */
import { GitFork, MessageSquare } from 'lucide-react'
import type { SessionSummary } from '#contract/session'
import { sessionListMirror } from '../../../state/mirror/session-list.ts'
import { formatAgo } from '../../../ui/format.ts'
import { useT } from '../../../ui/i18n.ts'
import { type Choice, QuickPick } from '../../../ui/quick-pick.tsx'
import { visibleLine } from '../../../ui/visible.ts'
import { useCommand } from '../../commands.ts'
import { comparing, othersOf } from './pick.ts'

export function ComparePicker() {
  const t = useT()
  const run = useCommand()
  const { a } = comparing()
  const sessions = sessionListMirror(state => state.sessions)
  if (a === null) return null
  const { family, rest } = othersOf(a, sessions)
  const choice = (of: SessionSummary, mark?: string): Choice => ({
    id: of.sessionId,
    label: visibleLine(of.title || of.preview || t('sessions.untitled')),
    note: formatAgo(of.changedAt),
    icon: of.forkedFrom ? GitFork : MessageSquare,
    ...(mark ? { mark } : {}),
    onChoose: () => void run('agent.compareBranches', { a, b: of.sessionId }),
  })
  return (
    <QuickPick
      title={t('command.agent.compareBranches')}
      placeholder={t('sessions.compareWith')}
      choices={[...family.map(each => choice(each, t('sessions.sameTree'))), ...rest.map(each => choice(each))]}
      onClose={() => comparing.setState({ a: null })}
    />
  )
}
