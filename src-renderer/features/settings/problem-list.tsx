/** What of some files cannot be used, above what can: one line each. */
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

interface ProblemListProps {
  readonly title: string
  /** Beside the title: what one does about all of them. */
  readonly action?: ReactNode
  readonly children: ReactNode
}

export function ProblemList({ title, action, children }: ProblemListProps) {
  return (
    <section className="settings-problems" aria-label={title}>
      <div className="settings-problems-head">
        <TriangleAlert size={15} />
        <b>{title}</b>
        {action}
      </div>
      <ul>{children}</ul>
    </section>
  )
}
