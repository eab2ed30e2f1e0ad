/** A verb of git and what follows when it is refused: its words in a dialog, with each next step as a button that does it. */
import { toFault } from '#contract/error'
import type { GitNext, GitRefusal } from '#contract/git'
import type { RootId } from '#contract/id'
import { changeLayout } from '../../state/view/layout.ts'
import { localize, t } from '../../ui/i18n.ts'
import { toast } from '../../ui/index.ts'
import { operate } from './operations.ts'
import { type NextStep, showRefusal } from './questions.ts'

type Outcome<D> = ({ ok: true } & D) | GitRefusal
type Call<D> = (operationId: string, options: { signal: AbortSignal }) => Promise<Outcome<D>>

export interface Verb<D> {
  /** Names its words: `source.doing.push`, `source.failed.push`. */
  readonly name: string
  readonly rootId: RootId
  readonly call: Call<D>
  /** Next steps that are this very verb in another way: forced, with the changes taken along, as a rebase. */
  readonly ways?: Partial<Record<GitNext, Call<D>>>
  /** Asks for another name and tries again. */
  readonly rename?: () => unknown
}

/** Next steps that need the other verbs; brought in by commands.ts, which knows them all. */
export interface Refused {
  readonly rootId: RootId
  readonly verb: string
  readonly again: () => Promise<unknown>
}
export type Steps = Partial<Record<GitNext, (refused: Refused) => unknown>>
let steps: Steps = {}
export const stepWith = (all: Steps): void => {
  steps = all
}

/** What it made, or null when it was refused and the person has been told. Rejects with faults, `cancelled` among them. */
export async function attempt<D>(verb: Verb<D>): Promise<D | null> {
  const outcome = await operate(verb.name, verb.call)
  if (outcome.ok) return outcome
  let made: D | null = null
  const again = (call: Call<D>) => async () => {
    made = await attempt({ ...verb, call })
    return made
  }
  const own: Steps = {
    retry: again(verb.call),
    ...Object.fromEntries(Object.entries(verb.ways ?? {}).map(([next, call]) => [next, again(call)])),
    ...(verb.rename ? { chooseName: verb.rename } : {}),
  }
  const offered = outcome.next.flatMap((next): NextStep[] => {
    const step = own[next] ?? steps[next]
    return step
      ? [
          {
            next,
            label: labelOf(next, verb.name),
            run: () => step({ rootId: verb.rootId, verb: verb.name, again: again(verb.call) }),
          },
        ]
      : []
  })
  const title = t(outcome.reason === 'conflict' ? 'source.conflictsToResolve' : `source.failed.${verb.name}`)
  if (outcome.reason === 'stale' && offered.length === 0) toast.info(localize(outcome.message))
  else await showRefusal(title, outcome, offered)
  return made
}

function labelOf(next: GitNext, verb: string): string {
  if (verb === 'push' && (next === 'pull' || next === 'pullRebase' || next === 'pullMerge'))
    return t(`source.next.${next}ThenPush`)
  if (verb === 'push' && next === 'force') return t('source.next.forcePush')
  if (next === 'stash') return t('source.next.stashAndGoOn')
  return t(`source.next.${next}`)
}

/** For steps that lead to the list of changes. */
export function showChanges(): void {
  changeLayout({ side: true, sidePane: 'git' })
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-git-changes]')?.focus())
}

/** For what a toast's button or a click begins: nobody waits for it, and a fault is told. */
export function told(work: Promise<unknown>): void {
  work.catch(thrown => {
    const { code, message } = toFault(thrown)
    if (code !== 'cancelled') toast.error(message)
  })
}
