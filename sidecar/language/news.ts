/** What one workspace tells every client of its servers; what would be told many times at once is told once. */
import type { EventName, Payload } from '#contract/define'
import type { WorkspaceId } from '#contract/id'
import type { language } from '#contract/language'
import type { FileProblems } from '#contract/language-problems'

type Domain = { language: typeof language }
export type LanguageEvent = { [N in EventName<Domain>]: { name: N; payload: Payload<Domain, N> } }[EventName<Domain>]

export interface News {
  changed(): void
  logged(id: string): void
  featuresChanged(): void
  /** `what`: a `refresh` of the protocol; those that no editor shows are not told. */
  answersChanged(what: string): void
  problemsChanged(batch: { seq: number; files: FileProblems[] }): void
}

const TOGETHER_MS = 30
const shown = new Map([
  ['semanticTokens', 'semanticTokens'],
  ['inlayHint', 'inlayHints'],
  ['foldingRange', 'folding'],
] as const)

export function createNews(workspaceId: WorkspaceId, tell: (event: LanguageEvent) => void): News {
  const waiting = new Map<string, LanguageEvent>()
  const soon = (event: LanguageEvent) => {
    if (waiting.size === 0)
      setTimeout(() => {
        const all = [...waiting.values()]
        waiting.clear()
        for (const each of all) tell(each)
      }, TOGETHER_MS).unref()
    waiting.set(JSON.stringify(event), event)
  }
  return {
    changed: () => soon({ name: 'language/changed', payload: { workspaceId } }),
    logged: id => tell({ name: 'language/logged', payload: { workspaceId, id } }),
    featuresChanged: () => soon({ name: 'language/featuresChanged', payload: { workspaceId } }),
    answersChanged(what) {
      const name = shown.get(what as 'semanticTokens')
      if (name) soon({ name: 'language/answersChanged', payload: { workspaceId, what: name } })
    },
    problemsChanged: batch => tell({ name: 'language/problemsChanged', payload: { workspaceId, ...batch } }),
  }
}
