/** Text in files: the question above, how it stands in words, the places below. */
import { CircleStop, FolderOpen, RefreshCw } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useWorkspace } from '../../state/view/workspace.ts'
import { type Translate, useT } from '../../ui/i18n.ts'
import { Button, EmptyState, IconButton, PaneHead, Spinner } from '../../ui/index.ts'
import { useCommand } from '../commands.ts'
import { stopReplacing } from './replace-run.ts'
import { SearchForm } from './search-form.tsx'
import { queryHistory } from './search-history.ts'
import { SearchList } from './search-list.tsx'
import { answer, isAnswered, search, stopSearch } from './search-run.ts'
import { noSearch, type Question, question, type SearchState, searchState } from './search-state.ts'
import './search.css'

export function SearchPane() {
  const t = useT()
  const run = useCommand()
  const workspace = useWorkspace()
  const field = useRef<HTMLTextAreaElement>(null)
  const state = searchState()
  const asked = question.use()
  const workspaceId = workspace?.workspaceId
  // biome-ignore lint/correctness/useExhaustiveDependencies: another folder's results are no answer here
  useEffect(() => {
    stopSearch()
    searchState.setState(noSearch)
  }, [workspaceId])
  if (!workspace)
    return (
      <div className="search">
        <EmptyState icon={FolderOpen} title={t('search.noFolder')} body={t('search.noFolderHow')}>
          <Button variant="main" onClick={() => void run('app.openFolder')}>
            {t('command.app.openFolder')}
          </Button>
        </EmptyState>
      </div>
    )
  return (
    <div className="search" data-context="search">
      <PaneHead title={t('search.title')}>
        {state.running ? (
          <IconButton label={t('search.stop')} icon={CircleStop} onClick={stopSearch} />
        ) : (
          <IconButton label={t('search.again')} icon={RefreshCw} onClick={() => void search()} />
        )}
      </PaneHead>
      <SearchForm field={field} onDown={() => void enterList()} />
      <Status state={state} asked={asked} />
      {state.results.files.length > 0 && <SearchList onLeave={() => field.current?.focus()} />}
    </div>
  )
}

/** Into the places; those of other words than the field's are found first. */
async function enterList(): Promise<void> {
  const field = document.activeElement
  queryHistory.add(question.get().query)
  if (!isAnswered() || searchState.getState().results.files.length === 0) {
    await answer()
    // The list is drawn with the next frame.
    await new Promise(requestAnimationFrame)
    if (document.activeElement !== field) return
  }
  document.querySelector<HTMLElement>('[data-search-list]')?.focus()
}

/** Always there, so that a screen reader hears what changes. */
function Status({ state, asked }: { readonly state: SearchState; readonly asked: Question }) {
  const t = useT()
  const { written } = state
  return (
    <div className="search-status">
      {written ? (
        <>
          <Spinner
            label={t('search.writing', { done: written.done, files: t('search.files', { count: written.files }) })}
          />
          <Button variant="ghost" onClick={stopReplacing}>
            {t('search.stopWriting')}
          </Button>
        </>
      ) : state.running ? (
        <Spinner label={`${t('search.running')} ${found(state, t)}`} />
      ) : (
        <output>{words(state, asked, t)}</output>
      )}
    </div>
  )
}

const found = ({ results }: SearchState, t: Translate): string =>
  results.places === 0
    ? ''
    : t('search.found', {
        places: t('search.places', { count: results.places }),
        files: t('search.files', { count: results.files.length }),
      })

function words(state: SearchState, asked: Question, t: Translate): string {
  if (state.fault) return ''
  if (!state.answered) return t(asked.query === '' ? 'search.hint' : 'search.pressEnter')
  const end = state.truncated ? t('search.truncated') : state.stopped ? t('search.stopped') : ''
  const nothing = t(asked.openOnly ? 'search.nothingOpen' : 'search.nothing')
  return [found(state, t) || (state.places > 0 ? t('search.noneLeft') : nothing), end].filter(Boolean).join(' ')
}
