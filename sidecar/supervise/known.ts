/** What the core knows of folders and sessions, asked by the supervisor before it opens something for somebody else. */
import type { SessionId } from '#contract/id'
import { contract } from '#contract/index'
import { askChild, childIsReady } from './ask-child.ts'
import type { Supervisor } from './supervisor.ts'

export interface Known {
  /** Those that a person opened before. */
  readonly folders: readonly string[]
  /** Of the session that was asked for; null where there is none. */
  readonly folderOfSession: string | null
}

const START_PATIENCE_MS = 20_000

/** Waits for a core that still starts. Null: it does not answer, so nothing is known. Never rejects. */
export async function whatIsKnown(supervisor: Supervisor, sessionId: SessionId | null): Promise<Known | null> {
  await childIsReady(supervisor, 'sidecar', START_PATIENCE_MS)
  return askChild(supervisor, 'sidecar', contract, async sidecar => {
    const [{ folders }, { sessions }] = await Promise.all([
      sidecar.workspace.recent({}),
      sessionId === null ? { sessions: [] } : sidecar.session.list({ branches: true }),
    ])
    const home = sessions.find(each => each.sessionId === sessionId)?.roots[0]
    return {
      folders: folders.map(({ folder }) => folder),
      folderOfSession: folders.find(each => each.home === home)?.folder ?? home ?? null,
    }
  })
}
