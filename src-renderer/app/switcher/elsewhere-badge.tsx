/** Beside the workspace's name: what goes on in the others and waits for the person. */
import { activityMirror, elsewhere } from '../../state/mirror/activity.ts'
import { useWorkspace } from '../../state/view/workspace.ts'
import { useT } from '../../ui/i18n.ts'
import { Badge, Tooltip } from '../../ui/index.ts'

export function ElsewhereBadge() {
  const t = useT()
  const home = useWorkspace()?.home
  const activity = activityMirror()
  const { working, asking, ended } = elsewhere(activity, home)
  if (working + asking + ended === 0) return null
  const words = [
    ...(asking > 0 ? [t('app.activity.asking', { count: asking })] : []),
    ...(ended > 0 ? [t('app.activity.ended', { count: ended })] : []),
    ...(working > 0 ? [t('app.activity.working', { count: working })] : []),
  ].join(', ')
  const tone = asking > 0 ? 'ask' : ended > 0 ? 'ok' : 'plain'
  return (
    <Tooltip label={t('app.activity.elsewhere', { words })}>
      <span>
        <Badge tone={tone} className="switcher-elsewhere">
          <span aria-hidden="true">{asking || ended || working}</span>
          <span className="visually-hidden">{t('app.activity.elsewhere', { words })}</span>
        </Badge>
      </span>
    </Tooltip>
  )
}
