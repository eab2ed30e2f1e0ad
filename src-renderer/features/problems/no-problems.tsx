/** What stands where no problem is listed. It says only what is known: that nothing is wrong, only where servers have looked. */
import { CircleCheck, CircleSlash, SearchX, ShieldAlert, Stethoscope } from 'lucide-react'
import { languageMirror } from '../../state/mirror/language.ts'
import { problemMirror } from '../../state/mirror/problem.ts'
import { useSetting } from '../../state/mirror/settings.ts'
import { useWorkspace } from '../../state/view/workspace.ts'
import { localize, useT } from '../../ui/i18n.ts'
import { Button, EmptyState, Spinner } from '../../ui/index.ts'
import { useCommand } from '../commands.ts'
import { allShown } from './rows.ts'
import { lookedAt } from './server-words.ts'
import { problemFilter, problemView } from './view.ts'

export function NoProblems() {
  const t = useT()
  const run = useCommand()
  const workspace = useWorkspace()
  const enabled = useSetting('language.enabled')
  const { status, fault, entries } = problemMirror()
  const servers = languageMirror(state => state.servers)
  const toServers = <Button onClick={() => void run('app.languageServers')}>{t('command.app.languageServers')}</Button>
  if (!workspace) return <EmptyState icon={CircleSlash} title={t('problems.noFolder')} />
  if (!enabled)
    return (
      <EmptyState icon={CircleSlash} title={t('problems.off')} body={t('problems.offBody')}>
        {toServers}
      </EmptyState>
    )
  if (!workspace.trusted)
    return (
      <EmptyState icon={ShieldAlert} title={t('problems.untrusted')} body={t('problems.untrustedBody')}>
        <Button variant="main" onClick={() => void run('app.trust')}>
          {t('app.trust')}
        </Button>
      </EmptyState>
    )
  if (status === 'failed')
    return <EmptyState icon={CircleSlash} title={t('problems.failed')} body={fault && localize(fault.message)} />
  if (status === 'opening' || servers === null)
    return (
      <div className="problems-waiting">
        <Spinner label={t('problems.opening')} />
      </div>
    )
  const looked = lookedAt(entries.values(), servers)
  if (looked > 0)
    return <EmptyState icon={CircleCheck} title={t('problems.none')} body={t('problems.noneBody', { count: looked })} />
  return (
    <EmptyState icon={Stethoscope} title={t('problems.noServer')} body={t('problems.noServerBody')}>
      {toServers}
    </EmptyState>
  )
}

export function NoMatch() {
  const t = useT()
  const clear = () => {
    problemView.setState({ query: '' })
    problemFilter.set(allShown)
  }
  return (
    <EmptyState icon={SearchX} title={t('problems.noMatch')} body={t('problems.noMatchBody')}>
      <Button onClick={clear}>{t('problems.showAll')}</Button>
    </EmptyState>
  )
}
