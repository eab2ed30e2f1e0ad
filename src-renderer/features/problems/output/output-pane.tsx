/** What language servers write beside the protocol: one chosen from a list, its end followed while one is at the end. */
import { Copy, RotateCw, ScrollText, Settings2 } from 'lucide-react'
import { type ReactNode, useMemo, useRef } from 'react'
import { toFault } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import type { LanguageServerInfo } from '#contract/language'
import { restartLanguageServer } from '../../../client/language-pump.ts'
import { languageMirror } from '../../../state/mirror/language.ts'
import { rootNameIn, useWorkspace } from '../../../state/view/workspace.ts'
import { localize, useT } from '../../../ui/i18n.ts'
import { Button, EmptyState, IconButton, Select, Spinner, toast } from '../../../ui/index.ts'
import { useStickToEnd } from '../../../ui/stick-to-end.ts'
import { visible, visibleLine } from '../../../ui/visible.ts'
import { useCommand } from '../../commands.ts'
import type { LogShown } from './log-text.ts'
import { useLog } from './use-log.ts'
import { outputView } from './view.ts'
import '../problems.css'

export function OutputPane() {
  const t = useT()
  const run = useCommand()
  const workspace = useWorkspace()
  const servers = languageMirror(state => state.servers)
  const { serverId } = outputView.use()
  const started = servers?.filter(({ root }) => root !== null) ?? []
  const chosen = started.find(({ id }) => id === serverId) ?? started[0]
  if (!workspace || !chosen)
    return (
      <EmptyState icon={ScrollText} title={t('servers.noOutput')} body={t('servers.noOutputBody')}>
        <Button onClick={() => void run('app.languageServers')}>{t('command.app.languageServers')}</Button>
      </EmptyState>
    )
  const where = ({ root }: LanguageServerInfo) =>
    root && [rootNameIn(workspace, root.rootId), root.path].filter(Boolean).join('/')
  const options = started.map(server => ({
    value: server.id,
    label: visibleLine([server.name, where(server)].filter(Boolean).join(' · ')),
  }))
  return (
    <div className="output" data-context="list">
      <Log
        key={chosen.id}
        workspaceId={workspace.workspaceId}
        server={chosen}
        choice={
          <Select
            className="output-choice"
            label={t('servers.whose')}
            value={chosen.id}
            options={options}
            onChange={id => outputView.set({ serverId: id })}
          />
        }
      />
    </div>
  )
}

interface LogProps {
  readonly workspaceId: WorkspaceId
  readonly server: LanguageServerInfo
  readonly choice: ReactNode
}

/** Pixels from the end that still count as being there. */
const SLACK = 24

function Log({ workspaceId, server, choice }: LogProps) {
  const t = useT()
  const run = useCommand()
  const { shown, fault } = useLog(workspaceId, server.id)
  const again = () =>
    restartLanguageServer(workspaceId, server.id).catch(thrown =>
      toast.error(t('problems.notRestarted', { name: server.name }), { detail: toFault(thrown).message }),
    )
  const copyAll = () =>
    void navigator.clipboard.writeText(visible(shown?.text ?? '')).then(() => toast.info(t('ui.copied')))
  return (
    <>
      <div className="output-bar">
        {choice}
        <span className="dim">{t(`servers.state.${server.state}`)}</span>
        <span className="output-acts">
          <IconButton label={t('servers.copyOutput')} icon={Copy} size={14} onClick={copyAll} />
          <IconButton label={t('problems.restart')} icon={RotateCw} size={14} onClick={() => void again()} />
          <IconButton
            label={t('command.app.languageServers')}
            icon={Settings2}
            size={14}
            onClick={() => void run('app.languageServers')}
          />
        </span>
      </div>
      {fault && <div className="ui-field-error output-fault">{localize(fault)}</div>}
      {!shown && !fault && <Spinner label={t('app.loading')} />}
      {shown && <LogText shown={shown} label={t('servers.outputOf', { name: visibleLine(server.name) })} />}
    </>
  )
}

function LogText({ shown, label }: { readonly shown: LogShown; readonly label: string }) {
  const t = useT()
  const scroller = useRef<HTMLDivElement>(null)
  useStickToEnd(scroller, true, SLACK)
  const parts = useMemo(() => partsOf(visible(shown.text)), [shown])
  return (
    <section ref={scroller} className="output-text" tabIndex={0} aria-label={label} data-autofocus="">
      <pre>
        {shown.cut && <span className="output-own">{`${t('servers.outputCut')}\n`}</span>}
        {parts.map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name
          <span key={at} className={part.startsWith(OWN) ? 'output-own' : undefined}>
            {part}
          </span>
        ))}
      </pre>
    </section>
  )
}

const OWN = '[Belay] '
/** Belay's own lines, and what stands between them. */
const partsOf = (text: string): string[] => text.split(/^(?=\[Belay\] )|(?<=^\[Belay\] .*\n)/m).filter(Boolean)
