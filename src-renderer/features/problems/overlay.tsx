/** Follows what servers find and how they do, whichever pane is in front; says aloud where F8 has led. */
import { useEffect } from 'react'
import { followLanguageServers } from '../../client/language-pump.ts'
import { followProblems } from '../../client/problem-pump.ts'
import { useWorkspace } from '../../state/view/workspace.ts'
import { announced } from './acts.ts'

export function ProblemsOverlay() {
  const workspaceId = useWorkspace()?.workspaceId
  const words = announced(state => state.words)
  useEffect(() => (workspaceId ? followProblems(workspaceId) : undefined), [workspaceId])
  useEffect(() => (workspaceId ? followLanguageServers(workspaceId) : undefined), [workspaceId])
  return <output className="visually-hidden">{words}</output>
}
