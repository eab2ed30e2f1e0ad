/** Lines of the settings files that could not be used, in words. */
import { useMemo } from 'react'
import { settingsMirror } from '../../state/mirror/settings.ts'
import { showOver } from '../../state/view/main-pane.ts'
import { localize, useT } from '../../ui/i18n.ts'
import { Button, isMac } from '../../ui/index.ts'
import { keymapProblems } from './bindings.ts'
import { ProblemList } from './problem-list.tsx'

export function Problems() {
  const t = useT()
  const snapshot = settingsMirror(state => state.snapshot)
  const keys = useMemo(() => keymapProblems(snapshot?.keymap ?? [], isMac()), [snapshot])
  const count = (snapshot?.problems.length ?? 0) + keys.length
  if (count === 0) return null
  return (
    <ProblemList
      title={t('settings.problems', { count })}
      action={<Button onClick={() => showOver('settings', 'json')}>{t('settings.openJson')}</Button>}
    >
      {snapshot?.problems.map(problem => (
        <li key={`${problem.file}${problem.key}${problem.message}`}>
          {problem.key && <code>{problem.key}</code>} {localize(problem.message)}
          <span className="dimmer"> {problem.file}</span>
        </li>
      ))}
      {keys.map(({ line, wrong }) => (
        <li key={JSON.stringify(line)}>
          {t(`settings.keyProblem.${wrong}`, { key: line.key, command: line.command ?? '', when: line.when ?? '' })}
        </li>
      ))}
    </ProblemList>
  )
}
