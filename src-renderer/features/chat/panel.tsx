/** The agent panel: head, conversation, what waits, and the field. */
import { useEffect } from 'react'
import { belay } from '../../client/index.ts'
import { followSessionList } from '../../client/session-list-pump.ts'
import { showSession } from '../../client/session-pump.ts'
import { useSessionFact, useSessionStatus } from '../../state/mirror/session.ts'
import { currentSession, useSessionId } from '../../state/view/session.ts'
import { useWorkspace } from '../../state/view/workspace.ts'
import { Announcer } from './announcer.tsx'
import { BackgroundChips } from './background-chips.tsx'
import { Beginning } from './beginning.tsx'
import { BypassBanner } from './bypass-banner.tsx'
import { Composer } from './composer.tsx'
import { Header } from './header.tsx'
import { MendedBanner } from './mended-banner.tsx'
import { QueueDock } from './queue-dock.tsx'
import { SubagentPanel } from './subagent-panel.tsx'
import { useLooked } from './subagent-view.ts'
import { TodoList } from './todo-list.tsx'
import { Transcript } from './transcript.tsx'
import './chat.css'
import './recover/ways.css'
import './card.css'
import './card-lines.css'
import './compose.css'
import './queue.css'

export function ChatPanel() {
  const id = useSessionId()
  const workspace = useWorkspace()
  const status = useSessionStatus(id)
  const running = useSessionFact(id, 'running')
  const looked = useLooked()
  useEffect(() => (id ? showSession(id) : undefined), [id])
  const { workspaceId, home } = workspace ?? {}
  useEffect(() => {
    if (workspaceId && home !== undefined) return followSessionList(workspaceId, home)
  }, [workspaceId, home])
  useEffect(() => {
    // The remembered session was deleted elsewhere: begin a new one rather than show an error for ever.
    if (status?.status === 'failed' && status.fault?.code === 'not_found') currentSession.set(null)
  }, [status?.status, status?.fault])
  useEffect(() => {
    if (id && running === null && status?.status === 'ready') void belay.session.seen({ sessionId: id }).catch(() => {})
  }, [id, running, status?.status])
  if (id && looked) return <SubagentPanel looked={looked} parentId={id} />
  return (
    <div className="chat-panel" data-context="chat">
      <Header />
      <BypassBanner />
      {id && <MendedBanner key={id} sessionId={id} />}
      {id ? <Transcript key={id} sessionId={id} /> : <Beginning />}
      <div className="chat-docks">
        {id && <TodoList sessionId={id} />}
        <BackgroundChips />
        {id && <QueueDock sessionId={id} />}
      </div>
      <Composer />
      {id && <Announcer sessionId={id} />}
    </div>
  )
}
