/** Everything that runs beside React: connection, settings, keys, folders, the window's title. Started once. */
import type { MachineReport } from '#contract/machine'
import { followActivity } from '../client/activity-pump.ts'
import { connectClient, followHost, host, useConnection } from '../client/index.ts'
import { followJail } from '../client/jail-pump.ts'
import { followModels } from '../client/model-pump.ts'
import { followSettings } from '../client/settings-pump.ts'
import { type CommandId, commandTable, type Place } from '../features/commands.ts'
import { bindingsNow } from '../features/settings/keymap.ts'
import { personMoved } from '../state/view/attention.ts'
import { machine } from '../state/view/machine.ts'
import { showOver } from '../state/view/main-pane.ts'
import { addRecentFile } from '../state/view/recent-files.ts'
import { afterStart, whenShown } from '../ui/after-start.ts'
import { t } from '../ui/i18n.ts'
import { preloadMarkdown } from '../ui/index.ts'
import { appView } from './app-view.ts'
import { appCommands } from './commands.ts'
import { features } from './features.ts'
import { followNativeWindow } from './frame/native-window.ts'
import { dispatchKeys } from './keys/dispatch.ts'
import { followNews } from './news/follow-news.ts'
import { takeDrops } from './outside/drop.ts'
import { followOpenings, runById } from './outside/openings.ts'
import { watchParts } from './parts.ts'
import { createRunner, showFault } from './runner.ts'
import { followUpdates } from './updates.ts'
import { startWorkspaces } from './workspace-actions.ts'
import { followZoomSetting } from './zoom.ts'

export const runner = createRunner(features, appCommands)

export function startWindow(): void {
  runner.onRun((id, argument) => {
    personMoved()
    if (id === 'editor.open') addRecentFile((argument as Place).path)
    if (id === 'editor.open' || id === 'editor.diff' || id === 'editor.openPage') showOver(null)
  })
  watchParts()
  dispatchKeys(window, {
    bindings: bindingsNow,
    run: binding => void runById(runner.run, binding.command),
    onPending: pendingKeys => appView.setState({ pendingKeys }),
  })
  connectClient()
  followSettings(null)
  // Looking for models on this machine is not what a window waits for.
  void whenShown().then(followModels)
  void whenShown().then(followJail)
  void whenShown().then(followActivity)
  meetHost()
  void whenShown().then(followMachine)
  void whenShown().then(followUpdates)
  followOpenings(runner.run)
  takeDrops(window, runner.run)
  startWorkspaces((folder, fault) => showFault(t('app.openFailed', { folder }), fault))
  followNativeWindow()
  followZoomSetting()
  void afterStart().then(preloadMarkdown)
}

function meetHost(): void {
  host.on('host/command', ({ command }) => {
    if (Object.hasOwn(commandTable, command)) void runById(runner.run, command as CommandId)
  })
  const ask = () =>
    host.host.capabilities({}).then(
      capabilities => {
        const first = machine.getState().capabilities === null
        machine.setState({ capabilities })
        if (first) void whenShown().then(() => followNews(runner.run))
      },
      () => {},
    )
  void ask()
  useConnection.subscribe(({ host: state }, before) => {
    if (state === 'ready' && before.host !== 'ready' && machine.getState().capabilities === null) void ask()
  })
}

function followMachine(): void {
  const take = (report: MachineReport) => machine.setState({ report })
  followHost({ open: () => host.host.machine({}), onSnapshot: take, events: { 'host/machineChanged': take } })
}
