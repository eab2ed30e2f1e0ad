/** What `/` and `@` offer, above the field, agents told apart from files; the focus stays in the field. */
import { ArrowUp, Bot, FileText, NotebookPen, SquareSlash } from 'lucide-react'
import { useT } from '../../ui/i18n.ts'
import { Badge, cx } from '../../ui/index.ts'
import type { Completion, CompletionEntry } from './use-completion.ts'

export function CompletionList({ completion }: { readonly completion: Completion }) {
  const t = useT()
  const { entries, marked, listId, choose } = completion
  if (entries.length === 0) return null
  return (
    <div className="chat-completion" role="listbox" id={listId} aria-label={t('chat.suggestions')}>
      {entries.map((entry, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the marked option
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the field's
        <div
          key={entry.id}
          id={`${listId}-${index}`}
          role="option"
          aria-selected={index === marked}
          className={cx('chat-option', index === marked && 'chat-marked')}
          onMouseDown={event => event.preventDefault()}
          onClick={() => choose(index)}
        >
          <Icon kind={entry.kind} />
          <span className={cx(!isWords(entry) && 'chat-mono')}>{entry.label}</span>
          {entry.kind === 'agent' && <Badge tone="accent">{t('chat.agent')}</Badge>}
          <span className="chat-dim chat-cut">{entry.note}</span>
        </div>
      ))}
    </div>
  )
}

/** Others are names that stand in the text. */
const isWords = ({ kind }: CompletionEntry): boolean => kind === 'memory' || kind === 'send'

const icons = { command: SquareSlash, agent: Bot, file: FileText, memory: NotebookPen, send: ArrowUp }
function Icon({ kind }: Pick<CompletionEntry, 'kind'>) {
  const Shape = icons[kind]
  return <Shape size={13} className="chat-icon" aria-hidden="true" />
}
