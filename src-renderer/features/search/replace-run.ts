/** Replacing places of the last search, one, several or all, and taking that back. What was left alone is said with its reason. */
import { toFault } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import { pathKey } from '#contract/path'
import { fillIn, type Replacement } from '#contract/replacement'
import type { ReplaceDone } from '#contract/workspace'
import { settleDocuments } from '../../client/document-pump.ts'
import { belay } from '../../client/index.ts'
import { workspaceView } from '../../state/view/workspace.ts'
import { t } from '../../ui/i18n.ts'
import { toast } from '../../ui/index.ts'
import { without } from './replaced-results.ts'
import { replaceHistory } from './search-history.ts'
import type { Fill } from './search-results.ts'
import { isAnswered, search, searchIdNow } from './search-run.ts'
import { question, searchState } from './search-state.ts'

let writing: AbortController | null = null

/** Ends after the files that are being written. */
export const stopReplacing = (): void => writing?.abort()

export const replacementNow = (): Replacement => {
  const { replacement, regex, preserveCase } = question.get()
  return { template: replacement, regex, preserveCase }
}

/** What stands where the place was. */
export const filled: (rule: Replacement) => Fill = rule => (match, at) => {
  const [from, to] = match.ranges[at] ?? [0, 0]
  return fillIn({ text: match.text.slice(from, to), groups: match.groups?.[at] ?? {} }, rule)
}

/** Without an argument all that is listed. Rejects with words when nothing could be tried. */
export async function replacePlaces(places: readonly number[] = listed()): Promise<void> {
  const { workspace } = workspaceView.getState()
  if (!workspace || writing || places.length === 0) return
  if (!isAnswered()) return void (await search())
  const { workspaceId } = workspace
  const rule = replacementNow()
  replaceHistory.add(rule.template)
  const done = await run(workspaceId, signal =>
    belay.workspace.replace(
      {
        workspaceId,
        searchId: searchIdNow(),
        replacement: rule.template,
        preserveCase: rule.preserveCase,
        places: [...places],
      },
      { signal },
    ),
  )
  if (!done) return
  const left = new Set(done.skipped.map(({ path }) => pathKey(path)))
  const { results, truncated } = searchState.getState()
  const gone = new Set(places)
  for (const file of done.stopped ? results.files : results.files.filter(each => left.has(pathKey(each.path))))
    for (const { first, ranges } of file.matches) for (const at of ranges.keys()) gone.delete(first + at)
  searchState.setState({ results: without(results, gone, filled(rule)), undoId: done.undoId })
  tell(done, truncated)
  if (done.stopped) await search()
}

const listed = (): number[] =>
  searchState
    .getState()
    .results.files.flatMap(file => file.matches.flatMap(({ first, ranges }) => ranges.map((_, at) => first + at)))

/** The last replacement. */
export async function undoReplace(): Promise<void> {
  const { undoId } = searchState.getState()
  const { workspace } = workspaceView.getState()
  if (!undoId || !workspace) return void toast.info(t('search.nothingToUndo'))
  const { workspaceId } = workspace
  searchState.setState({ undoId: null })
  const done = await run(workspaceId, signal => belay.workspace.undoReplace({ workspaceId, undoId }, { signal }))
  if (!done) return
  if (done.files > 0) toast.ok(t('search.undone', { files: t('search.files', { count: done.files }) }))
  tellSkipped(done)
  if (question.get().query !== '') await search()
}

async function run(
  workspaceId: WorkspaceId,
  work: (signal: AbortSignal) => Promise<ReplaceDone>,
): Promise<ReplaceDone | null> {
  const mine = new AbortController()
  writing = mine
  // What was typed a moment ago is part of the text.
  await settleDocuments()
  const stop = belay.on('workspace/replacing', ({ done, files }) => {
    if (files > 1) searchState.setState({ written: { done, files } })
  })
  try {
    return await work(mine.signal)
  } catch (fault) {
    toast.error(t('search.notReplaced'), { detail: toFault(fault).message })
    return null
  } finally {
    stop()
    writing = null
    if (workspaceView.getState().workspace?.workspaceId === workspaceId) searchState.setState({ written: null })
  }
}

function tell(done: ReplaceDone, truncated: boolean): void {
  const words = t(done.stopped ? 'search.replacedSome' : 'search.replaced', {
    places: t('search.places', { count: done.places }),
    files: t('search.files', { count: done.files }),
  })
  if (done.files > 0)
    toast.ok(truncated ? `${words} ${t('search.moreLeft')}` : words, {
      label: t('search.undo'),
      onSelect: () => void undoReplace(),
    })
  tellSkipped(done)
}

function tellSkipped({ skipped }: ReplaceDone): void {
  if (skipped.length === 0) return
  const detail = skipped.map(({ message }) => message).join('\n')
  toast.error(t('search.skipped', { files: t('search.files', { count: skipped.length }) }), { detail })
}
