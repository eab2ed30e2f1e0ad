/** What can be done about problems: go to one, walk through them, hand them to the agent. */
import { create } from 'zustand'
import type { Problem } from '#contract/language-problems'
import { type AnyPath, pathKey } from '#contract/path'
import { type ProblemFile, problemMirror } from '../../state/mirror/problem.ts'
import { caretView, currentPath } from '../../state/view/editor.ts'
import { t } from '../../ui/i18n.ts'
import { toast } from '../../ui/index.ts'
import { visible } from '../../ui/visible.ts'
import type { RunCommand } from '../commands.ts'
import { askToFix } from './prompt.ts'
import { inOrder, problemKey } from './rows.ts'
import { unfoldProblem } from './shown-texts.ts'
import { type Caret, placeOf, stepFrom } from './step.ts'
import { problemView } from './view.ts'

export const openProblem = (run: RunCommand, path: AnyPath, problem: Problem, enter = true): Promise<void> =>
  run('editor.open', { path, ...placeOf(problem), preview: true, focus: enter })

/** Heard by screen readers. */
export const announced = create<{ readonly words: string }>(() => ({ words: '' }))

/** Until the next such wish. */
let wish = 0
function stillMeant(): () => boolean {
  const own = ++wish
  return () => own === wish
}

const caretNow = (): Caret | null => caretView.getState().caret

export async function goToProblem(step: 1 | -1, run: RunCommand): Promise<void> {
  const path = currentPath()
  const files = inOrder(problemMirror.getState().files.values())
  const found = stepFrom(files, { key: path ? pathKey(path) : null, caret: path ? caretNow() : null }, step)
  if (!found) return void toast.info(t('problems.noneToGoTo'))
  const { file, listed } = found
  problemView.setState({ focus: problemKey(file, listed) })
  await openProblem(run, file.path, listed.problem)
  unfoldProblem(file.path, placeOf(listed.problem), stillMeant())
  const { severity, message } = listed.problem
  announced.setState({
    words: t('problems.at', {
      message: visible(message),
      line: placeOf(listed.problem).line,
      severity: t(`problems.one.${severity}`),
    }),
  })
}

/** Without an argument: those at the caret's line. The words wait in the prompt: a person sends them. */
export async function fixWithAgent(
  wish: { readonly path: AnyPath; readonly problems: readonly Problem[] } | void,
  run: RunCommand,
): Promise<void> {
  const asked = wish ?? atCaret()
  if (!asked || asked.problems.length === 0) return void toast.info(t('problems.noneHere'))
  await run('agent.addToPrompt', { text: askToFix(asked.path, asked.problems), write: true })
}

function atCaret(): { path: AnyPath; problems: Problem[] } | null {
  const path = currentPath()
  const caret = caretNow()
  const file = path && problemMirror.getState().files.get(pathKey(path))
  return file && caret ? { path: file.path, problems: problemsAt(file, caret.line) } : null
}

export const problemsAt = ({ listed }: ProblemFile, line: number): Problem[] =>
  listed.map(({ problem }) => problem).filter(({ range }) => range.start.line < line && line <= range.end.line + 1)
