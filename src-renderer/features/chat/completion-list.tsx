/** What `/` and `@` offer, above the field; the focus stays in the field. */

import { useT } from '../../ui/i18n.ts'
import { cx } from '../../ui/index.ts'
import type { Completion } from './use-completion.ts'

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
          <span className="chat-mono">{entry.label}</span>
          <span className="chat-dim">{entry.note}</span>
        </div>
      ))}
    </div>
  )
}
