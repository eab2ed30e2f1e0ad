/** App's own commands: the window, its parts and its folders. */
import { BelayError } from '#contract/error'
import { host } from '../client/index.ts'
import { saveSetting } from '../client/settings-pump.ts'
import type { CommandHandlers } from '../features/feature.ts'
import { changeLayout, layout } from '../state/view/layout.ts'
import { machine } from '../state/view/machine.ts'
import { mainPane, showOver } from '../state/view/main-pane.ts'
import { flushView } from '../state/view/remember.ts'
import { pathIn, workspaceView } from '../state/view/workspace.ts'
import { t } from '../ui/i18n.ts'
import { toast } from '../ui/index.ts'
import { appView } from './app-view.ts'
import { panesAt } from './features.ts'
import { showMenu } from './frame/menu-button.tsx'
import { themeNow } from './look.ts'
import { isNarrow } from './narrow.ts'
import { allowNotifications } from './news/browser-news.ts'
import { clearRecentFolders } from './outside/recent-folders.ts'
import { focusNextPart, focusPartWhenShown } from './parts.ts'
import { installShellCommand, removeShellCommand } from './shell-command.ts'
import { checkForUpdates } from './updates.ts'
import { closeFolder, openFolder, removeRoot, setRootReadOnly, trustFolder } from './workspace-actions.ts'
import { zoomBy, zoomReset } from './zoom.ts'

function showPane(id: string): void {
  const place = (['side', 'bottom', 'agent', 'main'] as const).find(at => panesAt(at).some(pane => pane.id === id))
  if (place === 'side') changeLayout({ side: true, sidePane: id, ...(isNarrow() ? { agent: false } : {}) })
  else if (place === 'bottom') changeLayout({ bottom: true, bottomPane: id })
  else if (place === 'agent') changeLayout({ agent: true })
  else if (place === 'main') showOver(id === 'editor' || id === 'welcome' ? null : id)
  if (place) focusPartWhenShown(place)
}

/** A key may come before the host has said what it can do. */
async function hasDialogs(): Promise<boolean> {
  const known = machine.getState().capabilities ?? (await host.host.capabilities({}).catch(() => null))
  return known?.nativeDialogs ?? false
}

/** The person's choice in a dialog of their system; null: none. */
async function pickedFolder(title: string): Promise<string | null> {
  const { folders } = await host.host.pickFolders({ title, from: null, several: false })
  return folders[0] ?? null
}

/** Here, unless another window shows it: that one comes to the front then. */
async function openHere(folder: string): Promise<void> {
  const { focused } = await host.host.focusWindow({ folder }).catch(() => ({ focused: false }))
  if (!focused) await openFolder(folder)
}

