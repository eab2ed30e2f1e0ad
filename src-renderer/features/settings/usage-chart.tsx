/** A bar for each day. It is a picture: the same numbers stand in the table beside it. */
import { useT } from '../../ui/i18n.ts'

export interface UsageChartProps {
  readonly label: string
  readonly bars: readonly { readonly day: string; readonly value: number }[]
  readonly format: (value: number) => string
}

export function UsageChart({ label, bars, format }: UsageChartProps) {
  const t = useT()
  const most = Math.max(...bars.map(each => each.value))
  const peak = bars.find(each => each.value === most)
  const first = bars[0]?.day ?? ''
  const last = bars.at(-1)?.day ?? ''
  return (
    <figure className="usage-chart">
      <div
        className="usage-bars"
        role="img"
        aria-label={t('settings.usage.chart', { label, first, last, most: format(most), day: peak?.day ?? '' })}
      >
        {bars.map(({ day, value }) => (
          <div key={day} className="usage-slot" title={`${day}: ${format(value)}`}>
            <div className="usage-bar" style={{ height: `${most > 0 ? (value / most) * 100 : 0}%` }} />
          </div>
        ))}
      </div>
      <figcaption aria-hidden="true">
        <span>{first}</span>
        <span>{t('settings.usage.most', { most: format(most) })}</span>
        <span>{last}</span>
      </figcaption>
    </figure>
  )
}
