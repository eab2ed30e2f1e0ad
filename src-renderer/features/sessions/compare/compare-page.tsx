/** Two branches side by side: what each took and changed, how their tests went, and the files in which they differ. */
import { useMemo, useState } from 'react'
import type { Comparison } from '#contract/session-tree'
import { localize, useT } from '../../../ui/i18n.ts'
import { Button, EmptyState, Spinner } from '../../../ui/index.ts'
import type { PageProps } from '../../feature.ts'
import { CompareArgument } from './argument.ts'
import { BranchHead } from './branch-head.tsx'
import { CompareFile } from './compare-file.tsx'
import { CompareFiles, fileKey } from './compare-files.tsx'
import { CompareTests } from './compare-tests.tsx'
import { useComparison } from './use-comparison.ts'
import './compare.css'

export const ComparePage = (props: PageProps) => (
  <div className="compare-frame">
    <Compared {...props} />
  </div>
)

function Compared({ argument: given }: PageProps) {
  const t = useT()
  const pair = useMemo(() => CompareArgument.parse(given), [given])
  const { comparison, fault, again } = useComparison(pair)
  const [chosen, setChosen] = useState<string | null>(null)
  if (!comparison)
    return (
      <div className="compare-wait">
        {fault ? (
          <EmptyState title={t('recover.compareFailed')} body={localize(fault.message)}>
            <Button onClick={again}>{t('recover.compareAgain')}</Button>
          </EmptyState>
        ) : (
          <Spinner label={t('recover.comparing')} />
        )}
      </div>
    )
  const { a, b, ancestor, tests, more } = comparison
  const files = differing(comparison)
  const file = files.find(each => fileKey(each) === chosen) ?? files[0] ?? null
  return (
    <div className="compare-page">
      <header className="compare-heads">
        <Button onClick={again}>{t('recover.compareAgain')}</Button>
        <BranchHead branch={a} />
        <BranchHead branch={b} />
      </header>
      {ancestor === null && <p className="compare-note">{t('recover.compareStrangers')}</p>}
      {tests.length > 0 && <CompareTests tests={tests} a={a.title} b={b.title} />}
      {file ? (
        <div className="compare-body">
          <CompareFiles files={files} more={more} shown={fileKey(file)} onShow={setChosen} />
          <CompareFile pair={pair} file={file} />
        </div>
      ) : (
        <EmptyState title={t('recover.compareSame')} body={t('recover.compareSameBody')} />
      )}
    </div>
  )
}

/** Those of one content are no difference. */
const differing = ({ files }: Comparison) => files.filter(({ a, b }) => a.hash !== b.hash)