export const appCommands: CommandHandlers = {
  'app.palette': () => appView.setState({ palette: '>' }),
  'app.findFile': () => appView.setState({ palette: '' }),
  'app.openFolder': async () => {
    if (!(await hasDialogs())) return appView.setState({ folderDialog: { kind: 'open' } })
    const folder = await pickedFolder(t('app.openFolderTitle'))
    if (folder) await openHere(folder)
  },
  'app.openFile': async (_nothing, run) => {
    const { workspace } = workspaceView.getState()
    if (!workspace) throw new BelayError('not_found', t('app.noFolder'))
    if (!(await hasDialogs())) return run('app.findFile')
    const from = workspace.roots[0]?.absolute ?? null
    const { files } = await host.host.pickFiles({ title: t('command.app.openFile'), from, several: true })
    for (const file of files) await run('editor.open', { path: pathIn(workspace, file) })
  },
  'app.openFolderInNewWindow': async () => {
    if (!(await hasDialogs())) return appView.setState({ folderDialog: { kind: 'window' } })
    const folder = await pickedFolder(t('command.app.openFolderInNewWindow'))
    if (folder) await host.host.newWindow({ folder })
  },
  'app.switchWorkspace': () => appView.setState({ switcher: true }),
  'app.addFolder': () => appView.setState({ folderDialog: { kind: 'add' } }),
  'app.folders': () => appView.setState({ folders: true }),
  'app.removeRoot': async ({ rootId }) => {
    const name = workspaceView.getState().workspace?.roots.find(root => root.rootId === rootId)?.name ?? ''
    await removeRoot(rootId)
    toast.ok(t('app.removedRoot', { name }))
  },
  'app.setReadOnly': ({ rootId, readOnly }) => setRootReadOnly(rootId, readOnly),
  'app.openFolderAt': ({ folder }) => openHere(folder),
  // The desktop's are a matter of settings.
  'app.allowNotifications': () => (window.belay ? toggleOver('notifications') : allowNotifications()),
  'app.clearRecent': clearRecentFolders,
  'app.closeFolder': closeFolder,
  'app.newWindow': async () => void (await host.host.newWindow({ folder: null })),
  'app.closeWindow': async () => {
    await flushView()
    if ((await host.host.closeWindow({})).closed) return
    window.close()
    toast.info(t('app.closeTab'))
  },
  'app.fullScreen': async () => {
    if ((await host.host.toggleFullScreen({})).done) return
    if (document.fullscreenElement) await document.exitFullscreen()
    else await document.documentElement.requestFullscreen()
  },
  'app.menu': showMenu,
  'app.toggleSide': () => {
    const { side, agent } = layout.get()
    const shown = side && !(isNarrow() && agent)
    changeLayout(shown ? { side: false } : { side: true, ...(isNarrow() ? { agent: false } : {}) })
  },
  'app.toggleBottom': () => changeLayout({ bottom: !layout.get().bottom }),
  'app.toggleAgent': () => changeLayout({ agent: !layout.get().agent }),
  'app.swapSides': () => changeLayout({ swapped: !layout.get().swapped }),
  'app.focusAgent': () => {
    changeLayout({ agent: true })
    focusPartWhenShown('agent')
  },
  'app.focusEditor': () => {
    showOver(null)
    focusPartWhenShown('main')
  },
  'app.nextPart': () => focusNextPart(1),
  'app.previousPart': () => focusNextPart(-1),
  'app.showPane': ({ pane }) => showPane(pane),
  'app.trust': () => {
    const { workspace } = workspaceView.getState()
    if (workspace?.trusted) toast.info(t('app.trusted', { name: workspace.name }))
    else if (workspace) appView.setState({ trustQuestion: true })
  },
  'app.untrust': async () => {
    const { workspace } = workspaceView.getState()
    if (!workspace) return
    await trustFolder(false)
    toast.info(t('app.untrustedNow', { name: workspace.name }))
  },
  'app.theme': ({ theme }) => saveSetting('user', 'appearance.theme', theme),
  'app.nextTheme': () => {
    const names = ['dark', 'light', 'contrast', 'contrast-light'] as const
    return saveSetting('user', 'appearance.theme', names[(names.indexOf(themeNow()) + 1) % names.length])
  },
  'app.settings': () => toggleOver(null),
  'app.settingsJson': () => toggleOver('json'),
  'app.keymap': () => toggleOver('keys'),
  'app.agents': () => toggleOver('agents'),
  'app.memory': () => toggleOver('memory'),
  'app.rules': () => toggleOver('rules'),
  'app.record': () => toggleOver('record'),
  'app.jail': () => toggleOver('jail'),
  'app.languageServers': () => toggleOver('languages'),
  'app.zoomIn': () => zoomBy(10),
  'app.zoomOut': () => zoomBy(-10),
  'app.zoomReset': zoomReset,
  'app.about': () => appView.setState({ about: true }),
  'app.checkUpdates': checkForUpdates,
  'app.installShellCommand': installShellCommand,
  'app.removeShellCommand': removeShellCommand,
  'app.reload': async () => {
    await flushView()
    window.location.reload()
  },
  'app.restartCore': async () => void (await host.host.restart({ child: 'sidecar' })),
  'app.coreLog': () => appView.setState({ childLog: 'sidecar' }),
  'app.terminalsLog': () => appView.setState({ childLog: 'pty-host' }),
  'app.restartTerminals': async () => void (await host.host.restart({ child: 'pty-host' })),
}

/** The settings page stands over the editor; the same key brings the editor back. */
function toggleOver(section: string | null): void {
  const { over, section: shown } = mainPane.getState()
  if (over === 'settings' && shown === section) showOver(null)
  else showOver('settings', section)
  focusPartWhenShown('main')
}
