/** Makes the lists of folders of late empty, Belay's own and the system's. What belongs to a folder comes back with it. */
import { refreshActivity } from '../../client/activity-pump.ts'
import { belay, host } from '../../client/index.ts'
import { workspaceView } from '../../state/view/workspace.ts'
import { t } from '../../ui/i18n.ts'
import { toast } from '../../ui/index.ts'

/** The folder that is open stays. Rejects with words. */
export async function clearRecentFolders(): Promise<void> {
  const home = workspaceView.getState().workspace?.home
  const { folders } = await belay.workspace.recent({})
  const gone = folders.filter(each => each.home !== home)
  for (const { folder } of gone) await belay.workspace.forget({ folder })
  await host.host.clearRecent({})
  await refreshActivity()
  if (gone.length > 0) toast.ok(t('app.recentCleared', { count: gone.length }))
  else toast.info(t('app.recentNone'))
}
