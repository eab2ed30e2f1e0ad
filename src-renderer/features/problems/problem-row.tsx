/** One row: a file with its counts, or what is wrong with where, by whom it is said, and what can be done about it. */
import { ChevronDown, ChevronRight, ExternalLink, Sparkles } from 'lucide-react'
import { baseName, parentPath } from '#contract/path'
import { host } from '../../client/index.ts'
import { rootNameIn, useWorkspace } from '../../state/view/workspace.ts'
import { fileIcon } from '../../ui/file-icon.ts'
import { useT } from '../../ui/i18n.ts'
import { Badge, RowButton } from '../../ui/index.ts'
import { visible, visibleLine } from '../../ui/visible.ts'
import { useCommand } from '../commands.ts'
import { severityIcons } from './filter-bar.tsx'
import { originOf } from './prompt.ts'
import { type ProblemRow, pathText } from './rows.ts'
import { placeOf } from './step.ts'
import { useSumText } from './sum-text.ts'

type RowOf<K extends ProblemRow['kind']> = Extract<ProblemRow, { kind: K }>

export function FileLine({ row }: { readonly row: RowOf<'file'> }) {
  const t = useT()
  const run = useCommand()
  const sumText = useSumText()
  const workspace = useWorkspace()
  const { path, count, listed } = row.file
  const text = pathText(path)
  const rootName = 'uri' in path ? null : rootNameIn(workspace, path.rootId)
  const Twist = row.open ? ChevronDown : ChevronRight
  const Icon = fileIcon(baseName(text))
  const fix = () => void run('problems.fix', { path, problems: listed.map(({ problem }) => problem) })
  return (
    <>
      <Twist size={14} className="problems-twist" />
      <Icon size={14} className="problems-twist" />
      <span className="problems-file" title={visibleLine(text)}>
        {visibleLine(baseName(text))}
      </span>
      <span className="problems-folder">{visibleLine([rootName, parentPath(text)].filter(Boolean).join(' / '))}</span>
      <Badge tone={count.error > 0 ? 'error' : count.warning > 0 ? 'ask' : 'plain'}>
        <span title={sumText(count)}>{row.shown}</span>
      </Badge>
      <span className="problems-actions">
        <RowButton label={t('problems.fixFile')} icon={Sparkles} onClick={fix} />
      </span>
    </>
  )
}

export function ProblemLine({ row }: { readonly row: RowOf<'problem'> }) {
  const t = useT()
  const run = useCommand()
  const { problem } = row.listed
  const { severity, message, codeUrl } = problem
  const shown = severity === 'hint' ? 'info' : severity
  const Icon = severityIcons[shown]
  const { line, column } = placeOf(problem)
  return (
    <>
      <Icon size={14} className={`problems-icon problems-${shown}`} />
      <span className="visually-hidden">{t(`problems.one.${shown}`)}</span>
      <span className="problems-message" title={visible(message)}>
        {visibleLine(message.replace(/\s*\n\s*/g, ' '))}
      </span>
      <span className="problems-origin">{originOf(problem)}</span>
      <span className="problems-place">
        <span aria-hidden="true">{`${line}:${column}`}</span>
        <span className="visually-hidden">{t('problems.place', { line, column })}</span>
      </span>
      <span className="problems-actions">
        {codeUrl && <RowButton label={t('problems.explain')} icon={ExternalLink} onClick={() => openCode(codeUrl)} />}
        <RowButton
          label={t('command.problems.fix')}
          icon={Sparkles}
          onClick={() => void run('problems.fix', { path: row.file.path, problems: [problem] })}
        />
      </span>
    </>
  )
}

/** The system asks its browser; Belay itself opens nothing. */
export const openCode = (url: string): void => void host.host.openExternal({ url }).catch(() => {})

export function MoreLine({ count }: { readonly count: number }) {
  const t = useT()
  return <span className="problems-more">{t('problems.more', { count })}</span>
}
