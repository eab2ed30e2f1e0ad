/** The window: title, rail, panes, status. Painted at once; what needs the core fills in when it answers. */

import { useWorkspace } from '../state/view/workspace.ts'
import { useT } from '../ui/i18n.ts'
import { AsideBanner } from './aside-banner.tsx'
import { BottomPane } from './bottom-pane.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { features, panesAt } from './features.ts'
import { GoneBanner } from './gone-banner.tsx'
import { JailBanner } from './jail-banner.tsx'
import { LayoutPanels } from './layout-panels.tsx'
import { MainPane } from './main-pane.tsx'
import { Overlays } from './overlays.tsx'
import { Fence, PaneFrame } from './pane-frame.tsx'
import { Rail } from './rail.tsx'
import { ShellBanner } from './shell-banner.tsx'
import { SidePane } from './side-pane.tsx'
import { StatusBar } from './status-bar.tsx'
import { TitleBar } from './title-bar.tsx'
import { TrustBanner } from './trust-banner.tsx'
import { UnreadableBanner } from './unreadable-banner.tsx'
import { UpdateNotice } from './update-notice.tsx'

export function Shell() {
  const workspace = useWorkspace()
  return (
    <div className="app-window" key={workspace?.workspaceId ?? ''}>
      <TitleBar />
      <ConnectionBanner />
      <UnreadableBanner />
      <GoneBanner />
      <TrustBanner />
      <JailBanner />
      <AsideBanner />
      <UpdateNotice />
      <ShellBanner />
      <div className="app-middle">
        <Rail />
        <LayoutPanels
          bare={workspace === null}
          side={workspace && <SidePane />}
          main={<MainPane />}
          bottom={workspace && <BottomPane />}
          agent={workspace && <AgentPane />}
        />
      </div>
      <StatusBar />
      <Overlays />
      {features.map(
        feature =>
          feature.overlay && (
            <Fence key={feature.id} name={feature.id} quiet>
              <feature.overlay />
            </Fence>
          ),
      )}
    </div>
  )
}

function AgentPane() {
  const t = useT()
  const pane = panesAt('agent')[0]
  if (!pane) return null
  return (
    <section className="app-agent" data-part="agent" aria-label={t(pane.title)}>
      <PaneFrame pane={pane} />
    </section>
  )
}
