/** One session in the list: its name, when, and whether it runs, asks or ended unseen. */
import { Pin } from 'lucide-react'
import type { SessionSummary } from '#contract/session'
import { formatAgo } from '../../ui/format.ts'
import { useT } from '../../ui/i18n.ts'
import { Badge, ContextMenu, cx, Lamp, type MenuEntries } from '../../ui/index.ts'

interface SessionRowProps {
  readonly summary: SessionSummary
  readonly shown: boolean
  readonly marked: boolean
  readonly renaming: boolean
  readonly entries: MenuEntries
  readonly onOpen: () => void
  /** Null: given up. */
  readonly onRename: (title: string | null) => void
}

export function SessionRow({ summary, shown, marked, renaming, entries, onOpen, onRename }: SessionRowProps) {
  const t = useT()
  const { title, preview, state, unread, pinned, changedAt, heldBy } = summary
  const name = title || preview || t('sessions.untitled')
  return (
    <ContextMenu entries={entries}>
      {/* biome-ignore lint/a11y/useFocusableInteractive: the list keeps the focus; keys are the list's */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: see above */}
      <div
        role="option"
        aria-selected={shown}
        className={cx('sessions-row', shown && 'sessions-shown', marked && 'sessions-marked')}
        onClick={onOpen}
      >
        <span className="sessions-line">
          {pinned && <Pin size={12} aria-label={t('sessions.pinned')} />}
          {renaming ? (
            <input
              // biome-ignore lint/a11y/noAutofocus: the person chose to rename a moment ago
              autoFocus
              defaultValue={title}
              maxLength={200}
              aria-label={t('sessions.rename')}
              onClick={event => event.stopPropagation()}
              onFocus={event => event.target.select()}
              onBlur={event => onRename(event.target.value.trim())}
              onKeyDown={event => {
                event.stopPropagation()
                if (event.nativeEvent.isComposing) return
                if (event.key === 'Enter') event.currentTarget.blur()
                if (event.key === 'Escape') onRename(null)
              }}
            />
          ) : (
            <span className={cx('sessions-name', unread && 'sessions-unread')}>{name}</span>
          )}
          {state === 'asking' && <Badge tone="ask">{t('sessions.state.asking')}</Badge>}
          {state === 'running' && <Badge tone="accent">{t('sessions.state.running')}</Badge>}
          {unread && state === 'idle' && <Lamp tone="ok" />}
        </span>
        <span className="sessions-line sessions-dim">
          <span className="sessions-cut">{heldBy ? t('sessions.heldBy', { owner: heldBy }) : preview}</span>
          <span className="sessions-when">{formatAgo(changedAt)}</span>
        </span>
      </div>
    </ContextMenu>
  )
}
