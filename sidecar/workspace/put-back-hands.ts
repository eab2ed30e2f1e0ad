/** Puts paths of a workspace back as they were earlier, and takes folders away that came since and are empty now. */
import { lstat, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { FileState } from '#contract/ledger'
import { pathKey, type WirePath } from '#contract/path'
import type { Workspace } from './workspace.ts'

/** `since`: ms since 1970. A folder that is older stays, whatever is in it. */
export function putBackHands(
  { paths, documents, touched }: Pick<Workspace, 'paths' | 'documents' | 'touched'>,
  since: number,
) {
  const tidy = async (folder: string, top: string): Promise<void> => {
    if (folder === top || !folder.startsWith(top)) return
    const facts = await lstat(folder).catch(() => null)
    if (!facts?.isDirectory() || facts.birthtimeMs < since) return
    // Refuses a folder that holds anything.
    const gone = await rmdir(folder).then(
      () => true,
      () => false,
    )
    if (gone) await tidy(dirname(folder), top)
  }
  return {
    async putBack(
      path: WirePath,
      expect: FileState | null,
      to: { state: FileState; bytes: Uint8Array } | null,
      text?: string,
    ): Promise<void> {
      const absolute = await paths.toEntry(path)
      if (text !== undefined && documents.dirtyPaths().some(each => pathKey(each) === pathKey(path))) {
        const resolved = await paths.resolve(absolute)
        await documents.agentEdit({ path: resolved, expect: expect?.hash ?? null, make: () => text, writer: 'restore' })
        return touched([absolute])
      }
      const earlier = to && {
        kind: to.state.kind,
        bytes: to.bytes,
        mode: to.state.kind === 'file' ? to.state.mode : null,
      }
      await documents.putBack({ absolute, expect: expect?.hash ?? null, to: earlier })
      if (!to) await tidy(dirname(absolute), paths.rootOf(path).absolute)
      await touched([absolute])
    },
  }
}
