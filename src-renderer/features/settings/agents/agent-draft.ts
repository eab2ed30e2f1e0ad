/** The agent that is being written: kept while the window is open, so that looking elsewhere loses nothing. */
import { create } from 'zustand'
import type { AgentDefinition } from '#contract/agents'
import type { WorkspaceId } from '#contract/id'

export interface AgentDraft {
  readonly workspaceId: WorkspaceId
  readonly scope: 'user' | 'workspace'
  /** '' until a new one is named. */
  readonly name: string
  readonly text: string
  /** As it was read or last saved: '' for a new one. */
  readonly saved: string
  /** Of what was read; null for a new one. */
  readonly hash: string | null
}
export const agentDraft = create<{ readonly draft: AgentDraft | null }>(() => ({ draft: null }))
export const changeDraft = (change: Partial<AgentDraft>): void =>
  agentDraft.setState(({ draft }) => ({ draft: draft && { ...draft, ...change } }))
export const closeDraft = (): void => agentDraft.setState({ draft: null })

const listed = (names: readonly string[]): string => `[${names.map(quoted).join(', ')}]`
/** YAML in one line: a JSON string is one. */
const quoted = (text: string): string => (/^[A-Za-z][\w.-]*$/.test(text) ? text : JSON.stringify(text))

/** What a new file starts with: nothing but what every agent needs. */
export const freshText = (name: string, description: string, body: string): string =>
  `---\nname: ${name}\ndescription: ${quoted(description)}\ntools: [read, list, glob, grep]\n---\n\n${body}\n`

/** One like it, under a name of its own. */
export function copyOf(agent: AgentDefinition, name: string): string {
  const lines = [
    `name: ${name}`,
    `description: ${quoted(agent.description)}`,
    ...(agent.model ? [`model: ${quoted(agent.model)}`] : []),
    `tools: ${listed(agent.tools)}`,
    ...(agent.disallowedTools.length > 0 ? [`disallowedTools: ${listed(agent.disallowedTools)}`] : []),
    ...(agent.permissionRules.length > 0 ? [`permissionRules: ${JSON.stringify(agent.permissionRules)}`] : []),
    ...(agent.hidden ? ['hidden: true'] : []),
  ]
  return `---\n${lines.join('\n')}\n---\n\n${agent.body.trim()}\n`
}

/** The line that a refusal names ("Line 3: …"); null when it names none. */
export const lineIn = (message: string): number | null => Number(/\bline (\d+)/i.exec(message)?.[1]) || null

/** What an agent may be called; a file has its name. */
export const isName = (name: string): boolean => /^[a-z0-9][a-z0-9_-]{0,63}$/i.test(name)
