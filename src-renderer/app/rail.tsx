/** The narrow column of views. The one in front is pressed; pressing it again hides the side pane. */
import { Settings } from 'lucide-react'
import { useCommand } from '../features/commands.ts'
import type { Pane } from '../features/feature.ts'
import { useChord } from '../features/settings/keymap.ts'
import { changeLayout, layout } from '../state/view/layout.ts'
import { mainPane } from '../state/view/main-pane.ts'
import { useWorkspace } from '../state/view/workspace.ts'
import { useT } from '../ui/i18n.ts'
import { cx, Tooltip } from '../ui/index.ts'
import { panesAt } from './features.ts'
import { useNarrow } from './narrow.ts'

export function Rail() {
  const t = useT()
  const run = useCommand()
  const workspace = useWorkspace()
  const settingsOn = mainPane(state => state.over === 'settings')
  const settingsChord = useChord('app.settings')
  return (
    <nav className="app-rail" data-part="rail" aria-label={t('app.rail')}>
      {workspace && panesAt('side').map(pane => <RailButton key={pane.id} pane={pane} />)}
      <span className="app-rail-space" />
      <Tooltip label={t('command.app.settings')} keys={settingsChord} side="right">
        <button
          type="button"
          className={cx('app-rail-button', settingsOn && 'app-on')}
          aria-label={t('command.app.settings')}
          aria-pressed={settingsOn}
          onClick={() => void run('app.settings')}
        >
          <Settings size={19} />
        </button>
      </Tooltip>
    </nav>
  )
}

const noBadge = () => null

function RailButton({ pane }: { readonly pane: Pane }) {
  const t = useT()
  const run = useCommand()
  const narrow = useNarrow()
  const on = layout.use(now => now.side && now.sidePane === pane.id && !(narrow && now.agent))
  // A pane's hook is the same in every render, so the order of hooks holds.
  const useBadge = pane.useBadge ?? noBadge
  const badge = useBadge()
  const name = t(pane.title)
  return (
    <Tooltip label={name} side="right">
      <button
        type="button"
        className={cx('app-rail-button', on && 'app-on')}
        aria-label={badge ? `${name}, ${badge.text}` : name}
        aria-pressed={on}
        onClick={() => (on ? changeLayout({ side: false }) : void run('app.showPane', { pane: pane.id }))}
      >
        <pane.icon size={19} />
        {badge && <span className={`app-dot app-dot-${badge.tone}`}>{badge.text}</span>}
      </button>
    </Tooltip>
  )
}
