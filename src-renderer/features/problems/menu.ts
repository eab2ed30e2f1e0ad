/** The right click of a problem or a file with problems. */
import { t } from '../../ui/i18n.ts'
import { type MenuEntry, toast } from '../../ui/index.ts'
import { visible, visibleLine } from '../../ui/visible.ts'
import type { RunCommand } from '../commands.ts'
import { openProblem } from './acts.ts'
import { openCode } from './problem-row.tsx'
import { originOf } from './prompt.ts'
import { type ProblemRow, pathText } from './rows.ts'
import { placeOf } from './step.ts'

export function problemMenu(row: ProblemRow, run: RunCommand): MenuEntry[] {
  const { path, listed } = row.file
  const shared: MenuEntry[] = [
    { kind: 'separator', id: 'line' },
    {
      id: 'copy',
      label: t(row.kind === 'problem' ? 'problems.copy' : 'problems.copyAll'),
      keys: '$mod+C',
      onSelect: () => copyRow(row),
    },
    { id: 'copyPath', label: t('problems.copyPath'), onSelect: () => copy(pathText(path)) },
  ]
  if (row.kind !== 'problem')
    return [
      {
        id: 'fix',
        label: t('problems.fixFile'),
        onSelect: () => void run('problems.fix', { path, problems: listed.map(({ problem }) => problem) }),
      },
      ...shared,
    ]
  const { problem } = row.listed
  const { codeUrl, related } = problem
  const places = related.map(({ path: at, range, message }, index): MenuEntry => {
    const { line, column } = placeOf({ ...problem, range })
    const words = `${visibleLine(pathText(at))}:${line} ${visibleLine(message).slice(0, 80)}`
    return {
      id: `related${index}`,
      label: words,
      onSelect: () => void run('editor.open', { path: at, line, column, focus: true }),
    }
  })
  return [
    { id: 'open', label: t('problems.open'), keys: 'Enter', onSelect: () => void openProblem(run, path, problem) },
    {
      id: 'fix',
      label: t('command.problems.fix'),
      onSelect: () => void run('problems.fix', { path, problems: [problem] }),
    },
    ...(places.length > 0
      ? [{ kind: 'submenu', id: 'related', label: t('problems.related'), entries: places } as const]
      : []),
    ...(codeUrl
      ? [
          {
            id: 'explain',
            label: t('problems.explainAt', { host: hostOf(codeUrl) }),
            onSelect: () => openCode(codeUrl),
          },
        ]
      : []),
    ...shared,
  ]
}

/** Where a link leads is said before one follows it. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : visibleLine(url))

const copy = (text: string): void => void navigator.clipboard.writeText(text).then(() => toast.info(t('ui.copied')))

export function copyRow(row: ProblemRow): void {
  const file = pathText(row.file.path)
  const told = row.kind === 'problem' ? [row.listed] : row.file.listed
  const lines = told.map(({ problem }) => {
    const { line, column } = placeOf(problem)
    return `${file}:${line}:${column}: ${problem.severity}: ${visible(problem.message)} (${originOf(problem)})`
  })
  copy(lines.join('\n'))
}
