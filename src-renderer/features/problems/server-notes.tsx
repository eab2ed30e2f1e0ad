/** Above the list: servers that failed, whose silence is no good news, and those that are still starting. */
import { CircleAlert } from 'lucide-react'
import { toFault } from '#contract/error'
import type { LanguageServerInfo } from '#contract/language'
import { restartLanguageServer } from '../../client/language-pump.ts'
import { languageMirror } from '../../state/mirror/language.ts'
import { useWorkspace } from '../../state/view/workspace.ts'
import { useT } from '../../ui/i18n.ts'
import { Button, Spinner, toast } from '../../ui/index.ts'
import { visibleLine } from '../../ui/visible.ts'
import { useCommand } from '../commands.ts'

const none: readonly LanguageServerInfo[] = []

export function ServerNotes() {
  const t = useT()
  const servers = languageMirror(state => state.servers) ?? none
  const broken = servers.filter(({ state }) => state === 'broken')
  const starting = servers.filter(({ state }) => state === 'starting')
  return (
    <div role="status" className="problems-notes">
      {broken.map(server => (
        <Broken key={server.id} server={server} />
      ))}
      {starting.length > 0 && (
        <div className="problems-note">
          <Spinner
            label={t('problems.starting', { names: starting.map(({ name }) => visibleLine(name)).join(', ') })}
          />
        </div>
      )}
    </div>
  )
}

function Broken({ server }: { readonly server: LanguageServerInfo }) {
  const t = useT()
  const run = useCommand()
  const workspaceId = useWorkspace()?.workspaceId
  const { id, name, problem } = server
  const again = () => {
    if (workspaceId)
      restartLanguageServer(workspaceId, id).catch(fault =>
        toast.error(t('problems.notRestarted', { name }), { detail: toFault(fault).message }),
      )
  }
  return (
    <div className="problems-note problems-note-broken">
      <CircleAlert size={14} />
      <span className="problems-note-text" title={visibleLine(problem ?? '')}>
        <b>{t('problems.server.broken', { name: visibleLine(name) })}</b> {visibleLine(problem ?? '')}
      </span>
      <Button variant="ghost" onClick={() => void run('output.show', { serverId: id })}>
        {t('problems.output')}
      </Button>
      <Button onClick={again}>{t('problems.restart')}</Button>
    </div>
  )
}
