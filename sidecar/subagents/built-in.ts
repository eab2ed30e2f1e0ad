/** The agents that Belay brings. They are written like any other, so that a person can read and copy them. */
import type { AgentDefinition } from '#contract/agents'
import bash from '../../resources/agents/bash.md?raw'
import commitMessage from '../../resources/agents/commit-message.md?raw'
import explore from '../../resources/agents/explore.md?raw'
import general from '../../resources/agents/general.md?raw'
import plan from '../../resources/agents/plan.md?raw'
import { parseAgent } from './definition.ts'

const texts = { bash, 'commit-message': commitMessage, explore, general, plan }

/** Rejects where one of them is no agent: a mistake of ours. */
export const builtInAgents = (toolNames: readonly string[]): Promise<AgentDefinition[]> =>
  Promise.all(
    Object.entries(texts).map(async ([fileName, text]) => {
      const parsed = await parseAgent(text, { fileName, scope: 'built-in', toolNames })
      if (!parsed.ok) throw new Error(`The built-in agent ${fileName}, line ${parsed.line}: ${parsed.message}`)
      return { ...parsed.agent, scope: 'built-in' as const, file: null }
    }),
  )
