/** One search at a time: a new one, or Stop, ends the one before. What was found until then stays. */
import { toFault } from '#contract/error'
import type { SearchMatch } from '#contract/workspace'
import { belay } from '../../client/index.ts'
import { openPaths } from '../../state/view/editor.ts'
import { workspaceView } from '../../state/view/workspace.ts'
import { inOrder, withMatches } from './search-results.ts'
import { noSearch, type Question, question, searchState } from './search-state.ts'

const AFTER_TYPING_MS = 300
const MOST_MATCHES = 5000
let running: AbortController | null = null
let timer: ReturnType<typeof setTimeout> | undefined
let count = 0
let underWay: Promise<void> = Promise.resolve()

export function stopSearch(): void {
  clearTimeout(timer)
  running?.abort()
  running = null
}

/** Changes the question; what it finds is asked for after a moment without typing. */
export function ask(change: Partial<Question>): void {
  question.set(change)
  clearTimeout(timer)
  timer = setTimeout(() => void search(), AFTER_TYPING_MS)
}

/** Of the search whose results are shown. */
export const searchIdNow = (): string => `search-${count}`

/** Whether what was found, or is being found, answers the question as it stands. */
export function isAnswered(): boolean {
  const { answered } = searchState.getState()
  const asked = question.get()
  const facts = ['query', 'matchCase', 'wholeWord', 'regex', 'include', 'exclude', 'openOnly'] as const
  if (answered === null || (asked.replacing && !answered.replacing)) return false
  return facts.every(fact => answered[fact] === asked[fact])
}

/** Resolves when the search has ended, however it ended; the state then says how. */
export function search(): Promise<void> {
  underWay = run()
  return underWay
}

/** The same for the question as it stands: what is being found already is waited for. */
export const answer = (): Promise<void> => (isAnswered() ? underWay : search())

async function run(): Promise<void> {
  stopSearch()
  const asked = question.get()
  const { workspace } = workspaceView.getState()
  if (!workspace || asked.query === '') {
    searchState.setState(({ undoId }) => ({ ...noSearch, undoId }))
    return
  }
  const mine = new AbortController()
  running = mine
  count += 1
  const searchId = searchIdNow()
  searchState.setState(({ undoId }) => ({ ...noSearch, undoId, running: true, answered: asked }))
  const gathering = gather(mine.signal)
  const stopListening = belay.on('workspace/searched', found => {
    if (found.searchId === searchId) gathering.add(found.matches)
  })
  try {
    const { query, matchCase, wholeWord, regex, include, exclude, openOnly, replacing } = asked
    const { truncated } = await belay.workspace.search(
      {
        workspaceId: workspace.workspaceId,
        searchId,
        query,
        matchCase,
        wholeWord,
        regex,
        include,
        exclude,
        only: openOnly ? openPaths().filter(path => 'path' in path) : undefined,
        replacing,
        limit: MOST_MATCHES,
      },
      { signal: mine.signal },
    )
    gathering.flush()
    if (running === mine)
      searchState.setState(state => ({
        truncated,
        results: state.focus === null ? inOrder(state.results) : state.results,
      }))
  } catch (thrown) {
    const { code, message } = toFault(thrown)
    gathering.flush()
    if (code !== 'cancelled' && running === mine) searchState.setState({ fault: message })
  } finally {
    stopListening()
    if (running === mine || running === null) {
      searchState.setState({ running: false, stopped: mine.signal.aborted })
      running = null
    }
  }
}

/** Batches of one frame are one change of the page. */
function gather(signal: AbortSignal) {
  let waiting: SearchMatch[] = []
  let frame: number | null = null
  const flush = () => {
    if (frame !== null) cancelAnimationFrame(frame)
    frame = null
    const matches = waiting
    waiting = []
    if (matches.length > 0 && !signal.aborted)
      searchState.setState(state => {
        const results = withMatches(state.results, matches)
        return { results, places: results.places }
      })
  }
  return {
    flush,
    add(matches: readonly SearchMatch[]) {
      waiting.push(...matches)
      frame ??= requestAnimationFrame(flush)
    },
  }
}
