/** Keeps the mirror of language servers, and what a person may do with them. */
import type { WorkspaceId } from '#contract/id'
import type { LanguageServerSetting } from '#contract/language'
import { languageStore } from '../state/mirror/language-store.ts'
import { settingNow } from '../state/mirror/settings.ts'
import { belay, follow } from './index.ts'
import { saveSetting } from './settings-pump.ts'

/** Asked again at most this often. */
const SETTLE_MS = 100
let lookAgain: (() => void) | null = null

/** Follows a workspace until the returned function is called. */
export function followLanguageServers(workspaceId: WorkspaceId): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null
  const soon = () => {
    timer ??= setTimeout(() => {
      timer = null
      following.reopen()
    }, SETTLE_MS)
  }
  const following = follow({
    open: signal => belay.language.servers({ workspaceId }, { signal }),
    onSnapshot: ({ servers }) => languageStore.setState({ servers, fault: null }),
    onFailed: ({ message }) => languageStore.setState({ fault: message }),
    events: {
      'language/changed': changed => {
        if (changed.workspaceId === workspaceId) soon()
      },
      // They say which servers there are, and which may run.
      'settings/changed': soon,
      'workspace/updated': soon,
    },
  })
  lookAgain = following.reopen
  return () => {
    if (timer) clearTimeout(timer)
    following.dispose()
    lookAgain = null
    languageStore.setState({ servers: null, fault: null })
  }
}

/** Looks at the machine again: something may have been installed meanwhile. */
export const lookAtLanguageServers = (): void => lookAgain?.()

/** Rejects with words. */
export async function restartLanguageServer(workspaceId: WorkspaceId, id: string): Promise<void> {
  await belay.language.restart({ workspaceId, id })
}

/** Null takes the entry away: a server that Belay knows is as it ships again. Rejects with words. */
export async function saveLanguageServer(serverId: string, entry: LanguageServerSetting | null): Promise<void> {
  const { [serverId]: _, ...others } = settingNow('language.servers')
  const servers = entry === null ? others : { ...others, [serverId]: entry }
  const written = Object.entries(servers).map(([id, { enabled, ...rest }]) => [
    id,
    enabled ? rest : { enabled, ...rest },
  ])
  await saveSetting('user', 'language.servers', written.length > 0 ? Object.fromEntries(written) : null)
}
