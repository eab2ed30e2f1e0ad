/** What is put into the prompt when the agent is to mend something: the place, and the server's words as a quotation. */
import type { Problem } from '#contract/language-problems'
import type { AnyPath } from '#contract/path'
import { t } from '../../ui/i18n.ts'
import { visible, visibleLine } from '../../ui/visible.ts'
import { pathText } from './rows.ts'
import { placeOf } from './step.ts'

/** More at once is no prompt that a person would read. */
const MOST = 20

export function askToFix(path: AnyPath, problems: readonly Problem[]): string {
  const file = visibleLine(pathText(path))
  const told = problems.slice(0, MOST).map(problem => {
    const { line, column } = placeOf(problem)
    const quoted = visible(problem.message).replace(/\s*\n\s*/g, '\n  > ')
    return `- ${file}:${line}:${column} (${originOf(problem)})\n  > ${quoted}`
  })
  const left = problems.length - told.length
  return [
    t('problems.fixPrompt', { count: problems.length }),
    ...told,
    ...(left > 0 ? [t('problems.fixMore', { count: left })] : []),
  ].join('\n')
}

/** `ts 2322`, or what kind of problem it is where the server names no source. */
export const originOf = ({ source, code, severity }: Problem): string =>
  visibleLine([source, code].filter(Boolean).join(' ')) || severity
