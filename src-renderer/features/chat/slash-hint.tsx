/** What the `/` command in the field takes, while one writes it; and what was wrong with what was written. */
import { useT } from '../../ui/i18n.ts'
import { visibleLine } from '../../ui/visible.ts'
import { type ReadSlash, slashCommands } from './slash.ts'

export type SlashProblem = Extract<ReadSlash, { kind: 'problem' }>

interface SlashHintProps {
  readonly text: string
  readonly problem: SlashProblem | null
}

/** Characters of a person's own words that are said back. */
const MOST_CHARS = 60

export function SlashHint({ text, problem }: SlashHintProps) {
  const t = useT()
  const word = /^\/(\w+)\s/.exec(text)?.[1]?.toLowerCase()
  const takes = slashCommands.find(each => each.word === word)?.takes
  if (problem) {
    const { why, word, given } = problem
    return (
      <div className="chat-slash-problem" role="alert">
        {t(`chat.slashProblem.${why}`, { word, given: visibleLine(given.slice(0, MOST_CHARS)) })}
      </div>
    )
  }
  if (!word || !takes) return null
  return (
    <div className="chat-slash-hint" role="note">
      <code>/{word}</code> {t(`chat.slash.${takes}`)}
    </div>
  )
}
