/** Everything that was decided, by a rule, a mode, a person or the jail: filtered, newest first, and new lines as they come. */
import { useWorkspace } from '../../../state/view/workspace.ts'
import { useT } from '../../../ui/i18n.ts'
import { EmptyState, Segmented, Select, Spinner, TextField, VirtualList } from '../../../ui/index.ts'
import { noFilter, type RecordFilter, recordFilter } from './filter.ts'
import { RecordRow } from './record-row.tsx'
import { type NumberedEntry, useRecord } from './use-record.ts'
import '../pages.css'

const kinds = ['all', 'decision', 'answer', 'violation'] as const
const verdicts = ['all', 'allow', 'ask', 'deny', 'skip'] as const
/** Pixels from the end at which older lines are fetched. */
const NEAR_END = 600

export function RecordPage({ query }: { readonly query: string }) {
  const t = useT()
  const filter = recordFilter()
  const workspace = useWorkspace()
  const { shown, fault, older } = useRecord(query)
  const set = (change: Partial<RecordFilter>) => recordFilter.setState(change)
  const filtered = query.trim() !== '' || filter.kind !== 'all' || filter.verdict !== 'all' || filter.tool !== ''
  return (
    <section className="page page-full" aria-label={t('settings.section.record')}>
      <div className="page-head">
        <h2>{t('settings.section.record')}</h2>
        <Segmented
          label={t('record.of')}
          value={workspace ? filter.of : 'all'}
          onChange={of => set({ of })}
          options={(['session', 'folder', 'all'] as const).map(value => ({
            value,
            label: t(`record.of.${value}`),
            disabled: value !== 'all' && !workspace,
          }))}
        />
      </div>
      <div className="page-filters">
        <Select
          label={t('record.kind')}
          value={filter.kind}
          onChange={kind => set({ kind })}
          options={kinds.map(value => ({ value, label: t(`record.kind.${value}`) }))}
        />
        <Select
          label={t('record.verdict')}
          value={filter.verdict}
          onChange={verdict => set({ verdict })}
          options={verdicts.map(value => ({
            value,
            label: value === 'all' ? t('record.verdict.all') : t(`settings.verdict.${value}`),
          }))}
        />
        <TextField
          className="page-short"
          hideLabel
          label={t('record.tool')}
          placeholder={t('record.tool')}
          value={filter.tool}
          onChange={tool => set({ tool })}
        />
      </div>
      {fault && <div className="ui-field-error">{fault}</div>}
      {!shown && !fault && <Spinner label={t('record.reading')} />}
      {shown && shown.entries.length === 0 && (
        <EmptyState title={t(filtered ? 'record.noMatch' : 'record.none')} body={t('record.noneHint')}>
          {filtered && (
            <button type="button" className="ui-button ui-button-plain" onClick={() => set(noFilter)}>
              {t('record.showAll')}
            </button>
          )}
        </EmptyState>
      )}
      {shown && shown.entries.length > 0 && (
        <VirtualList<NumberedEntry>
          className="record"
          role="list"
          rowRole="listitem"
          aria-label={t('record.list')}
          tabIndex={0}
          items={shown.entries}
          keyOf={entry => entry.key}
          rowHeight={50}
          measured
          onScroll={event => {
            const { scrollHeight, scrollTop, clientHeight } = event.currentTarget
            if (scrollHeight - scrollTop - clientHeight < NEAR_END) void older()
          }}
          render={entry => <RecordRow entry={entry} />}
        />
      )}
    </section>
  )
}
