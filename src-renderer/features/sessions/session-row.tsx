/** One session in the list: its name, when, what it changed, whether it branched off another, runs, asks or ended unseen. */
import { ChevronRight, GitFork, Pin } from 'lucide-react'
import type { CSSProperties } from 'react'
import type { SessionSummary } from '#contract/session'
import { useWorkspace } from '../../state/view/workspace.ts'
import { formatAgo } from '../../ui/format.ts'
import { useT } from '../../ui/i18n.ts'
import { Badge, ContextMenu, cx, Lamp, type MenuEntries } from '../../ui/index.ts'
import { visibleLine } from '../../ui/visible.ts'
import type { SessionLineOf } from './groups.ts'

interface SessionRowProps {
  readonly line: SessionLineOf
  readonly id: string
  readonly shown: boolean
  readonly marked: boolean
  readonly renaming: boolean
  readonly entries: MenuEntries
  readonly onOpen: () => void
  /** Its branches come or go. */
  readonly onFold: () => void
  /** Null: given up. */
  readonly onRename: (title: string | null) => void
}

/** Further levels stand as deep as this one: the pane is narrow. */
const MOST_DEPTH = 6

export function SessionRow({ line, id, shown, marked, renaming, entries, onOpen, onFold, onRename }: SessionRowProps) {
  const t = useT()
  const { summary, depth, open } = line
  const { title, preview, state, unread, pinned, changedAt, forkedFrom, imported } = summary
  const name = title || preview || t('sessions.untitled')
  return (
    <ContextMenu entries={entries}>
      {/* biome-ignore lint/a11y/useFocusableInteractive: the tree keeps the focus; keys are the tree's */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: see above */}
      <div
        id={id}
        role="treeitem"
        aria-level={depth + 1}
        aria-expanded={open ?? undefined}
        aria-selected={shown}
        className={cx('sessions-row', shown && 'sessions-shown', marked && 'sessions-marked')}
        style={{ '--depth': Math.min(depth, MOST_DEPTH) } as CSSProperties}
        onClick={onOpen}
      >
        <span className="sessions-line">
          {open !== null && <FoldMark open={open} onFold={onFold} />}
          {forkedFrom && <GitFork size={12} aria-label={t('sessions.branch')} />}
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
          {imported && <span>{t('sessions.imported')}</span>}
          <span className="sessions-cut">
            <Beneath summary={summary} />
          </span>
          <ChangedBy summary={summary} />
          <span className="sessions-when">{formatAgo(changedAt)}</span>
        </span>
      </div>
    </ContextMenu>
  )
}

function FoldMark({ open, onFold }: { readonly open: boolean; readonly onFold: () => void }) {
  const t = useT()
  return (
    // Not a stop for Tab: the arrow keys of the tree do it.
    <button
      type="button"
      tabIndex={-1}
      className="sessions-fold"
      aria-label={t(open ? 'sessions.fold' : 'sessions.unfold')}
      onClick={event => {
        event.stopPropagation()
        onFold()
      }}
    >
      <ChevronRight size={12} className={cx(open && 'sessions-open')} />
    </button>
  )
}

/** Who holds it, where it works if that is not here, else how it began. */
function Beneath({ summary: { heldBy, roots, preview } }: { readonly summary: SessionSummary }) {
  const t = useT()
  const home = useWorkspace()?.home
  const folder = roots[0] ?? ''
  if (heldBy) return t('sessions.heldBy', { owner: heldBy })
  if (home !== undefined && folder !== home)
    return (
      <span title={folder}>
        {t('sessions.inWorktree', { name: visibleLine(folder.split(/[\\/]/).at(-1) ?? folder) })}
      </span>
    )
  return preview
}

function ChangedBy({ summary: { changed } }: { readonly summary: SessionSummary }) {
  const t = useT()
  if (changed.files === 0) return null
  return (
    <span className="sessions-changed" title={t('sessions.changed', { count: changed.files })}>
      <span className="visually-hidden">{t('sessions.changed', { count: changed.files })}</span>
      {changed.added > 0 && <span className="sessions-plus">+{changed.added}</span>}
      {changed.removed > 0 && <span className="sessions-minus">−{changed.removed}</span>}
    </span>
  )
}
