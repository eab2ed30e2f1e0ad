/** The question: what is looked for, what stands in its place, how exactly, and in which files. */
import {
  BookOpen,
  CaseSensitive,
  CaseUpper,
  ChevronDown,
  ChevronRight,
  Ellipsis,
  Regex,
  ReplaceAll,
  WholeWord,
} from 'lucide-react'
import type { Ref } from 'react'
import { localize, useT } from '../../ui/i18n.ts'
import { IconButton, TextField } from '../../ui/index.ts'
import { useCommand } from '../commands.ts'
import { LinesField } from './lines-field.tsx'
import { queryHistory, replaceHistory } from './search-history.ts'
import { ask, search, stopSearch } from './search-run.ts'
import { type Question, question, searchState } from './search-state.ts'

export interface SearchFormProps {
  readonly field: Ref<HTMLTextAreaElement>
  readonly onDown: () => void
}

export function SearchForm({ field, onDown }: SearchFormProps) {
  const t = useT()
  const asked = question.use()
  const { fault, running } = searchState()
  return (
    <div className="search-form">
      <div className="search-query">
        <IconButton
          className="search-twist"
          label={t('search.replacing')}
          icon={asked.replacing ? ChevronDown : ChevronRight}
          size={14}
          aria-expanded={asked.replacing}
          onClick={() => ask({ replacing: !asked.replacing })}
        />
        <LinesField
          ref={field}
          className="search-field"
          label={t('search.query')}
          value={asked.query}
          history={queryHistory}
          error={fault && localize(fault)}
          onChange={query => ask({ query })}
          onEnter={() => void search()}
          onDown={onDown}
          onEscape={running ? stopSearch : undefined}
        />
        {asked.replacing && (
          <LinesField
            label={t('search.replacement')}
            value={asked.replacement}
            history={replaceHistory}
            onChange={replacement => question.set({ replacement })}
            onEnter={() => void search()}
            onDown={onDown}
          />
        )}
        <Toggles asked={asked} />
      </div>
      {asked.filters && <Filters asked={asked} />}
    </div>
  )
}

function ReplaceActions({ asked }: { readonly asked: Question }) {
  const t = useT()
  const run = useCommand()
  const { running, written, results } = searchState()
  return (
    <>
      <IconButton
        label={t('search.preserveCase')}
        icon={CaseUpper}
        on={asked.preserveCase}
        onClick={() => question.set({ preserveCase: !asked.preserveCase })}
      />
      <IconButton
        label={t('command.search.replaceAll')}
        keys="$mod+Alt+Enter"
        icon={ReplaceAll}
        disabled={running || written !== null || results.places === 0}
        onClick={() => void run('search.replaceAll')}
      />
    </>
  )
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
      {asked.replacing && <ReplaceActions asked={asked} />}
      <IconButton
        className="search-end"
        label={t('search.openOnly')}
        icon={BookOpen}
        size={15}
        on={asked.openOnly}
        onClick={() => ask({ openOnly: !asked.openOnly })}
      />
      <IconButton
        label={t('search.filters')}
        icon={Ellipsis}
        on={asked.filters}
        onClick={() => question.set({ filters: !asked.filters })}
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
        onKeyDown={event => event.key === 'Enter' && !event.nativeEvent.isComposing && void search()}
      />
      <TextField
        label={t('search.exclude')}
        placeholder="*.test.ts"
        value={asked.exclude}
        onChange={exclude => ask({ exclude })}
        onKeyDown={event => event.key === 'Enter' && !event.nativeEvent.isComposing && void search()}
      />
    </>
  )
}
