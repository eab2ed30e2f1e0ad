/** What trusting this folder would set in motion, one line for each thing that is in it; names are the folder's own words. */
import { useEffect, useState } from 'react'
import type { WorkspaceId } from '#contract/id'
import type { TrustFacts } from '#contract/workspace'
import { belay } from '../client/index.ts'
import { type Translate, useT } from '../ui/i18n.ts'

const MOST_NAMES = 5

/** `folder`: one that is not in the workspace yet. */
export function TrustMeans({ workspaceId, folder }: { readonly workspaceId: WorkspaceId; readonly folder?: string }) {
  const t = useT()
  const [facts, setFacts] = useState<TrustFacts | null>(null)
  useEffect(() => {
    let wanted = true
    belay.workspace.trustFacts({ workspaceId, folder }).then(
      found => wanted && setFacts(found),
      // The question stands without them.
      () => {},
    )
    return () => {
      wanted = false
    }
  }, [workspaceId, folder])
  return (
    <>
      <p>{t('app.trustMeans')}</p>
      {facts && (
        <ul className="app-trust-list" aria-label={t('app.trustFound')}>
          {linesOf(t, facts).map(line => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </>
  )
}

function linesOf(t: Translate, { git, advice, agents, rules, settings, notRun }: TrustFacts): string[] {
  const some = (key: string, all: readonly string[]) =>
    all.length > 0 ? [t(key, { count: all.length, names: namesOf(all) })] : []
  return [
    t('app.trustAgent'),
    ...(git ? [t('app.trustGit')] : []),
    ...some('app.trustAdvice', advice),
    ...some('app.trustAgents', agents),
    ...some('app.trustSettings', settings),
    ...(rules > 0 ? [t('app.trustRules', { count: rules })] : []),
    ...some('app.trustNotRun', notRun),
  ]
}

/** A name may hold anything; what an eye cannot see is shown as a dot. */
const namesOf = (all: readonly string[]): string =>
  [
    ...all.slice(0, MOST_NAMES).map(name => name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '·').slice(0, 60)),
    ...(all.length > MOST_NAMES ? ['…'] : []),
  ].join(', ')
