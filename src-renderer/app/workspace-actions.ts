/** Opening, trusting and closing folders: the only writer of the workspace view. Rejections carry words for a person. */
import { flushSync } from 'react-dom'
import { BelayError, toFault } from '#contract/error'
import type { RootId } from '#contract/id'
import type { RootKind, WorkspaceInfo } from '#contract/workspace'
import { refreshActivity } from '../client/activity-pump.ts'
import { belay, host, keepOpen, useConnection } from '../client/index.ts'
import { followSettings } from '../client/settings-pump.ts'
import { keepInTab, keptInTab } from '../state/view/in-tab.ts'
import { mainPane, showOver } from '../state/view/main-pane.ts'
import { flushView, leaveView, restoreView, saveViewsWith } from '../state/view/remember.ts'
import { workspaceView } from '../state/view/workspace.ts'
import { windowIsShown } from '../ui/after-start.ts'
import { t } from '../ui/i18n.ts'
import { toast } from '../ui/index.ts'

/** Per tab: a reload comes back to the same folder. */
const TAB_KEY = 'belay.folder'
const HOST_PATIENCE_MS = 1500

/** The folder's view is there before anything of it is shown. */
export async function openFolder(folder: string): Promise<void> {
  workspaceView.setState({ opening: folder })
  const page = mainPane.getState()
  try {
    const workspace = await belay.workspace.open({ folder })
    if (workspaceView.getState().workspace?.workspaceId !== workspace.workspaceId) {
      await flushView()
      const { view } = await belay.workspace.loadView({ workspaceId: workspace.workspaceId })
      leave()
      restoreView(workspace.workspaceId, view)
    }
    workspaceView.setState({ workspace })
    // A page that was opened in the meantime (settings) is what the person wants to see now.
    if (mainPane.getState() === page) showOver(null)
    followSettings(workspace.workspaceId)
    keepFolder(workspace.roots[0]?.absolute ?? folder)
    void refreshActivity()
  } finally {
    workspaceView.setState({ opening: null })
  }
}

/** What is shown of the open workspace goes, and on its way keeps how it stood: after this another view may be restored. */
const leave = (): void => flushSync(() => workspaceView.setState({ workspace: null }))

/** Its folder is at `to` now, with all that belongs to it. Rejects with words. */
export async function foundFolder(folder: string, to: string): Promise<void> {
  await belay.workspace.found({ folder, to })
  await openFolder(to)
}

/** Its sessions stay on disk; nothing leads to them from here any more. */
export async function forgetFolder(folder: string): Promise<void> {
  await belay.workspace.forget({ folder })
  if (workspaceView.getState().workspace?.roots[0]?.absolute === folder) await closeFolder()
}

export interface AddedFolder {
  readonly folder: string
  readonly kind: RootKind
  readonly alias: string | null
  readonly readOnly: boolean
  readonly trust: boolean
}

/** One more folder for the open workspace; answers what it is called there. Rejects with words, `untrusted` before a person said so. */
export async function addFolder(added: AddedFolder): Promise<{ name: string }> {
  const before = mustBeOpen()
  const updated = await belay.workspace.addRoot({ workspaceId: before.workspaceId, ...added })
  show(updated)
  const known = new Set([...before.roots, ...before.mounts].map(({ rootId }) => rootId))
  const root = updated.roots.find(({ rootId }) => !known.has(rootId))
  const mount = updated.mounts.find(({ rootId }) => !known.has(rootId))
  return { name: root?.name ?? (mount ? `@${mount.alias}` : added.folder) }
}

export async function removeRoot(rootId: RootId): Promise<void> {
  show(await belay.workspace.removeRoot({ workspaceId: mustBeOpen().workspaceId, rootId }))
}

export async function setRootReadOnly(rootId: RootId, readOnly: boolean): Promise<void> {
  show(await belay.workspace.setReadOnly({ workspaceId: mustBeOpen().workspaceId, rootId, readOnly }))
}

function mustBeOpen(): WorkspaceInfo {
  const { workspace } = workspaceView.getState()
  if (!workspace) throw new BelayError('not_found', t('app.noFolder'))
  return workspace
}

const show = (updated: WorkspaceInfo): void => {
  if (workspaceView.getState().workspace?.workspaceId === updated.workspaceId)
    workspaceView.setState({ workspace: updated })
}

/** What runs in the workspace goes on; coming back finds it. */
export async function closeFolder(): Promise<void> {
  leave()
  restoreView(null, null)
  showOver(null)
  followSettings(null)
  keepFolder(null)
}

export async function trustFolder(trusted: boolean): Promise<void> {
  const { workspace } = workspaceView.getState()
  if (!workspace) return
  const updated = await belay.workspace.trust({ workspaceId: workspace.workspaceId, trusted })
  workspaceView.setState({ workspace: updated })
  followSettings(updated.workspaceId)
}

/** Call once. Opens what this window was started for, and opens it again in a core that was restarted. */
export function startWorkspaces(report: (folder: string, fault: unknown) => void): void {
  saveViewsWith((workspaceId, view) => belay.workspace.saveView({ workspaceId, view }))
  window.addEventListener('pagehide', leaveView)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void flushView()
  })
  belay.on('workspace/updated', show)
  useConnection.subscribe(({ sidecar }, before) => {
    const folder = workspaceView.getState().workspace?.roots[0]?.absolute
    if (sidecar === 'ready' && before.sidecar !== 'ready' && folder)
      belay.workspace.open({ folder }).then(
        workspace => workspaceView.setState({ workspace }),
        fault => report(folder, fault),
      )
  })
  tellWhenShown()
  void firstFolder().then(folder => {
    if (folder) return patiently(() => openFolder(folder)).catch(fault => report(folder, fault))
    if (workspaceView.getState().opening === '') workspaceView.setState({ opening: null })
  })
  // A host that does not answer must not keep the welcome page away.
  setTimeout(
    () => workspaceView.getState().opening === '' && workspaceView.setState({ opening: null }),
    HOST_PATIENCE_MS,
  )
}

/** A folder, or the welcome page where there is none. */
function tellWhenShown(): void {
  const stop = workspaceView.subscribe(({ workspace, opening }) => {
    if (!workspace && opening !== null) return
    stop()
    // After the frame that paints it.
    requestAnimationFrame(() => setTimeout(windowIsShown))
  })
}

async function firstFolder(): Promise<string | null> {
  const kept = keptInTab(TAB_KEY)
  // Null: it was closed here. A tab that was reloaded before it showed anything keeps nothing yet.
  if (kept !== undefined && !window.belay) return typeof kept === 'string' ? kept : null
  const asked = patiently(() => host.host.initialFolder({})).catch(() => ({ folder: null, gone: null }))
  void asked.then(({ gone }) => gone && toast.error(t(`desktop.gone.${gone}`), { detail: t('desktop.gone.kept') }))
  return typeof kept === 'string' ? kept : (await asked).folder
}

/** A slow machine may need longer to start than a call waits by itself (10 s): what found nobody is asked again. */
async function patiently<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch (fault) {
      if (toFault(fault).code !== 'disconnected') throw fault
    }
  }
}

function keepFolder(folder: string | null): void {
  keepOpen(folder)
  keepInTab(TAB_KEY, folder)
}
