/** How the tests of both branches went the last time that each ran them: the same command in one line. */
import { CircleCheck, CircleX, Minus } from 'lucide-react'
import type { Comparison, TestRun } from '#contract/session-tree'
import { formatAgo, formatDuration } from '../../../ui/format.ts'
import { useT } from '../../../ui/i18n.ts'
import { visibleLine } from '../../../ui/visible.ts'

interface CompareTestsProps {
  readonly tests: Comparison['tests']
  readonly a: string
  readonly b: string
}

export function CompareTests({ tests, a, b }: CompareTestsProps) {
  const t = useT()
  return (
    <table className="compare-tests">
      <caption className="visually-hidden">{t('recover.tests')}</caption>
      <colgroup>
        <col className="compare-first" />
        <col span={2} />
      </colgroup>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{t('recover.tests')}</th>
          <th scope="col">{visibleLine(a)}</th>
          <th scope="col">{visibleLine(b)}</th>
        </tr>
      </thead>
      <tbody>
        {tests.map(test => (
          <tr key={test.command}>
            <th scope="row">
              <code>{visibleLine(test.command)}</code>
            </th>
            <Outcome run={test.a} />
            <Outcome run={test.b} />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const icons = { passed: CircleCheck, failed: CircleX, unknown: Minus }

function Outcome({ run }: { readonly run: TestRun | null }) {
  const t = useT()
  if (!run) return <td className="compare-none">{t('recover.testNotRun')}</td>
  const Icon = icons[run.outcome]
  return (
    <td className={`compare-outcome compare-${run.outcome}`} title={formatAgo(run.at)}>
      <Icon size={13} aria-hidden="true" />
      {t(`recover.test.${run.outcome}`)}
      <span className="compare-dim">
        {run.exitCode !== null && run.exitCode !== 0 && ` ${t('recover.exit', { code: run.exitCode })}`}
        {` ${formatDuration(run.durationMs)}`}
      </span>
    </td>
  )
}
