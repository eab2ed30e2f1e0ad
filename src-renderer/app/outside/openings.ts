/** Shows what this window is asked to show from outside of it: a second start, a link, a notification that was clicked. */
import type { Opening } from '#contract/host'
import type { SessionId } from '#contract/id'
import { host, useConnection } from '../../client/index.ts'
import { type CommandId, commandTable, type RunCommand } from '../../features/commands.ts'
import { sessionMirror, sessionNow } from '../../state/mirror/session.ts'
import { pathIn, workspaceView } from '../../state/view/workspace.ts'
import { t } from '../../ui/i18n.ts'
import { toast } from '../../ui/index.ts'

const PATIENCE_MS = 30_000

/** Call once. They are shown one after the other, when the folder that the window was started for is there. */
export function followOpenings(run: RunCommand): void {
  let work: Promise<void> = Promise.resolve()
  const take = () => {
    work = work
      .then(() => host.host.takeOpenings({}))
      .then(async ({ openings }) => {
        for (const opening of openings) await show(opening, run)
      })
      // Whoever comes back asks again.
      .catch(() => {})
  }
  host.on('host/opened', take)
  useConnection.subscribe(({ host: state }, before) => {
    if (state === 'ready' && before.host !== 'ready') take()
  })
  take()
}

async function show(opening: Opening, run: RunCommand): Promise<void> {
  await folderIsThere()
  switch (opening.kind) {
    case 'folder':
      return run('app.openFolderAt', { folder: opening.absolute })
    case 'file': {
      const { workspace } = workspaceView.getState()
      if (!workspace) {
        toast.error(t('app.openFailed', { folder: opening.absolute }), { detail: t('app.noFolder') })
        return
      }
      const { line, column } = opening
      const place = { ...(line === null ? {} : { line }), ...(column === null ? {} : { column }) }
      return run('editor.open', { path: pathIn(workspace, opening.absolute), ...place })
    }
    case 'session':
      await run('agent.openSession', { sessionId: opening.sessionId })
      await run('app.focusAgent')
      if (opening.toAsk && (await isRead(opening.sessionId))) await run('agent.nextAsk')
      return
    case 'command':
      if (Object.hasOwn(commandTable, opening.command)) await runById(run, opening.command as CommandId)
  }
}

/** The native menu names a command only. */
export const runById = (run: RunCommand, id: CommandId): Promise<void> => (run as (id: CommandId) => Promise<void>)(id)

const folderIsThere = (): Promise<unknown> =>
  settled(workspaceView.subscribe, () => workspaceView.getState().opening === null)
const isRead = (id: SessionId): Promise<boolean> =>
  settled(sessionMirror.subscribe, () => sessionNow(id)?.status === 'ready')

/** When it holds: true; false where it does not in time. */
function settled(subscribe: (listener: () => void) => () => void, holds: () => boolean): Promise<boolean> {
  if (holds()) return Promise.resolve(true)
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer)
      stop()
      resolve(holds())
    }
    const stop = subscribe(() => holds() && done())
    const timer = setTimeout(done, PATIENCE_MS)
  })
}
