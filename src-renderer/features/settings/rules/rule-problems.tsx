/** Lines of files of rules that cannot be used: what is wrong, and the way there. The good lines hold. */
import { TriangleAlert } from 'lucide-react'
import type { RuleProblem } from '#contract/permission'
import { useT } from '../../../ui/i18n.ts'
import { FileLink } from '../file-link.tsx'

export function RuleProblems({ problems }: { readonly problems: readonly RuleProblem[] }) {
  const t = useT()
  const title = t('rules.problems', { count: problems.length })
  return (
    <section className="settings-problems" aria-label={title}>
      <div className="settings-problems-head">
        <TriangleAlert size={15} />
        <b>{title}</b>
      </div>
      <ul>
        {problems.map(({ file, line, text, message }) => (
          <li key={`${file} ${line} ${text} ${message}`}>
            {message} {text !== '' && <code>{text}</code>} <FileLink file={file} line={line} />
          </li>
        ))}
      </ul>
    </section>
  )
}
