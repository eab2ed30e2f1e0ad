/** In the status line: how much is wrong, and how the language servers do. Nothing where no server has spoken. */
import { CircleX, TriangleAlert } from 'lucide-react'
import { languageMirror } from '../../state/mirror/language.ts'
import { problemMirror } from '../../state/mirror/problem.ts'
import { serverTones } from '../../state/mirror/server-tone.ts'
import { useCurrentTab } from '../../state/view/editor.ts'
import { textPathOf } from '../../state/view/editor-tabs.ts'
import { formatCount } from '../../ui/format.ts'
import { useT } from '../../ui/i18n.ts'
import { cx, Lamp } from '../../ui/index.ts'
import { visible, visibleLine } from '../../ui/visible.ts'
import { useCommand } from '../commands.ts'
import { lookedAt, standingOf } from './server-words.ts'
import { useSumText } from './sum-text.ts'
import './status.css'

export function ProblemsItem() {
  const run = useCommand()
  const sumText = useSumText()
  const { total, entries } = problemMirror()
  const servers = languageMirror(state => state.servers)
  const { error, warning } = total
  if (error + warning === 0 && lookedAt(entries.values(), servers ?? []) === 0) return null
  const label = sumText(total)
  return (
    <button
      type="button"
      className={cx('app-status-item problems-status', error > 0 && 'problems-status-error')}
      title={label}
      onClick={() => void run('problems.show')}
    >
      <span className="visually-hidden">{label}</span>
      <CircleX size={12} aria-hidden="true" />
      <span aria-hidden="true">{formatCount(error)}</span>
      <TriangleAlert size={12} aria-hidden="true" />
      <span aria-hidden="true">{formatCount(warning)}</span>
    </button>
  )
}

export function ServerItem() {
  const t = useT()
  const run = useCommand()
  const servers = languageMirror(state => state.servers)
  const tab = useCurrentTab()
  const standing = servers && standingOf(servers, tab ? textPathOf(tab) : null)
  if (!standing) return null
  const { name, state, problem } = standing
  const words = t(`problems.server.${state}`, { name: visibleLine(name ?? 'LSP') })
  return (
    <button
      type="button"
      className={cx('app-status-item', state === 'broken' && 'app-status-loud')}
      title={problem ? visible(problem) : t('problems.servers')}
      aria-label={`${words}. ${t('problems.servers')}`}
      onClick={() => void run('app.languageServers')}
    >
      <Lamp tone={serverTones[state]} />
      {words}
    </button>
  )
}
