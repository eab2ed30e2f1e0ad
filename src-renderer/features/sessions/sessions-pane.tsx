/** All sessions of this folder as a tree of branches: search, open, rename, pin, archive, compare, export, import, delete (asks). */
import { Archive, FileInput, MessageSquarePlus } from 'lucide-react'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { toFault } from '#contract/error'
import type { SessionId } from '#contract/id'
import type { SessionSummary } from '#contract/session'
import { belay } from '../../client/index.ts'
import { sessionListMirror } from '../../state/mirror/session-list.ts'
import { remembered } from '../../state/view/remember.ts'
import { currentSession, useSessionId } from '../../state/view/session.ts'
import { useWorkspace } from '../../state/view/workspace.ts'
import { localize, useT } from '../../ui/i18n.ts'
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
import { linesOf, type SessionLine, type SessionLineOf } from './groups.ts'
import { sessionMenu } from './session-menu.ts'
import { SessionRow } from './session-row.tsx'
import { WorktreeRemoval } from './worktree-removal.tsx'
import './sessions.css'

const foldedTrees = remembered<readonly SessionId[]>('sessions.folded', [])

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
  const [clearing, setClearing] = useState<SessionSummary | null>(null)
  const home = useWorkspace()?.home ?? ''
  const folded = foldedTrees.use()
  const list = useRef<VirtualListHandle>(null)
  const lines = useMemo(
    () => linesOf(sessions, { query, archived, now: Date.now(), folded: new Set(folded) }),
    [sessions, query, archived, folded],
  )
  const rows = lines.filter(line => line.kind === 'session')
  const at = rows.findIndex(({ summary }) => summary.sessionId === (marked ?? shown))

  const act = (work: Promise<unknown>) =>
    void work.catch(thrown => toast.error(t('sessions.actFailed'), { detail: toFault(thrown).message }))
  const open = async (sessionId: SessionId) => {
    await run('agent.openSession', { sessionId })
    await run('app.focusAgent')
  }
  const mark = (index: number) => {
    const next = rows[Math.max(0, Math.min(rows.length - 1, index))]
    if (!next) return
    setMarked(next.summary.sessionId)
    list.current?.scrollToIndex(lines.indexOf(next))
  }
  const fold = (line: SessionLineOf | undefined, shut: boolean) => {
    if (!line || line.open === null) return
    const { sessionId } = line.summary
    foldedTrees.set(all => [...all.filter(each => each !== sessionId), ...(shut ? [sessionId] : [])])
  }
  /** To the branches, or into them; back to what it branched off. */
  const unfold = (line: SessionLineOf) => (line.open === false ? fold(line, false) : line.open && mark(at + 1))
  const foldUp = (line: SessionLineOf) => {
    if (line.open) return fold(line, true)
    const parent = rows.slice(0, at).findLastIndex(({ depth }) => depth < line.depth)
    if (line.depth > 0) mark(parent)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return
    const line = rows[at]
    const current = line?.summary
    const acts = new Map<string, () => void>([
      ['ArrowDown', () => mark(at + 1)],
      ['ArrowUp', () => mark(at - 1)],
      ['Home', () => mark(0)],
      ['End', () => mark(rows.length - 1)],
      ['ArrowRight', () => line && unfold(line)],
      ['ArrowLeft', () => line && foldUp(line)],
      ['Enter', () => current && void open(current.sessionId)],
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
  const entriesOf = (summary: SessionSummary) => () =>
    sessionMenu(t, summary, home, {
      ...{ run, act },
      open: () => void open(summary.sessionId),
      rename: () => setRenaming(summary.sessionId),
      remove: () => setDeleting(summary),
      removeWorktree: () => setClearing(summary),
    })
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
          label={t('command.agent.importSession')}
          icon={FileInput}
          onClick={() => void run('agent.importSession')}
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
            <EmptyState title={t('sessions.failed')} body={fault && localize(fault.message)} />
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
          role="tree"
          aria-label={t('sessions.pane')}
          aria-activedescendant={at >= 0 ? rowId(rows[at] as SessionLineOf) : undefined}
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
                line={line}
                id={rowId(line)}
                shown={line.summary.sessionId === shown}
                marked={line.summary.sessionId === marked}
                renaming={line.summary.sessionId === renaming}
                entries={entriesOf(line.summary)}
                onOpen={() => void open(line.summary.sessionId)}
                onFold={() => fold(line, line.open === true)}
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
      {clearing && <WorktreeRemoval summary={clearing} onClose={() => setClearing(null)} />}
    </div>
  )
}

const rowId = ({ summary }: SessionLineOf): string => `sessions-${summary.sessionId}`
