/** What happens in one room and matters to others, or to clients: who hears of what. */
import type { WorkspaceId } from '#contract/id'
import type { PathChange } from '#contract/workspace'
import type { Git } from '../git/service.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Language } from '../language/language.ts'
import type { Models } from '../model/models.ts'
import type { Permission } from '../permission/permission.ts'
import type { Review } from '../review/review.ts'
import type { Jail } from '../sandbox/jail.ts'
import type { Conversations } from '../session/conversation.ts'
import type { Settings } from '../settings/settings.ts'
import type { Agents } from '../subagents/agents.ts'
import type { Backgrounds } from '../tools/background.ts'
import type { Workspaces } from '../workspace/service.ts'
import { areInstructions } from './knowledge-ports.ts'

export interface Talkative {
  readonly workspaces: Workspaces
  readonly settings: Settings
  readonly permission: Permission
  readonly models: Models
  readonly backgrounds: Backgrounds
  readonly conversations: Conversations
  readonly review: Review
  readonly git: Git
  readonly language: Language
  readonly agents: Agents
  readonly jail: Jail
  readonly knowledge: Knowledge
  /** Without `to` to every client. */
  tell(name: string, payload: unknown, to?: (clientId: string) => boolean): void
}

/** Answers what ends it. */
export function connectEvents(rooms: Talkative): () => void {
  const { workspaces, settings, permission, models, backgrounds, conversations } = rooms
  const { review, git, language, agents, jail, knowledge, tell } = rooms
  const ends = [
    workspaces.events.on(({ name, payload, clientId }) => {
      const { workspaceId } = payload as { workspaceId: WorkspaceId }
      // Who hears of it and asks for the review is not answered from before.
      if (name === 'workspace/changed') review.touched(workspaceId)
      tell(name, payload, clientId ? id => id === clientId : undefined)
      if (name === 'workspace/changed' || name === 'workspace/updated') git.changed(workspaceId)
      // Trust and mounts decide which agents there are.
      if (name === 'workspace/updated') {
        tell('agents/changed', {})
        language.workspaceChanged(workspaceId)
        knowledge.touched()
      }
      if (name === 'workspace/changed' && areInstructions((payload as { changes: PathChange[] }).changes))
        knowledge.touched()
    }),
    workspaces.untrusted.on(id => {
      void language.endWorkspace(id)
      void conversations.stopIn(id)
      void backgrounds.endWorkspace(id)
    }),
    workspaces.closed.on(id => {
      git.closed(id)
      agents.forget(id)
      void language.endWorkspace(id)
      void backgrounds.endWorkspace(id).then(() => jail.endWorkspace(id))
    }),
    settings.events.on(({ name, payload }) => tell(name, payload)),
    settings.changed.on(({ root }) => {
      void language.settingsChanged()
      if (root === null) workspaces.leftOutChanged()
    }),
    language.events.on(({ name, payload }) => tell(name, payload)),
    permission.events.on(({ name, payload }) => tell(name, payload)),
    models.changed.on(payload => tell('model/changed', payload)),
    backgrounds.events.on(({ name, payload, to }) => tell(name, payload, to)),
    agents.changed.on(() => tell('agents/changed', {})),
    knowledge.changed.on(() => tell('knowledge/changed', {})),
    jail.changed.on(payload => tell('sandbox/changed', payload)),
    jail.asides.changed.on(() => tell('sandbox/setAsideChanged', {})),
    review.changed.on(payload => tell('review/changed', payload)),
  ]
  return () => {
    for (const end of ends) end()
  }
}
