/** The log of one server, growing while it is looked at. */
import { useEffect, useState } from 'react'
import type { WorkspaceId } from '#contract/id'
import { belay, follow } from '../../../client/index.ts'

/** Shown at most; older lines go. */
const MOST_CHARS = 200_000

export interface LogShown {
  readonly text: string
  /** Place behind the last character, of all that was ever written. */
  readonly end: number
  /** Lines went, or were never seen. */
  readonly cut: boolean
}

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

export function grown(before: LogShown | null, more: { readonly from: number; readonly text: string }): LogShown {
  const goesOn = before !== null && more.from === before.end
  const text = goesOn ? before.text + more.text : more.text
  return {
    text: text.slice(-MOST_CHARS),
    end: more.from + more.text.length,
    cut: (goesOn ? before.cut : more.from > 0) || text.length > MOST_CHARS,
  }
}
