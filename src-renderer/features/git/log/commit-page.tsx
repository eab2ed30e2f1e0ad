/** One commit, or one stash, as a tab. */
import { useMemo } from 'react'
import type { PageProps } from '../../feature.ts'
import { CommitArgument } from '../open.ts'
import { CommitDetails } from './commit-details.tsx'

export function CommitPage({ argument }: PageProps) {
  const of = useMemo(() => CommitArgument.parse(argument), [argument])
  return <CommitDetails of={of} />
}
