/** The conversation: virtualised, follows the end only for one who is there, and never moves what is being read. */
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { SessionId } from '#contract/id'
import { loadOlder } from '../../client/session-pump.ts'
import { sessionNow, useHasOlder, usePathRevision, useSessionStatus } from '../../state/mirror/session.ts'
import { localize, useT } from '../../ui/i18n.ts'
import { Button, EmptyState, Spinner, VirtualList, type VirtualListHandle } from '../../ui/index.ts'
import { rowOfItem, wantedItem } from './context/wanted-item.ts'
import { rowOfAsk, wantedAsk } from './next-ask.ts'
import { editedPrompt, keptPlace } from './recover/recover-view.ts'
import { useBranches } from './recover/use-branches.ts'
import { RowView } from './row-view.tsx'
import { type Row, rowsOf } from './rows.ts'

/** Pixels from the top at which the page before is fetched. */
const NEAR_TOP = 600

export function Transcript({ sessionId }: { readonly sessionId: SessionId }) {
  const t = useT()
  const status = useSessionStatus(sessionId)
  const revision = usePathRevision(sessionId)
  const hasOlder = useHasOlder(sessionId)
  const points = useBranches(sessionId)
  const list = useRef<VirtualListHandle>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state is changed in place, `revision` says when
  const rows = useMemo(() => {
    const mirror = sessionNow(sessionId)
    return mirror ? rowsOf(mirror.state, points) : []
  }, [sessionId, revision, points])

  const older = useCallback(() => {
    const top = list.current?.element?.scrollTop ?? 0
    if (top < NEAR_TOP) void loadOlder(sessionId).catch(() => {})
  }, [sessionId])
  useEffect(() => {
    if (status?.status === 'ready') list.current?.scrollToEnd()
  }, [status?.status])

  useEffect(
    () =>
      wantedAsk.subscribe(({ wanted }) => {
        const state = sessionNow(sessionId)?.state
        const index = wanted && state ? rowOfAsk(rows, state, wanted.askId) : -1
        if (!wanted || index < 0) return
        list.current?.scrollToIndex(index, 'end')
        focusWhenThere(`[data-ask="${wanted.askId}"]`)
      }),
    [sessionId, rows],
  )

  const wanted = wantedItem(state => state.wanted)
  useEffect(() => {
    const state = sessionNow(sessionId)?.state
    const index = wanted && state ? rowOfItem(rows, state.path, wanted.itemId) : -1
    if (index < 0) return
    list.current?.scrollToIndex(index, 'start')
    wantedItem.setState({ wanted: null })
  }, [sessionId, rows, wanted])
  useLayoutEffect(() => keepPlace(rows, list.current), [rows])
  const editing = editedPrompt.use(edited => edited?.itemId ?? null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what begins to be edited comes into view
  useEffect(() => {
    const index = editing === null ? -1 : rows.findIndex(row => row.key === editing)
    if (index >= 0) list.current?.scrollToIndex(index)
  }, [editing])

  if (status?.status === 'failed')
    return (
      <div className="chat-flow">
        <EmptyState title={t('chat.openFailed')} body={status.fault && localize(status.fault.message)} />
      </div>
    )
  if (status?.status !== 'ready')
    return (
      <div className="chat-flow chat-centre">
        <Spinner label={status?.fault ? localize(status.fault.message) : t('chat.opening')} />
      </div>
    )
  return (
    <VirtualList<Row>
      className="chat-flow"
      role="log"
      aria-label={t('chat.transcript')}
      aria-live="off"
      tabIndex={0}
      items={rows}
      keyOf={row => row.key}
      rowHeight={guess}
      measured
      stick
      overscan={8}
      gap={8}
      padding={{ start: 8, end: 12 }}
      handle={list}
      onScroll={hasOlder ? older : undefined}
      render={row => (
        <>
          {hasOlder && row === rows[0] && (
            <OlderMark loading={status.loadingOlder} onLoad={() => void loadOlder(sessionId)} />
          )}
          <RowView sessionId={sessionId} row={row} />
        </>
      )}
    />
  )
}

/** A branch that was switched stays where it is on the screen, whatever comes behind it. */
function keepPlace(rows: readonly Row[], list: VirtualListHandle | null): void {
  const { kept } = keptPlace.getState()
  const index = kept ? rows.findIndex(row => row.key === kept.rowKey) : -1
  const row = rows[index]
  if (!kept || row?.kind !== 'branch') return
  list?.placeRow(index, kept.offset)
  if (row.itemId === kept.until) keptPlace.setState({ kept: null })
}

/** A row that was out of sight is made first. */
function focusWhenThere(selector: string, framesLeft = 30): void {
  const found = document.querySelector<HTMLElement>(selector)
  if (found) found.focus({ preventScroll: true })
  else if (framesLeft > 0) requestAnimationFrame(() => focusWhenThere(selector, framesLeft - 1))
}

const guess = (row: Row): number =>
  row.kind === 'ask' ? 200 : row.kind === 'footer' ? 22 : row.kind === 'group' ? 32 : 56

function OlderMark({ loading, onLoad }: { readonly loading: boolean; readonly onLoad: () => void }) {
  const t = useT()
  return (
    <div className="chat-older">
      {loading ? (
        <Spinner label={t('chat.loadingOlder')} />
      ) : (
        <Button variant="ghost" onClick={onLoad}>
          {t('chat.loadOlder')}
        </Button>
      )}
    </div>
  )
}
