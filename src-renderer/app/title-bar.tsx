/** The top line: which folder, the way to find things, and what is shown. */
import { ChevronDown, GitBranch, PanelBottom, PanelLeft, PanelRight, Search } from 'lucide-react'
import type { CommandId } from '../features/commands.ts'
import { useCommand } from '../features/commands.ts'
import { useChord } from '../features/settings/keymap.ts'
import { useGitStatus } from '../state/mirror/git.ts'
import { layout } from '../state/view/layout.ts'
import { useWorkspace } from '../state/view/workspace.ts'
import { useT } from '../ui/i18n.ts'
import { IconButton, type IconType, Kbd, Mark } from '../ui/index.ts'
import { visible } from '../ui/visible.ts'
import { MenuButton } from './frame/menu-button.tsx'
import { useNarrow } from './narrow.ts'
import { ElsewhereBadge } from './switcher/elsewhere-badge.tsx'
import { WorkspaceMenu } from './workspace-menu.tsx'
import './title-bar.css'

export function TitleBar() {
  const t = useT()
  const run = useCommand()
  const workspace = useWorkspace()
  const findChord = useChord(workspace ? 'app.findFile' : 'app.palette')
  return (
    <header className="app-title" data-part="title">
      <div className="app-title-left">
        <MenuButton />
        <Mark className="app-mark" />
        <h1 className="visually-hidden">{workspace ? `${workspace.name} — Belay` : 'Belay'}</h1>
        <WorkspaceMenu>
          <button type="button" className="app-crumb">
            <b>{workspace?.name ?? t('app.noFolder')}</b>
            <ChevronDown size={13} />
          </button>
        </WorkspaceMenu>
        <ElsewhereBadge />
        <Branch />
      </div>
      <button type="button" className="app-seek" onClick={() => void run(workspace ? 'app.findFile' : 'app.palette')}>
        <Search size={13} />
        <span className="app-seek-text">{t(workspace ? 'app.seek' : 'app.seekCommands')}</span>
        {findChord && <Kbd chord={findChord} />}
      </button>
      <div className="app-toggles">{workspace && <LayoutToggles />}</div>
    </header>
  )
}

function Branch() {
  const t = useT()
  const run = useCommand()
  const workspace = useWorkspace()
  const branch = useGitStatus(workspace?.roots[0]?.rootId)?.branch
  if (!branch) return null
  return (
    <button
      type="button"
      className="app-crumb app-branch"
      title={t('command.git.branches')}
      onClick={() => void run('git.branches')}
    >
      <GitBranch size={13} />
      <span>{visible(branch)}</span>
      <ChevronDown size={13} />
    </button>
  )
}

function LayoutToggles() {
  const { side, bottom, agent, swapped } = layout.use()
  const narrow = useNarrow()
  const sideToggle = { command: 'app.toggleSide', on: side && !(narrow && agent) } as const
  const agentToggle = { command: 'app.toggleAgent', on: agent } as const
  return (
    <>
      <Toggle icon={PanelLeft} {...(swapped ? agentToggle : sideToggle)} />
      <Toggle icon={PanelBottom} command="app.toggleBottom" on={bottom} />
      <Toggle icon={PanelRight} {...(swapped ? sideToggle : agentToggle)} />
    </>
  )
}

interface ToggleProps {
  readonly command: CommandId & ('app.toggleSide' | 'app.toggleBottom' | 'app.toggleAgent')
  readonly icon: IconType
  readonly on: boolean
}

function Toggle({ command, icon, on }: ToggleProps) {
  const t = useT()
  const run = useCommand()
  return (
    <IconButton
      label={t(`command.${command}`)}
      keys={useChord(command)}
      icon={icon}
      on={on}
      onClick={() => void run(command)}
    />
  )
}
