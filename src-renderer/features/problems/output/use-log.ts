/** The log of one server, growing while it is looked at. */
import { useEffect, useState } from 'react'
import type { WorkspaceId } from '#contract/id'
import { belay, follow } from '../../../client/index.ts'
import { grown, type LogShown } from './log-text.ts'

/** Null until it is there. */
export function useLog(workspaceId: WorkspaceId, id: string): { shown: LogShown | null; fault: string | null } {
  const [state, setState] = useState<{ id: string; shown: LogShown | null; fault: string | null }>(nothing(id))
  useEffect(() => {
    let shown: LogShown | null = null
    setState(nothing(id))
    const following = follow({
      open: signal => belay.language.log({ workspaceId, id, from: shown?.end ?? 0 }, { signal }),
      onSnapshot: more => {
        shown = grown(shown, more)
        setState({ id, shown, fault: null })
      },
      onFailed: ({ message }) => setState({ id, shown, fault: message }),
      events: {
        'language/logged': logged => (logged.workspaceId === workspaceId && logged.id === id ? 'reopen' : undefined),
      },
    })
    return () => following.dispose()
  }, [workspaceId, id])
  return state.id === id ? state : nothing(id)
}

const nothing = (id: string) => ({ id, shown: null, fault: null })
