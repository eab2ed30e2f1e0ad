/** What goes on in a workspace, in few signs: each has words for those who hear them, and for the pointer. */
import { SquareTerminal } from 'lucide-react'
import type { WorkspaceActivity } from '../../state/mirror/activity.ts'
import { useT } from '../../ui/i18n.ts'
import { Badge } from '../../ui/index.ts'
import './switcher.css'

export function ActivityMarks({ working, asking, ended, terminals }: WorkspaceActivity) {
  const t = useT()
  return (
    <span className="switcher-marks">
      {asking > 0 && <Badge tone="ask">{t('app.activity.asking', { count: asking })}</Badge>}
      {working > 0 && <Badge tone="accent">{t('app.activity.working', { count: working })}</Badge>}
      {ended > 0 && <Badge tone="ok">{t('app.activity.ended', { count: ended })}</Badge>}
      {terminals > 0 && (
        <span className="switcher-terminals" title={t('app.activity.terminals', { count: terminals })}>
          <SquareTerminal size={13} aria-hidden="true" />
          <span aria-hidden="true">{terminals}</span>
          <span className="visually-hidden">{t('app.activity.terminals', { count: terminals })}</span>
        </span>
      )}
    </span>
  )
}
