/** Over the window: git's questions for a password, a verb's questions, and the lists to choose from. Each loads when first wanted. */
import { lazy, Suspense, useEffect } from 'react'
import { create } from 'zustand'
import type { GitAsk } from '#contract/git'
import { belay } from '../../client/index.ts'
import { withWords } from '../../ui/i18n.ts'
import { picker } from './pick/picker.ts'
import { questions } from './questions.ts'
import './status.css'

const Askpass = lazy(async () => ({
  default: (await withWords('source', import('./dialogs/askpass.tsx'))).Askpass,
}))
const Questions = lazy(async () => ({
  default: (await withWords('source', import('./dialogs/question.tsx'))).QuestionDialog,
}))
const Pick = lazy(async () => ({ default: (await withWords('source', import('./pick/pick.tsx'))).Pick }))

const asked = create<{ readonly asks: readonly GitAsk[] }>(() => ({ asks: [] }))
const withdraw = (askId: string) => asked.setState(({ asks }) => ({ asks: asks.filter(each => each.askId !== askId) }))

export function GitOverlay() {
  const [ask] = asked(state => state.asks)
  const [question] = questions(state => state.waiting)
  const list = picker(state => state.list)
  useEffect(() => {
    const stops = [
      belay.on('git/asked', each => asked.setState(({ asks }) => ({ asks: [...asks, each] }))),
      belay.on('git/answered', ({ askId }) => withdraw(askId)),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
  return (
    <Suspense fallback={null}>
      {list && <Pick key={list.kind} list={list} />}
      {question && <Questions key={question.id} question={question} />}
      {ask && <Askpass key={ask.askId} ask={ask} onDone={() => withdraw(ask.askId)} />}
    </Suspense>
  )
}
