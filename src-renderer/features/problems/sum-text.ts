/** Counts of problems in words: "2 errors, 1 warning". */
import { useCallback } from 'react'
import type { ProblemCount } from '../../state/mirror/problem.ts'
import { useT } from '../../ui/i18n.ts'
import { severities } from './rows.ts'

export function useSumText(): (count: ProblemCount) => string {
  const t = useT()
  return useCallback(
    count => {
      const parts = severities.flatMap(each =>
        count[each] > 0 ? [t(`problems.count.${each}`, { count: count[each] })] : [],
      )
      return parts.join(', ') || t('problems.none')
    },
    [t],
  )
}
