/** Text in files: the question above, how it stands in words, the places below. */
import { CaseSensitive, CircleStop, Ellipsis, FolderOpen, RefreshCw, Regex, WholeWord } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useWorkspace } from '../../state/view/workspace.ts'
import { type Translate, useT } from '../../ui/i18n.ts'
import { Button, EmptyState, IconButton, Spinner, TextField } from '../../ui/index.ts'
import { useCommand } from '../commands.ts'
import { SearchList } from './search-list.tsx'
import { answer, ask, isAnswered, search, stopSearch } from './search-run.ts'
import { noSearch, type Question, question, type SearchState, searchState } from './search-state.ts'
import './search.css'

export function SearchPane() {
  const t = useT()
  const run = useCommand()
  const workspace = useWorkspace()
  const field = useRef<HTMLInputElement>(null)
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
    <div className="search">
      <div className="search-head">
        <h2>{t('search.title')}</h2>
        {state.running ? (
          <IconButton label={t('search.stop')} icon={CircleStop} onClick={stopSearch} />
        ) : (
          <IconButton label={t('search.again')} icon={RefreshCw} onClick={() => void search()} />
        )}
      </div>
      <div className="search-form">
        <div className="search-query">
          <TextField
            ref={field}
            data-search-field=""
            data-autofocus=""
            label={t('search.query')}
            hideLabel
            placeholder={t('search.query')}
            value={asked.query}
            error={state.fault}
            onChange={query => ask({ query })}
            onKeyDown={event => {
              if (event.nativeEvent.isComposing) return
              if (event.key === 'Enter') void search()
              if (event.key === 'ArrowDown') void enterList(field.current)
              if (event.key === 'Escape' && state.running) stopSearch()
            }}
          />
          <Toggles asked={asked} />
        </div>
        {asked.filters && <Filters asked={asked} />}
      </div>
      <Status state={state} asked={asked} />
      {state.results.files.length > 0 && <SearchList onLeave={() => field.current?.focus()} />}
    </div>
  )
}

/** Into the places; those of other words than the field's are found first. */
async function enterList(field: HTMLElement | null): Promise<void> {
  if (!isAnswered() || searchState.getState().results.files.length === 0) {
    await answer()
    // The list is drawn with the next frame.
    await new Promise(requestAnimationFrame)
    if (document.activeElement !== field) return
  }
  document.querySelector<HTMLElement>('[data-search-list]')?.focus()
}

function Toggles({ asked }: { readonly asked: Question }) {
  const t = useT()
  return (
    <div className="search-toggles">
      <IconButton
        label={t('search.matchCase')}
        icon={CaseSensitive}
        on={asked.matchCase}
        onClick={() => ask({ matchCase: !asked.matchCase })}
      />
      <IconButton
        label={t('search.wholeWord')}
        icon={WholeWord}
        on={asked.wholeWord}
        onClick={() => ask({ wholeWord: !asked.wholeWord })}
      />
      <IconButton
        label={t('search.regex')}
        icon={Regex}
        on={asked.regex}
        onClick={() => ask({ regex: !asked.regex })}
      />
      <IconButton
        label={t('search.filters')}
        icon={Ellipsis}
        on={asked.filters}
        onClick={() => question.set(now => ({ ...now, filters: !now.filters }))}
      />
    </div>
  )
}

function Filters({ asked }: { readonly asked: Question }) {
  const t = useT()
  return (
    <>
      <TextField
        label={t('search.include')}
        placeholder="src, *.ts"
        value={asked.include}
        onChange={include => ask({ include })}
      />
      <TextField
        label={t('search.exclude')}
        placeholder="*.test.ts"
        value={asked.exclude}
        onChange={exclude => ask({ exclude })}
      />
    </>
  )
}

/** Always there, so that a screen reader hears what changes. */
function Status({ state, asked }: { readonly state: SearchState; readonly asked: Question }) {
  const t = useT()
  return (
    <div className="search-status">
      {state.running ? (
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
  return [found(state, t) || t('search.nothing'), end].filter(Boolean).join(' ')
}
