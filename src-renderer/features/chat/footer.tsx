/** The end of a turn in one quiet line: model, tokens, cost, duration, files, the ways back; and why it ended when it did not end by itself. */
import { useMemo } from 'react'
import type { SessionId, TurnId } from '#contract/id'
import type { Turn } from '#contract/session-state'
import { sessionNow, useTurn } from '../../state/mirror/session.ts'
import { formatCost, formatDuration, formatShort } from '../../ui/format.ts'
import { localize, useT } from '../../ui/i18n.ts'
import { Badge, Button } from '../../ui/index.ts'
import { useCommand } from '../commands.ts'
import { AdviceLine, namesIn } from './advice.tsx'
import { TurnActs } from './recover/turn-acts.tsx'
import { shortModel } from './use-chat.ts'

export function Footer({ sessionId, turnId }: { readonly sessionId: SessionId; readonly turnId: TurnId }) {
  const t = useT()
  const run = useCommand()
  const turn = useTurn(sessionId, turnId)
  // The turn is a new object when it ends; its files are counted then and not with every token after.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const files = useMemo(() => countFiles(sessionNow(sessionId)?.state ?? null, turnId), [sessionId, turnId, turn])
  if (!turn?.endedAt || onlyMadeRoom(sessionId, turnId)) return null
  const { usage, cost, outcome, error, notices, producer, startedAt, endedAt } = turn
  return (
    <div className="chat-foot-wrap">
      {error && (
        <div className="chat-error" role="alert">
          <span>{localize(error.message)}</span>
          {error.code === 'auth' && (
            <Button variant="ghost" onClick={() => void run('agent.model')}>
              {t('chat.chooseModel')}
            </Button>
          )}
        </div>
      )}
      {notices.filter(isNews).map(notice => (
        <div key={`${notice.at} ${notice.text}`} className="chat-notice">
          {notice.code === 'advice' && namesIn(notice.text).length > 0 ? (
            <AdviceLine paths={namesIn(notice.text)} />
          ) : (
            localize(notice.text)
          )}
        </div>
      ))}
      <div className="chat-foot">
        {outcome !== 'done' && outcome !== null && (
          <Badge tone={outcome === 'stopped' ? 'plain' : 'error'}>{t(`chat.outcome.${outcome}`)}</Badge>
        )}
        <span>{shortModel(producer.model)}</span>
        {usage && usage.input + usage.output + usage.cacheRead > 0 && (
          <span title={t('chat.tokensTitle', { cached: formatShort(usage.cacheRead) })}>
            {t('chat.tokens', {
              in: formatShort(usage.input + usage.cacheRead + usage.cacheWrite),
              out: formatShort(usage.output),
            })}
          </span>
        )}
        {cost !== null && cost > 0 && <span>{formatCost(cost)}</span>}
        {cost === null && usage?.known && usage.output > 0 && <span>{t('chat.noPrice')}</span>}
        <span>{formatDuration(endedAt - startedAt)}</span>
        {files > 0 && (
          <button
            type="button"
            className="chat-foot-act"
            onClick={() => void run('review.show', { latest: isLatest(sessionId, turnId) })}
          >
            {t('chat.reviewFiles', { count: files })}
          </button>
        )}
        <TurnActs sessionId={sessionId} turnId={turnId} />
      </div>
    </div>
  )
}

/** What was made is a line of its own, with what it took. */
const onlyMadeRoom = (sessionId: SessionId, turnId: TurnId): boolean => {
  const items = [...(sessionNow(sessionId)?.state.items.values() ?? [])].filter(item => item.turnId === turnId)
  return items.length > 0 && items.every(({ kind }) => kind === 'compaction')
}
const isNews = ({ code }: Turn['notices'][number]): boolean => code !== 'compacting'

/** Asked when it counts: this line is not drawn anew when another turn begins. */
const isLatest = (sessionId: SessionId, turnId: TurnId): boolean =>
  [...(sessionNow(sessionId)?.state.turns.keys() ?? [])].at(-1) === turnId

type State = NonNullable<ReturnType<typeof sessionNow>>['state']

function countFiles(state: State | null, turnId: TurnId): number {
  if (!state) return 0
  const changed = new Set<string>()
  for (const item of state.items.values())
    if (item.kind === 'tool' && item.turnId === turnId) for (const write of item.files) changed.add(write.path.path)
  return changed.size
}
