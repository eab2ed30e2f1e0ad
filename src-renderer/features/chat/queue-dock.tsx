/** Prompts that wait, in order, and words on their way to a running turn. What does not go on by itself says why, and how it would. */
import { CornerDownRight, Pause, Play, X } from 'lucide-react'
import { type DragEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { toFault } from '#contract/error'
import type { RequestId, SessionId } from '#contract/id'
import { belay } from '../../client/index.ts'
import { useSessionFact } from '../../state/mirror/session.ts'
import { useT } from '../../ui/i18n.ts'
import { Button, IconButton, toast } from '../../ui/index.ts'
import { addToDraft } from './draft.ts'
import { showProblem } from './problem.ts'
import { QueueEdit } from './queue-edit.tsx'
import { QueueItem } from './queue-item.tsx'

const DRAG_TYPE = 'application/x-belay-queued'

export function QueueDock({ sessionId }: { readonly sessionId: SessionId }) {
  const t = useT()
  const queue = useSessionFact(sessionId, 'queue') ?? []
  const paused = useSessionFact(sessionId, 'queuePaused')
  const steers = useSessionFact(sessionId, 'steers') ?? []
  const [editing, setEditing] = useState<RequestId | null>(null)
  const { move, grip, over, ...drag } = useReorder(
    sessionId,
    queue.map(each => each.requestId),
  )
  if (queue.length === 0 && steers.length === 0) return null
  const tried = async (work: Promise<unknown>) => {
    await work.catch(thrown => showProblem(t('chat.queueFailed'), thrown))
  }
  const takeBack = async (requestId: RequestId, text: string) => {
    const { withdrawn } = await belay.session.withdrawSteer({ sessionId, requestId })
    if (withdrawn) addToDraft({ text })
    else toast.info(t('chat.steerGone'))
  }
  const send = async (requestId: RequestId) => {
    const { outcome } = await belay.session.sendQueued({ sessionId, requestId })
    if (outcome === 'first') toast.info(t('chat.queueFirst'))
  }
  return (
    <div className="chat-dock chat-queue">
      {paused && (
        <div className="chat-queue-paused" role="status">
          <Pause size={13} />
          <span>{t(`chat.queuePaused.${paused}`)}</span>
          <Button icon={Play} onClick={() => void tried(belay.session.resumeQueue({ sessionId }))}>
            {t('chat.queueResume')}
          </Button>
        </div>
      )}
      <ul aria-label={t('chat.queue')}>
        {steers.map(({ requestId, text }) => (
          <li key={requestId} className="chat-queue-row">
            <span className="chat-queue-place" title={t('chat.steerHint')}>
              <CornerDownRight size={12} /> {t('chat.steering')}
            </span>
            <span className="chat-cut" title={text}>
              {text}
            </span>
            <span className="chat-queue-acts">
              <IconButton
                label={t('chat.steerTakeBack')}
                icon={X}
                size={13}
                onClick={() => void tried(takeBack(requestId, text))}
              />
            </span>
          </li>
        ))}
        {queue.map((prompt, index) =>
          editing === prompt.requestId ? (
            <li key={prompt.requestId}>
              <QueueEdit sessionId={sessionId} prompt={prompt} onDone={() => setEditing(null)} />
            </li>
          ) : (
            <QueueItem
              key={prompt.requestId}
              prompt={prompt}
              place={index === 0 && paused === null ? t('chat.next') : String(index + 1)}
              drop={over?.at === index ? over.side : null}
              grip={grip(prompt.requestId)}
              onMoveKey={event => move(event, prompt.requestId, index)}
              onDragStart={event => drag.onDragStart(event, prompt.requestId)}
              onDragOver={event => drag.onDragOver(event, index)}
              onDragEnd={drag.onDragEnd}
              onDrop={event => drag.onDrop(event, index)}
              onSend={() => void tried(send(prompt.requestId))}
              onEdit={() => setEditing(prompt.requestId)}
              onRemove={() => void tried(belay.session.removeQueued({ sessionId, requestId: prompt.requestId }))}
            />
          ),
        )}
      </ul>
    </div>
  )
}

const sideOf = (event: DragEvent<HTMLElement>): 'before' | 'after' => {
  const { top, height } = event.currentTarget.getBoundingClientRect()
  return event.clientY < top + height / 2 ? 'before' : 'after'
}

/** By drag, and by arrows on the grip, which keeps the focus wherever its row goes. */
function useReorder(sessionId: SessionId, order: readonly RequestId[]) {
  const t = useT()
  const [over, setOver] = useState<{ at: number; side: 'before' | 'after' } | null>(null)
  const grips = useRef(new Map<RequestId, HTMLElement>())
  const moved = useRef<RequestId | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the order changed
  useLayoutEffect(() => {
    if (moved.current) grips.current.get(moved.current)?.focus()
    moved.current = null
  }, [order.join(' ')])
  const put = (requestId: RequestId, to: number) =>
    belay.session.moveQueued({ sessionId, requestId, to }).catch(thrown => {
      // It was sent or taken away while it was being moved: there is nothing to do about it.
      if (toFault(thrown).code !== 'not_found') showProblem(t('chat.queueFailed'), thrown)
    })
  return {
    over,
    grip: (requestId: RequestId) => (element: HTMLElement | null) => {
      if (element) grips.current.set(requestId, element)
      else grips.current.delete(requestId)
    },
    move(event: KeyboardEvent, requestId: RequestId, index: number) {
      const last = order.length - 1
      const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: last }[event.key]
      if (to === undefined) return
      event.preventDefault()
      if (to < 0 || to > last || to === index) return
      moved.current = requestId
      void put(requestId, to)
    },
    onDragStart(event: DragEvent, requestId: RequestId) {
      event.dataTransfer.setData(DRAG_TYPE, requestId)
      event.dataTransfer.effectAllowed = 'move'
    },
    onDragOver(event: DragEvent<HTMLElement>, at: number) {
      if (!event.dataTransfer.types.includes(DRAG_TYPE)) return
      event.preventDefault()
      setOver({ at, side: sideOf(event) })
    },
    onDragEnd: () => setOver(null),
    onDrop(event: DragEvent<HTMLElement>, at: number) {
      const requestId = order.find(each => each === event.dataTransfer.getData(DRAG_TYPE))
      setOver(null)
      if (!requestId) return
      event.preventDefault()
      const from = order.indexOf(requestId)
      const slot = sideOf(event) === 'before' ? at : at + 1
      const to = from < slot ? slot - 1 : slot
      if (to !== from) void put(requestId, to)
    },
  }
}
