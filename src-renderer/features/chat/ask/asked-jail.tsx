/** What the jail would let a command do, as its policy is now: so that a yes is said to that and to nothing wider. */
import { useCallback } from 'react'
import type { SessionId } from '#contract/id'
import { belay } from '../../../client/index.ts'
import { useFollowed } from '../../../client/use-followed.ts'
import { useSessionFact } from '../../../state/mirror/session.ts'
import { useWorkspace } from '../../../state/view/workspace.ts'
import { useT } from '../../../ui/i18n.ts'
import { visible } from '../../../ui/visible.ts'

/** Folders, and hosts, that are named; the title has all of them. */
const FEW = 2

/** Its place is there before its words are: the buttons under it do not move. */
export function AskedJail({ sessionId }: { readonly sessionId: SessionId }) {
  const t = useT()
  const workspaceId = useWorkspace()?.workspaceId
  const rules = useSessionFact(sessionId, 'rules')
  // biome-ignore lint/correctness/useExhaustiveDependencies: hosts come from the session's rules too
  const open = useCallback(
    async (signal: AbortSignal) =>
      workspaceId === undefined ? null : belay.sandbox.policy({ workspaceId, sessionId }, { signal }),
    [workspaceId, sessionId, rules],
  )
  const { value } = useFollowed(open, 'permission/changed')
  const few = (all: readonly string[]) =>
    all.length <= FEW
      ? all.map(visible).join(', ')
      : t('chat.jailMore', { some: all.slice(0, FEW).map(visible).join(', '), count: all.length - FEW })
  const allowed = value?.hosts.allow ?? []
  const folders = value?.writable.slice(0, -1) ?? []
  return (
    <div className="chat-why chat-jail" title={[...(value?.writable ?? []), ...allowed].map(visible).join('\n')}>
      {value &&
        t(allowed.length === 0 ? 'chat.jailAsksHosts' : 'chat.jailReaches', {
          folders: few(folders.map(nameOf)),
          hosts: few(allowed),
        })}
    </div>
  )
}

const nameOf = (absolute: string): string => absolute.split(/[\\/]/).filter(Boolean).at(-1) ?? absolute
