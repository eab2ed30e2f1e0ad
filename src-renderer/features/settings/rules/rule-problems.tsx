/** Lines of files of rules that cannot be used: what is wrong, and the way there. The good lines hold. */
import type { RuleProblem } from '#contract/permission'
import { localize, useT } from '../../../ui/i18n.ts'
import { FileLink } from '../file-link.tsx'
import { ProblemList } from '../problem-list.tsx'

export function RuleProblems({ problems }: { readonly problems: readonly RuleProblem[] }) {
  const t = useT()
  const title = t('rules.problems', { count: problems.length })
  return (
    <ProblemList title={title}>
      {problems.map(({ file, line, text, message }) => (
        <li key={`${file} ${line} ${text} ${message}`}>
          {localize(message)} {text !== '' && <code>{text}</code>} <FileLink file={file} line={line} />
        </li>
      ))}
    </ProblemList>
  )
}
