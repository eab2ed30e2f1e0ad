/** Lines of the settings files that could not be used, in words. */
import { TriangleAlert } from 'lucide-react'
import { settingsMirror } from '../../state/mirror/settings.ts'
import { showOver } from '../../state/view/main-pane.ts'
import { useT } from '../../ui/i18n.ts'
import { Button } from '../../ui/index.ts'

export function Problems() {
  const t = useT()
  const problems = settingsMirror(state => state.snapshot?.problems)
  if (!problems || problems.length === 0) return null
  return (
    <section className="settings-problems" aria-label={t('settings.problems', { count: problems.length })}>
      <div className="settings-problems-head">
        <TriangleAlert size={15} />
        <b>{t('settings.problems', { count: problems.length })}</b>
        <Button onClick={() => showOver('settings', 'json')}>{t('settings.openJson')}</Button>
      </div>
      <ul>
        {problems.map(problem => (
          <li key={`${problem.file}${problem.key}${problem.message}`}>
            {problem.key && <code>{problem.key}</code>} {problem.message}
            <span className="dimmer"> {problem.file}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
