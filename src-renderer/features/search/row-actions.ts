/** What can be done with a row of the results: replace it, look past it, see its file as it would be. */

import { baseName } from '#contract/path'
import { belay } from '../../client/index.ts'
import { workspaceView } from '../../state/view/workspace.ts'
import { t } from '../../ui/i18n.ts'
import type { RunCommand } from '../commands.ts'
import { replacementNow, replacePlaces } from './replace-run.ts'
import { without } from './replaced-results.ts'
import { placesIn, type ResultRow } from './search-results.ts'
import { searchIdNow } from './search-run.ts'
import { searchState } from './search-state.ts'

export const replaceRow = (row: ResultRow): Promise<void> => replacePlaces(placesIn(row))

/** Out of the list, and of what Replace all means. */
export function dismiss(row: ResultRow): void {
  searchState.setState(({ results }) => ({ results: without(results, new Set(placesIn(row)), () => null) }))
}

/** All that was found in its file, as a comparison. Rejects with words where the file changed since. */
export async function showReplaced(run: RunCommand, row: ResultRow): Promise<void> {
  const { workspace } = workspaceView.getState()
  if (!workspace) return
  const { path } = row.kind === 'file' ? row.file : row.match
  const { template: replacement, preserveCase } = replacementNow()
  const { workspaceId } = workspace
  const texts = await belay.workspace.previewReplace({
    workspaceId,
    searchId: searchIdNow(),
    replacement,
    preserveCase,
    path,
  })
  await run('editor.diff', { title: t('search.previewTitle', { name: baseName(path.path) }), path, ...texts })
}
