/** Servers that failed, whose silence is no good news, and those that are still starting. */
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
  const broken = (languageMirror(state => state.servers) ?? none).filter(({ state }) => state === 'broken')
  return (
    <div role="status" className="problems-notes">
      {broken.map(server => (
        <Broken key={server.id} server={server} />
      ))}
    </div>
  )
}

/** Stands in a bar that is there anyway, so that nothing moves when it comes and goes. */
export function Starting() {
  const t = useT()
  const starting = (languageMirror(state => state.servers) ?? none).filter(({ state }) => state === 'starting')
  if (starting.length === 0) return null
  return <Spinner label={t('problems.starting', { names: starting.map(({ name }) => visibleLine(name)).join(', ') })} />
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
