/** One row of the transcript. Memoised: a row renders again only when what it shows changed. */
import { lazy, memo, Suspense } from 'react'
import type { ItemId, SessionId } from '#contract/id'
import { useItem } from '../../state/mirror/session.ts'
import { afterStart } from '../../ui/after-start.ts'
import { CompactionRow } from './context/compaction-row.tsx'
import { Footer } from './footer.tsx'
import { GroupRow } from './group-row.tsx'
import { MessageRow } from './message-row.tsx'
import { PlanCard } from './plan-card.tsx'
import { QuestionCard } from './question-card.tsx'
import { ReasoningRow } from './reasoning-row.tsx'
import { BranchRow } from './recover/branch-row.tsx'
import { RewoundRow } from './recover/rewound-row.tsx'
import type { Row } from './rows.ts'
import { ToolCard } from './tool-card.tsx'
import { WorkingRow } from './working-row.tsx'

const fetchAsk = () => import('./ask/ask-card.tsx')
const AskCard = lazy(async () => ({ default: (await fetchAsk()).AskCard }))
// Before the first ask, so that its card is there with it.
void afterStart().then(() => fetchAsk().catch(() => {}))

export const RowView = memo(
  function RowView({ sessionId, row }: { readonly sessionId: SessionId; readonly row: Row }) {
    switch (row.kind) {
      case 'item':
        return <ItemRow sessionId={sessionId} itemId={row.itemId} />
      case 'group':
        return <GroupRow sessionId={sessionId} itemIds={row.itemIds} />
      case 'ask':
        return (
          <Suspense fallback={<div className="chat-ask chat-ask-coming" />}>
            <AskCard sessionId={sessionId} askId={row.askId} />
          </Suspense>
        )
      case 'footer':
        return <Footer sessionId={sessionId} turnId={row.turnId} />
      case 'branch':
        return <BranchRow sessionId={sessionId} rowKey={row.key} point={row.point} itemId={row.itemId} />
      case 'rewound':
        return <RewoundRow move={row.move} />
      case 'working':
        return <WorkingRow sessionId={sessionId} />
    }
  },
  (before, after) => before.sessionId === after.sessionId && sameRow(before.row, after.row),
)

const sameRow = (a: Row, b: Row): boolean =>
  a.key === b.key &&
  a.kind === b.kind &&
  (a.kind !== 'branch' || b.kind !== 'branch' || (a.point === b.point && a.itemId === b.itemId)) &&
  (a.kind !== 'group' ||
    b.kind !== 'group' ||
    (a.itemIds.length === b.itemIds.length && a.itemIds.at(-1) === b.itemIds.at(-1)))

function ItemRow({ sessionId, itemId }: { readonly sessionId: SessionId; readonly itemId: ItemId }) {
  const item = useItem(sessionId, itemId)
  if (!item) return null
  if (item.kind === 'message') return <MessageRow sessionId={sessionId} item={item} />
  if (item.kind === 'reasoning') return <ReasoningRow sessionId={sessionId} item={item} />
  if (item.kind === 'compaction') return <CompactionRow sessionId={sessionId} item={item} />
  if (item.tool === 'ask_user') return <QuestionCard sessionId={sessionId} item={item} />
  if (item.tool === 'propose_plan') return <PlanCard sessionId={sessionId} item={item} />
  return <ToolCard sessionId={sessionId} item={item} />
}
