/** Files that are no agents: the line and what is wrong with it. They are mended here; the others work meanwhile. */
import type { AgentProblem } from '#contract/agents'
import { useWorkspace } from '../../../state/view/workspace.ts'
import { localize, useT } from '../../../ui/i18n.ts'
import { Button } from '../../../ui/index.ts'
import { FileLink } from '../file-link.tsx'
import { pathOf } from '../open-file.ts'
import { ProblemList } from '../problem-list.tsx'

interface AgentProblemsProps {
  readonly problems: readonly AgentProblem[]
  readonly onEdit: (which: { scope: 'user' | 'workspace'; name: string }) => void
}

export function AgentProblems({ problems, onEdit }: AgentProblemsProps) {
  const t = useT()
  const workspace = useWorkspace()
  const title = t('agents.problems', { count: problems.length })
  return (
    <ProblemList title={title}>
      {problems.map(({ file, line, message }) => {
        const scope = 'uri' in pathOf(file, workspace) ? ('user' as const) : ('workspace' as const)
        const name = file.replace(/^.*[\\/]/, '').replace(/\.md$/i, '')
        return (
          <li key={`${file} ${line} ${message}`}>
            {t('agents.line', { line, message: localize(message) })} <FileLink file={file} line={line} />{' '}
            <Button variant="ghost" onClick={() => onEdit({ scope, name })}>
              {t('agents.mend')}
            </Button>
          </li>
        )
      })}
    </ProblemList>
  )
}
