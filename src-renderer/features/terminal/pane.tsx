/** The pane: what is in front, its neighbours beside it, the list of all on the right, and what stands there before the first. */
import { Plus, SquareTerminal } from 'lucide-react'
import { useEffect } from 'react'
import { useConnection } from '../../client/index.ts'
import { terminalMirror } from '../../state/mirror/terminal.ts'
import { useWorkspace } from '../../state/view/workspace.ts'
import { localize, useT } from '../../ui/i18n.ts'
import { Button, EmptyState, Spinner, Splitter } from '../../ui/index.ts'
import { useCommand } from '../commands.ts'
import { isBackground } from './actions.ts'
import { BackgroundView } from './background-view.tsx'
import { setRunner } from './commands.ts'
import { frontGroup, groupOf } from './layout.ts'
import { TabList } from './tab-list.tsx'
import { TerminalView } from './terminal-view.tsx'
import { startTerminals } from './upkeep.ts'
import { useLiveActions } from './use-live-actions.ts'
import { terminalLayout, terminalView } from './view.ts'
import './terminal.css'

export function TerminalPane() {
  const t = useT()
  const run = useCommand()
  const actions = useLiveActions()
  useEffect(() => {
    setRunner(run)
    startTerminals(actions)
  }, [run, actions])
  const layout = terminalLayout.use()
  const front = frontGroup(layout)
  const many = layout.groups.length > 1 || (front?.tabs.length ?? 0) > 1
  return (
    <div
      className="terminal-pane"
      data-context="terminal"
      data-own-keys="$mod+Shift+C $mod+Shift+V Ctrl+Insert Shift+Insert"
    >
      <div className="terminal-main">
        {front ? (
          <Splitter
            key={front.id}
            label={t('terminal.splitLine')}
            panes={front.tabs.map(tab => ({
              id: tab,
              minSize: 120,
              content: isBackground(tab) ? <BackgroundView tab={tab} /> : <TerminalView tab={tab} />,
            }))}
          />
        ) : (
          <Nothing />
        )}
      </div>
      {front && <TabList layout={layout} active={groupOf(layout, layout.active) ? layout.active : null} wide={many} />}
    </div>
  )
}

/** Says what belongs here, and why nothing is. */
function Nothing() {
  const t = useT()
  const run = useCommand()
  const workspace = useWorkspace()
  const { status, fault } = terminalMirror()
  const pty = useConnection(({ pty }) => pty)
  const opening = terminalView(({ opening }) => opening)
  if (!workspace)
    return <EmptyState icon={SquareTerminal} title={t('terminal.noFolderTitle')} body={t('terminal.noFolder')} />
  if (!workspace.trusted)
    return (
      <EmptyState icon={SquareTerminal} title={t('terminal.untrustedTitle')} body={t('terminal.untrusted')}>
        <Button variant="main" onClick={() => void run('app.trust')}>
          {t('terminal.trust')}
        </Button>
      </EmptyState>
    )
  if (opening > 0) return <Waiting label={t('terminal.starting')} />
  if (pty !== 'ready') return <Waiting label={t('terminal.connecting')} />
  if (status === 'failed')
    return <EmptyState icon={SquareTerminal} title={t('terminal.failed')} body={fault && localize(fault.message)} />
  if (status === 'opening') return <Waiting label={t('terminal.loading')} />
  return (
    <EmptyState icon={SquareTerminal} title={t('terminal.emptyTitle')} body={t('terminal.empty')}>
      <Button variant="main" icon={Plus} keys="$mod+Shift+`" onClick={() => void run('terminal.new')}>
        {t('terminal.new')}
      </Button>
    </EmptyState>
  )
}

const Waiting = ({ label }: { readonly label: string }) => (
  <div className="terminal-waiting">
    <Spinner label={label} />
  </div>
)
