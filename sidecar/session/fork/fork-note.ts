/** What a model is told once of a past that happened elsewhere, beside the first words of a branch. Pure. */
import type { SessionFacts } from '#contract/session-state'

/** None where the branch works where its parent does, or something was said in it already. */
export function forkNotes({ forkedFrom, head, roots }: SessionFacts): string[] {
  if (!forkedFrom?.home || head !== forkedFrom.atItemId) return []
  const [here] = roots
  return [
    `From here on this conversation works in ${here}, a git worktree of its own. Paths under ${forkedFrom.home} in what was said before mean the same files under ${here}; nothing is to be changed in ${forkedFrom.home}.`,
  ]
}
