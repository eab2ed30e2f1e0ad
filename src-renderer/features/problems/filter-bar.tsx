/** Which problems are shown: words they have in them, how grave they are, whether only the file in front counts. */
import { ChevronsDownUp, CircleX, FileText, Info, TriangleAlert } from 'lucide-react'
import type { Ref } from 'react'
import { problemMirror } from '../../state/mirror/problem.ts'
import { formatCount } from '../../ui/format.ts'
import { useT } from '../../ui/i18n.ts'
import { cx, IconButton, type IconType, TextField } from '../../ui/index.ts'
import { type ListedSeverity, severities } from './rows.ts'
import { Starting } from './server-notes.tsx'
import { problemFilter, problemView } from './view.ts'

export const severityIcons: Record<ListedSeverity, IconType> = { error: CircleX, warning: TriangleAlert, info: Info }

interface FilterBarProps {
  readonly field: Ref<HTMLInputElement>
  readonly onDown: () => void
}

export function FilterBar({ field, onDown }: FilterBarProps) {
  const t = useT()
  const { total, files } = problemMirror()
  const filter = problemFilter.use()
  const query = problemView(state => state.query)
  return (
    <div className="problems-bar">
      <TextField
        ref={field}
        className="problems-query"
        type="search"
        label={t('problems.filter')}
        hideLabel
        placeholder={t('problems.filter')}
        value={query}
        onChange={next => problemView.setState({ query: next })}
        onKeyDown={event => {
          if (event.key === 'ArrowDown') onDown()
          else if (event.key === 'Escape' && query !== '') problemView.setState({ query: '' })
          else return
          event.preventDefault()
          event.stopPropagation()
        }}
      />
      <fieldset className="problems-severities">
        <legend className="visually-hidden">{t('problems.severities')}</legend>
        {severities.map(each => {
          const Icon = severityIcons[each]
          const label = t(`problems.count.${each}`, { count: total[each] })
          return (
            <button
              key={each}
              type="button"
              className={cx('problems-severity', `problems-${each}`)}
              aria-pressed={filter[each]}
              aria-label={label}
              title={t(filter[each] ? 'problems.hide' : 'problems.show', { what: t(`problems.many.${each}`) })}
              onClick={() => problemFilter.set(now => ({ ...now, [each]: !now[each] }))}
            >
              <Icon size={13} />
              {formatCount(total[each])}
            </button>
          )
        })}
      </fieldset>
      <IconButton
        label={t('problems.here')}
        icon={FileText}
        size={14}
        on={filter.here}
        onClick={() => problemFilter.set(now => ({ ...now, here: !now.here }))}
      />
      <IconButton
        label={t('problems.collapse')}
        icon={ChevronsDownUp}
        size={14}
        onClick={() => problemView.setState({ closed: new Set(files.keys()) })}
      />
      <Starting />
    </div>
  )
}
