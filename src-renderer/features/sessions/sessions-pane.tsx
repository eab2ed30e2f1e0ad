/** All sessions of this folder: search, open, rename, pin, archive, export, delete (asks). Running and unread ones are marked. */
import { Archive, MessageSquarePlus } from 'lucide-react'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { toFault } from '#contract/error'
import type { SessionId } from '#contract/id'
import type { SessionSummary } from '#contract/session'
import { belay } from '../../client/index.ts'
import { sessionListMirror } from '../../state/mirror/session-list.ts'
import { currentSession, useSessionId } from '../../state/view/session.ts'
import { useT } from '../../ui/i18n.ts'
import {
  ConfirmDialog,
  EmptyState,
  IconButton,
  Spinner,
  TextField,
  toast,
  VirtualList,
  type VirtualListHandle,
} from '../../ui/index.ts'
import { useCommand } from '../commands.ts'
import { linesOf, type SessionLine } from './groups.ts'
import { SessionRow } from './session-row.tsx'
import './sessions.css'

export function SessionsPane() {
  const t = useT()
  const run = useCommand()
  const { sessions, status, fault } = sessionListMirror()
  const shown = useSessionId()
  const [query, setQuery] = useState('')
  const [archived, setArchived] = useState(false)
  const [marked, setMarked] = useState<SessionId | null>(null)
  const [renaming, setRenaming] = useState<SessionId | null>(null)
  const [deleting, setDeleting] = useState<SessionSummary | null>(null)
  const list = useRef<VirtualListHandle>(null)
  const lines = useMemo(() => linesOf(sessions, { query, archived, now: Date.now() }), [sessions, query, archived])
  const rows = lines.flatMap(line => (line.kind === 'session' ? [line.summary] : []))
  const at = rows.findIndex(each => each.sessionId === (marked ?? shown))

  const act = (work: Promise<unknown>) =>
    void work.catch(thrown => toast.error(t('sessions.actFailed'), { detail: toFault(thrown).message }))
  const open = (sessionId: SessionId) => {
    currentSession.set(sessionId)
    void run('app.focusAgent')
  }
  const mark = (index: number) => {
    const next = rows[Math.max(0, Math.min(rows.length - 1, index))]
    if (!next) return
    setMarked(next.sessionId)
    list.current?.scrollToIndex(lines.findIndex(line => line.kind === 'session' && line.summary === next))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return
    const current = rows[at]
    const acts = new Map<string, () => void>([
      ['ArrowDown', () => mark(at + 1)],
      ['ArrowUp', () => mark(at - 1)],
      ['Home', () => mark(0)],
      ['End', () => mark(rows.length - 1)],
      ['Enter', () => current && open(current.sessionId)],
      ['F2', () => current && setRenaming(current.sessionId)],
      ['Delete', () => current && setDeleting(current)],
    ])
    const key = acts.get(event.key)
    if (!key) return
    event.preventDefault()
    key()
  }
  const remove = (summary: SessionSummary) => {
    setDeleting(null)
    if (currentSession.get() === summary.sessionId) currentSession.set(null)
    act(belay.session.delete({ sessionId: summary.sessionId }))
  }
  const entriesOf = (summary: SessionSummary) => () => {
    const { sessionId, pinned } = summary
    return [
      { id: 'open', label: t('sessions.open'), onSelect: () => open(sessionId) },
      { id: 'rename', label: t('sessions.rename'), keys: 'F2', onSelect: () => setRenaming(sessionId) },
      {
        id: 'pin',
        label: t(pinned ? 'sessions.unpin' : 'sessions.pin'),
        onSelect: () => act(belay.session.pin({ sessionId, pinned: !pinned })),
      },
      {
        id: 'archive',
        label: t(summary.archived ? 'sessions.unarchive' : 'sessions.archive'),
        onSelect: () => act(belay.session.archive({ sessionId, archived: !summary.archived })),
      },
      { kind: 'separator' as const, id: 'rule' },
      { id: 'delete', label: t('sessions.delete'), keys: 'Delete', danger: true, onSelect: () => setDeleting(summary) },
    ]
  }
  return (
    <div className="sessions-pane" data-context="list">
      <div className="sessions-tools">
        <TextField
          label={t('sessions.search')}
          hideLabel
          value={query}
          placeholder={t('sessions.search')}
          onChange={setQuery}
        />
        <IconButton
          label={t('sessions.showArchived')}
          icon={Archive}
          on={archived}
          onClick={() => setArchived(!archived)}
        />
        <IconButton
          label={t('command.agent.newSession')}
          icon={MessageSquarePlus}
          onClick={() => void run('agent.newSession')}
        />
      </div>
      {status !== 'ready' ? (
        <div className="sessions-wait">
          {status === 'failed' ? (
            <EmptyState title={t('sessions.failed')} body={fault?.message} />
          ) : (
            <Spinner label={t('sessions.loading')} />
          )}
        </div>
      ) : lines.length === 0 ? (
        <EmptyState
          title={query ? t('sessions.noMatch') : t('sessions.none')}
          body={query ? undefined : t('sessions.noneHint')}
        />
      ) : (
        <VirtualList<SessionLine>
          className="sessions-list"
          role="listbox"
          aria-label={t('sessions.pane')}
          tabIndex={0}
          onKeyDown={onKeyDown}
          items={lines}
          keyOf={line => (line.kind === 'group' ? line.name : line.summary.sessionId)}
          rowHeight={line => (line.kind === 'group' ? 26 : 44)}
          handle={list}
          render={line =>
            line.kind === 'group' ? (
              <div className="sessions-group">{t(`sessions.group.${line.name}`)}</div>
            ) : (
              <SessionRow
                summary={line.summary}
                shown={line.summary.sessionId === shown}
                marked={line.summary.sessionId === marked}
                renaming={line.summary.sessionId === renaming}
                entries={entriesOf(line.summary)}
                onOpen={() => open(line.summary.sessionId)}
                onRename={title => {
                  setRenaming(null)
                  if (title && title !== line.summary.title)
                    act(belay.session.title({ sessionId: line.summary.sessionId, title }))
                }}
              />
            )
          }
        />
      )}
      <ConfirmDialog
        open={deleting !== null}
        danger
        title={t('sessions.deleteAsk', { title: deleting?.title ?? '' })}
        body={t('sessions.deleteMeans')}
        confirmLabel={t('sessions.delete')}
        cancelLabel={t('sessions.cancel')}
        onConfirm={() => deleting && remove(deleting)}
        onCancel={() => setDeleting(null)}
      />
    </div>
  )
}
