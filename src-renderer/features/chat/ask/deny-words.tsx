/** A no with words: what it should do instead. Enter sends it, Escape gives up. */
import { useT } from '../../../ui/i18n.ts'
import { Button } from '../../../ui/index.ts'

interface DenyWordsProps {
  readonly words: string
  readonly onChange: (words: string) => void
  readonly onDeny: () => void
  readonly onCancel: () => void
}

export function DenyWords({ words, onChange, onDeny, onCancel }: DenyWordsProps) {
  const t = useT()
  return (
    <form
      className="chat-deny"
      onSubmit={event => {
        event.preventDefault()
        onDeny()
      }}
    >
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the person asked for this field a moment ago
        autoFocus
        rows={2}
        value={words}
        aria-label={t('chat.denyWhy')}
        placeholder={t('chat.denyWhy')}
        onChange={event => onChange(event.target.value)}
        onKeyDown={event => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Escape') {
            event.stopPropagation()
            onCancel()
          }
          if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault()
            onDeny()
          }
        }}
      />
      <div className="chat-buttons">
        <Button variant="main" submit>
          {t('chat.denySend')}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {t('chat.cancel')}
        </Button>
      </div>
    </form>
  )
}
