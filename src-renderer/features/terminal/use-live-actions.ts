/** What terminals make the window do, with the window's own runner: faults become toasts there. */
import { useMemo } from 'react'
import { toFault } from '#contract/error'
import { workspaceView } from '../../state/view/workspace.ts'
import { t } from '../../ui/i18n.ts'
import { toast } from '../../ui/index.ts'
import { useCommand } from '../commands.ts'
import { closeTerminal, copy, openUrl } from './actions.ts'
import { resolveFile } from './link-provider.ts'
import type { LiveActions } from './live-actions.ts'
import { chosenCommand } from './view.ts'

/** For work that is no command: its failure is told, its success is not. */
export function quietly(work: Promise<unknown>): void {
  work.catch(thrown => toast.error(t('terminal.notDone'), { detail: toFault(thrown).message, id: 'terminal-fault' }))
}

export function useLiveActions(): LiveActions {
  const run = useCommand()
  return useMemo<LiveActions>(
    () => ({
      openPlace: at => void run('editor.open', at),
      copy: text => quietly(copy(text)),
      close: terminalId => quietly(closeTerminal(terminalId)),
      commandChosen: (terminalId, ordinal) => chosenCommand.setState({ terminalId, ordinal }),
      openLink: (url, cwd) => {
        const { workspace } = workspaceView.getState()
        if (!url.startsWith('file://') || !workspace) return quietly(openUrl(url))
        void resolveFile(workspace, url.replace(/^file:\/\/[^/]*/, 'file://'), cwd).then(path => {
          if (path) void run('editor.open', { path })
          else quietly(Promise.reject(new Error(t('terminal.noSuchFile', { url: url.slice(0, 200) }))))
        })
      },
    }),
    [run],
  )
}
