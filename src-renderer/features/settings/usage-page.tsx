/** What models took and cost: by day as a chart and as the same numbers in a table, then by model and by session. */
import { useEffect, useState } from 'react'
import { toFault } from '#contract/error'
import { readUsage } from '../../client/model-pump.ts'
import { formatCost, formatCount, formatShort } from '../../ui/format.ts'
import { localize, useT } from '../../ui/i18n.ts'
import { EmptyState, Segmented, Spinner } from '../../ui/index.ts'
import { UsageChart } from './usage-chart.tsx'
import { by, days, type Sum, sumOf } from './usage-sums.ts'
import './usage.css'

type Usage = Awaited<ReturnType<typeof readUsage>>
const ranges = ['7', '30', '90', '365'] as const

export function UsagePage() {
  const t = useT()
  const [range, setRange] = useState<(typeof ranges)[number]>('30')
  const [chosen, setChosen] = useState<'cost' | 'tokens' | null>(null)
  /** With the days that it covers: a longer or shorter time is shown when its numbers are there. */
  const [read, setRead] = useState<{ readonly usage: Usage; readonly days: number } | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  // A chart of costs that nobody knows would be empty.
  const shown = chosen ?? (read && read.usage.rows.length > 0 && sumOf(read.usage.rows).cost === 0 ? 'tokens' : 'cost')
  useEffect(() => {
    let current = true
    readUsage(Number(range)).then(
      usage => {
        if (!current) return
        setRead({ usage, days: Number(range) })
        setFault(null)
      },
      thrown => current && setFault(localize(toFault(thrown).message)),
    )
    return () => {
      current = false
    }
  }, [range])
  return (
    <section className="usage" aria-label={t('settings.section.usage')}>
      <div className="usage-head">
        <h2>{t('settings.section.usage')}</h2>
        <Segmented
          label={t('settings.usage.shown')}
          value={shown}
          onChange={setChosen}
          options={[
            { value: 'cost', label: t('settings.usage.cost') },
            { value: 'tokens', label: t('settings.usage.tokens') },
          ]}
        />
        <Segmented
          label={t('settings.usage.range')}
          value={range}
          onChange={setRange}
          options={ranges.map(value => ({ value, label: t('settings.usage.days', { count: Number(value) }) }))}
        />
      </div>
      <p className="dim">{t('settings.usage.about')}</p>
      {fault && (
        <div className="ui-field-error" role="alert">
          {fault}
        </div>
      )}
      {!read && !fault && <Spinner label={t('settings.usage.reading')} />}
      {read?.usage.rows.length === 0 && (
        <EmptyState title={t('settings.usage.nothing')} body={t('settings.usage.nothingHint')} />
      )}
      {read && read.usage.rows.length > 0 && <Numbers usage={read.usage} count={read.days} shown={shown} />}
    </section>
  )
}

interface NumbersProps {
  readonly usage: Usage
  readonly count: number
  readonly shown: 'cost' | 'tokens'
}

function Numbers({ usage, count, shown }: NumbersProps) {
  const t = useT()
  const total = sumOf(usage.rows)
  const byDay = by(usage.rows, row => row.day)
  const titles = new Map(usage.rows.map(({ sessionId, title }) => [sessionId as string, title]))
  return (
    <>
      <p className="usage-total">
        <b>{costOf(total)}</b>{' '}
        {t('settings.usage.total', { tokens: formatCount(total.tokens), turns: formatCount(total.turns) })}
        {total.unpriced > 0 && (
          <span className="usage-unpriced">{t('settings.usage.unpriced', { count: total.unpriced })}</span>
        )}
      </p>
      <UsageChart
        label={t(shown === 'cost' ? 'settings.usage.chartCost' : 'settings.usage.chartTokens')}
        bars={days(usage.today, count).map(day => ({ day, value: byDay.get(day)?.[shown] ?? 0 }))}
        format={shown === 'cost' ? formatCost : formatShort}
      />
      <Table
        title={t('settings.usage.byModel')}
        first={t('settings.usage.model')}
        sums={by(usage.rows, row => row.model)}
      />
      <Table
        title={t('settings.usage.bySession')}
        first={t('settings.usage.session')}
        sums={by(usage.rows, row => row.sessionId)}
        nameOf={id => titles.get(id) || t('settings.usage.untitled')}
      />
      <details>
        <summary>{t('settings.usage.byDay')}</summary>
        <Table first={t('settings.usage.day')} sums={new Map([...byDay].sort(([a], [b]) => (a < b ? 1 : -1)))} />
      </details>
    </>
  )
}

/** What has no known price is never shown as free. */
const costOf = ({ cost, unpriced }: Sum): string =>
  unpriced === 0 ? formatCost(cost) : cost === 0 ? '?' : `${formatCost(cost)} + ?`

interface TableProps {
  readonly title?: string
  readonly first: string
  readonly sums: ReadonlyMap<string, Sum>
  readonly nameOf?: (key: string) => string
}

function Table({ title, first, sums, nameOf = key => key }: TableProps) {
  const t = useT()
  return (
    <table className="usage-table">
      {title && <caption>{title}</caption>}
      <thead>
        <tr>
          <th scope="col">{first}</th>
          <th scope="col">{t('settings.usage.turns')}</th>
          <th scope="col">{t('settings.usage.in')}</th>
          <th scope="col">{t('settings.usage.cached')}</th>
          <th scope="col">{t('settings.usage.out')}</th>
          <th scope="col">{t('settings.usage.cost')}</th>
        </tr>
      </thead>
      <tbody>
        {[...sums].map(([key, sum]) => (
          <tr key={key}>
            <th scope="row">{nameOf(key)}</th>
            <td>{formatCount(sum.turns)}</td>
            <td>{formatShort(sum.input)}</td>
            <td>{formatShort(sum.cacheRead)}</td>
            <td>{formatShort(sum.output)}</td>
            <td title={sum.unpriced > 0 ? t('settings.usage.unpriced', { count: sum.unpriced }) : undefined}>
              {costOf(sum)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
