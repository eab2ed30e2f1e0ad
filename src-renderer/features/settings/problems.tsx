/** Lines of the settings files that could not be used, in words. */
import { TriangleAlert } from 'lucide-react'
import { useMemo } from 'react'
import { settingsMirror } from '../../state/mirror/settings.ts'
import { showOver } from '../../state/view/main-pane.ts'
import { useT } from '../../ui/i18n.ts'
import { Button, isMac } from '../../ui/index.ts'
import { keymapProblems } from './bindings.ts'

export function Problems() {
  const t = useT()
  const snapshot = settingsMirror(state => state.snapshot)
  const keys = useMemo(() => keymapProblems(snapshot?.keymap ?? [], isMac()), [snapshot])
  const count = (snapshot?.problems.length ?? 0) + keys.length
  if (count === 0) return null
  return (
    <section className="settings-problems" aria-label={t('settings.problems', { count })}>
      <div className="settings-problems-head">
        <TriangleAlert size={15} />
        <b>{t('settings.problems', { count })}</b>
        <Button onClick={() => showOver('settings', 'json')}>{t('settings.openJson')}</Button>
      </div>
      <ul>
        {snapshot?.problems.map(problem => (
          <li key={`${problem.file}${problem.key}${problem.message}`}>
            {problem.key && <code>{problem.key}</code>} {problem.message}
            <span className="dimmer"> {problem.file}</span>
          </li>
        ))}
        {keys.map(({ line, wrong }) => (
          <li key={JSON.stringify(line)}>
            {t(`settings.keyProblem.${wrong}`, { key: line.key, command: line.command ?? '', when: line.when ?? '' })}
          </li>
        ))}
      </ul>
    </section>
  )
}
